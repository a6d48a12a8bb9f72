import { formatLimit } from '../../judge/row-words.ts';
import { NAME_LIMIT, plainText } from '../../text/escape.ts';
import type { RowDrift } from '../../types/main-baselines.ts';
import { METRICS } from '../../types/metric.ts';
import type { Fraction } from '../../types/units.ts';
import type { Row } from './rows.ts';

/** A row for which main has baselines. */
export interface DriftRow {
	readonly row: Row;
	readonly drift: RowDrift;
}

/** Matches `main@1a2b3c4`, a commit on a branch. */
const ON_BRANCH = /^(.+)@[0-9a-f]{7,64}$/;
const USUAL_BRANCH = 'main';

/** Returns rows with baselines, worst first: those that head makes drift, then by main's level with head. */
export function driftRows(rows: readonly Row[]): readonly DriftRow[] {
	const rowsWithDrift = rows.flatMap((row) => (row.cell.drift ? [{ row, drift: row.cell.drift }] : []));
	const order = ({ drift }: DriftRow) => (drift.verdict === 'adds' ? 0 : 1);
	return rowsWithDrift.toSorted((a, b) => order(a) - order(b) || levelOf(a) - levelOf(b));
}

/** Returns the branch of the baselines: one harmless line, not yet escaped. */
export function branchOf({ measured }: Pick<RowDrift, 'measured'>): string {
	return plainText(ON_BRANCH.exec(measured)?.[1] ?? USUAL_BRANCH, NAME_LIMIT);
}

/** Returns the change against the anchor from which on it is drift, such as `−10 %`. */
export function formatDriftLimit({ row, drift: { threshold } }: DriftRow): string {
	return formatLimit(row.cell.metric, threshold);
}

/** Returns the change that head adds; null if unknown, or if its interval contains 0. */
export function shownAddition({ row: { cell }, drift: { adds } }: DriftRow): Fraction | null {
	const { low, high } = cell.interval ?? { low: null, high: null };
	const isShown = (low !== null && low > 0) || (high !== null && high < 0);
	return isShown && !cell.warnings.some(({ code }) => code === 'unconfirmed') ? adds : null;
}

export function isWorse({ row }: DriftRow, change: Fraction): boolean {
	return METRICS[row.cell.metric].better === 'higher' ? change < 0 : change > 0;
}

/** Negative is worse. */
function levelOf(row: DriftRow): number {
	const change = row.drift.total ?? row.drift.main.change;
	return isWorse(row, change) ? -Math.abs(change) : Math.abs(change);
}
