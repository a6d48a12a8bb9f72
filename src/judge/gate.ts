import { percent, signedPercent } from '../text/wording.ts';
import type { InconclusivePolicy } from '../types/config.ts';
import { EXIT } from '../types/errors.ts';
import { METRICS } from '../types/metric.ts';
import type { Estimate, Gate, Interval, RowDecision } from '../types/verdict.ts';

/** What the gate reads of a row. */
export interface GateRow extends Pick<RowDecision, 'cell' | 'metric' | 'judgedBy' | 'verdict'> {
	readonly estimate: (Pick<Estimate, 'change'> & { readonly interval: Pick<Interval, 'low' | 'high'> }) | null;
}

/** Rows named in one sentence before the rest becomes a number. */
const MOST_NAMED = 5;

/**
 * Returns the outcome over all rows with a sentence for each reason: `fail` when any row is regressed; `error` when no row has
 * numbers; `inconclusive` when any row is inconclusive or invalid; else `pass`. Rows of cells that exist on one side only never
 * decide anything.
 */
export function gateOf(rows: readonly GateRow[]): Gate {
	const compared = rows.filter((row) => row.verdict !== 'new' && row.verdict !== 'removed');
	const regressed = compared.filter((row) => row.verdict === 'regressed');
	if (regressed.length > 0) return { outcome: 'fail', reasons: regressed.map(describeRegression) };
	if (rows.length === 0) return { outcome: 'error', reasons: ['There was nothing to compare.'] };
	if (compared.length === 0) {
		return { outcome: 'pass', reasons: ['Every row exists on one side only, so there is nothing to compare.'] };
	}
	const doubts = describeDoubts(compared);
	if (!compared.some(hasNumbers))
		return { outcome: 'error', reasons: [`Nothing could be measured: ${nameAll(compared)}.`] };
	if (doubts.length > 0) return { outcome: 'inconclusive', reasons: doubts };
	return { outcome: 'pass', reasons: [describePass(compared)] };
}

/** Returns the exit code of a run: 0 passed, 1 failed, 3 nothing measured; an inconclusive gate as `policy` says. */
export function exitCode(gate: Gate, policy: InconclusivePolicy): number {
	switch (gate.outcome) {
		case 'pass':
			return EXIT.passed;
		case 'fail':
			return EXIT.gateFailed;
		case 'error':
			return EXIT.nothingMeasured;
		case 'inconclusive':
			return policy === 'fail' ? EXIT.gateFailed : EXIT.passed;
	}
}

function hasNumbers(row: GateRow): boolean {
	return row.verdict !== 'invalid' && row.estimate !== null;
}

function describeRegression(row: GateRow): string {
	const { estimate } = row;
	if (!estimate) return `${nameOf(row)} regressed.`;
	const by = row.judgedBy === row.metric ? '' : ` by ${METRICS[row.judgedBy].label}`;
	return `${nameOf(row)} regressed${by}: ${signedPercent(estimate.change)} (${describeInterval(estimate.interval)}).`;
}

function describeDoubts(rows: readonly GateRow[]): string[] {
	const doubts: string[] = [];
	const invalid = rows.filter((row) => row.verdict === 'invalid');
	const inconclusive = rows.filter((row) => row.verdict === 'inconclusive');
	if (invalid.length > 0) doubts.push(`Could not be measured: ${nameAll(invalid)}.`);
	if (inconclusive.length > 0) doubts.push(`Could not be decided: ${nameAll(inconclusive)}.`);
	return doubts;
}

function describePass(rows: readonly GateRow[]): string {
	const improved = rows.filter((row) => row.verdict === 'improved');
	const better = improved.length === 0 ? '' : ` Improved: ${nameAll(improved)}.`;
	const which = rows.length === 1 ? nameOf(rows[0] as GateRow) : `any of ${rows.length} rows`;
	return `No drop of the threshold or more in ${which}.${better}`;
}

function describeInterval({ low, high }: Pick<Interval, 'low' | 'high'>): string {
	const ends = [low === null ? '−∞' : percent(low), high === null ? '∞' : percent(high)];
	return `interval ${ends[0]} to ${ends[1]}`;
}

function nameAll(rows: readonly GateRow[]): string {
	const names = rows.slice(0, MOST_NAMED).map(nameOf).join(', ');
	return rows.length > MOST_NAMED ? `${names} and ${rows.length - MOST_NAMED} more` : names;
}

function nameOf(row: GateRow): string {
	return `${row.cell} ${METRICS[row.metric].label}`;
}
