/** Baselines of main in a report. */
import { signedLogOf } from '../../stats/estimate.ts';
import { NAME_LIMIT, plainText } from '../../text/escape.ts';
import { formatChange, formatInterval, INTERVAL_95 } from '../../text/numbers.ts';
import { type Phrase, phrase } from '../../text/phrase.ts';
import type { Audience } from './audience.ts';
import { CELL, type Column, column } from './columns.ts';
import { branchOf, type DriftRow, driftRows, formatDriftLimit, isWorse, shownAddition } from './drift-rows.ts';
import { headWord } from './fault-words.ts';
import { labelOf, nameOf, type Row } from './rows.ts';

const BARS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/** Least range of the scale (log ratio), so that noise does not look large. */
const LEAST_SPAN = 0.04;

export interface DriftReport {
	/** Rows below their anchor, worst first. */
	readonly lines: readonly Phrase[];
	readonly rows: readonly DriftRow[];
	/** One harmless line, not yet escaped. */
	readonly branch: string;
	readonly columns: readonly Column<DriftRow>[];
}

/** Number of lines shown outside the collapsed section. */
export const MOST_LINES = 5;

export const DRIFT_NOTE =
	'Each bar is a commit of the branch against the anchor, oldest first, at most 30. A lower bar is slower. The interval holds for all rows together. Without a significant change in head: –. Allowed: drift-threshold.';

/** In HTML a picture replaces this text. */
export const HISTORY: Column<DriftRow> = {
	label: 'baselines',
	format: (row) => [{ code: drawHistory(levelsOf(row)) }],
	align: 'left',
};

export function buildDriftReport(rows: readonly Row[], audience: Audience): DriftReport {
	const rowsWithDrift = driftRows(rows);
	const [first] = rowsWithDrift;
	return {
		lines: rowsWithDrift.filter(isTold).map((row) => describeRowDrift(row, audience)),
		rows: rowsWithDrift,
		branch: first ? branchOf(first.drift) : '',
		columns: columnsFor(rowsWithDrift),
	};
}

/** Returns a row's history as log ratios; negative is worse. */
export function levelsOf({ row, drift }: DriftRow): readonly number[] {
	return drift.history.map((change) => signedLogOf(row.cell.metric, change));
}

function columnsFor(rows: readonly DriftRow[]): readonly Column<DriftRow>[] {
	const metric = column<DriftRow>('metric', ({ row }) => labelOf(row.cell.metric), 'left');
	const only = rows.every(({ row }) => row.cell.metric === 'throughput');
	return [
		{ ...CELL, format: ({ row }) => CELL.format(row) },
		...(only ? [] : [metric]),
		HISTORY,
		{ label: 'since', format: ({ drift }) => [{ code: plainText(drift.anchor, NAME_LIMIT) }], align: 'left' },
		column(
			'so far',
			({ drift }) => `${formatChange(drift.main.change)}${drift.verdict === 'unsettled' ? ' (not settled)' : ''}`,
		),
		column(INTERVAL_95, ({ drift }) => formatInterval(drift.main)),
		column('head', (row) => formatChange(shownAddition(row))),
		column('together', (row) => formatChange(shownAddition(row) === null ? null : row.drift.total)),
		column('allowed', formatDriftLimit),
	];
}

/** Returns the scale of a history in log ratios. It includes the anchor (0). */
export function historyScale(levels: readonly number[]): readonly [low: number, high: number] {
	const high = Math.max(0, ...levels);
	return [Math.min(0, high - LEAST_SPAN, ...levels), high];
}

/** Returns a history as block characters, oldest first; a higher block is better. */
export function drawHistory(levels: readonly number[]): string {
	const [low, high] = historyScale(levels);
	const top = BARS.length - 1;
	return levels.map((level) => BARS[Math.round(((level - low) / (high - low)) * top)] ?? BARS[0]).join('');
}

/** True if main is or seems below its anchor, or would be with head. */
function isTold(row: DriftRow): boolean {
	const { verdict, adds, main } = row.drift;
	if (adds === null || verdict === 'level') return false;
	return verdict !== 'unsettled' || isWorse(row, main.change);
}

/**
 * Returns `main is −3.1 % [−3.9 … −2.3] requests/s since v5.2.0; this pull request adds −1.2 %.`, or if unsettled,
 * `main was last measured at −12.0 % requests/s since v5.2.0; one baseline does not settle it.`
 */
function describeRowDrift(drifting: DriftRow, audience: Audience): Phrase {
	const { row, drift } = drifting;
	const { main, anchor } = drift;
	const branch = { text: branchOf(drift) };
	const since = { code: plainText(anchor, NAME_LIMIT) };
	if (drift.verdict === 'unsettled') {
		const measured = phrase`${{ strong: formatChange(main.change) }} ${labelOf(row.cell.metric)} since ${since}`;
		return phrase`${nameOf(row)}: ${branch} was last measured at ${measured}; one baseline does not settle it.`;
	}
	const stands = phrase`${{ strong: formatChange(main.change) }} ${formatInterval(main)} ${labelOf(row.cell.metric)}`;
	const head = describeHead(drifting, audience);
	const limit = drift.verdict === 'drifted' ? ` (drift: only ${formatDriftLimit(drifting)} is allowed)` : '';
	return phrase`${nameOf(row)}: ${branch} is ${stands} since ${since}${limit}${head}.${describeSum(drifting)}`;
}

function describeHead(drifting: DriftRow, audience: Audience): Phrase {
	const adds = shownAddition(drifting);
	if (adds === null) return phrase`; no significant change in ${headWord(audience)}`;
	const verb = isWorse(drifting, adds) ? 'adds' : 'gives back';
	return phrase`; ${headWord(audience)} ${verb} ${formatChange(adds)}`;
}

function describeSum(drifting: DriftRow): Phrase {
	const { verdict, policy, total } = drifting.drift;
	if (verdict !== 'adds') return [];
	const limit = formatDriftLimit(drifting);
	const enforced = policy === 'enforce' ? '' : ', but not enforced';
	return phrase` Together that is ${{ strong: formatChange(total) }}, and only ${limit} is allowed${enforced}.`;
}
