import { NAME_LIMIT, plainText } from '../text/escape.ts';
import { formatPercent, formatSignedPercent } from '../text/numbers.ts';
import type { InconclusivePolicy } from '../types/config.ts';
import { EXIT } from '../types/errors.ts';
import { METRICS, placeOfRow } from '../types/metric.ts';
import type { Gate, Interval, RedKind } from '../types/verdict.ts';
import { blameOf, type GateRow, isSkipped, needsRebase, redKindOf } from './gate-row.ts';

export type { GateRow } from './gate-row.ts';
export { redRows } from './gate-row.ts';

const MOST_NAMED = 5;
const QUOTE_LIMIT = 300;

/** How a row counts. `broken`: not by head alone; `unknown`: by an unknown side; `apart`: no effect. */
type Part = 'red' | 'broken' | 'unknown' | 'undecided' | 'pass' | 'apart';

/**
 * Returns the outcome over all rows, with reasons. `error`: no row has numbers. Else `fail`: a row regressed, head
 * broke it, removed it or answers it differently, or it adds to enforced drift. Else `inconclusive`: a row is
 * undecided, was lost with its shard, or is broken for another reason. Else `pass`. All cases: docs/report.md, "Whose
 * fault it is".
 */
export function gateOf(rows: readonly GateRow[]): Gate {
	const parts = Map.groupBy(rows, partOf);
	const of = (part: Part) => parts.get(part) ?? [];
	const red = of('red');
	const reasons = [...red.map(describeRed), ...describeDoubts(rows)];
	if (rows.length === 0) return { outcome: 'error', reasons: ['There was nothing to compare.'] };
	if (!rows.some(hasNumbers)) {
		const blameless = of('broken').length + of('apart').length === rows.length;
		return { outcome: 'error', reasons: [describeNothing(rows), ...reasons], ...(blameless && { neutral: 'always' }) };
	}
	if (red.length > 0) return { outcome: 'fail', reasons: red.map(describeRed) };
	const doubts = of('undecided').length + of('unknown').length;
	if (of('broken').length > 0 || of('unknown').length > 0) {
		return { outcome: 'inconclusive', reasons, neutral: doubts > 0 ? 'at-best' : 'always' };
	}
	if (doubts > 0) return { outcome: 'inconclusive', reasons };
	return { outcome: 'pass', reasons: [describePass(of('pass')), ...reasons] };
}

/** Returns the exit code. If inconclusive, `policy` decides, but the code is 0 if the gate is always neutral. */
export function exitCode(gate: Gate, policy: InconclusivePolicy): number {
	switch (gate.outcome) {
		case 'pass':
			return EXIT.passed;
		case 'fail':
			return EXIT.gateFailed;
		case 'error':
			return EXIT.nothingMeasured;
		case 'inconclusive':
			return policy === 'fail' && gate.neutral !== 'always' ? EXIT.gateFailed : EXIT.passed;
	}
}

function partOf(row: GateRow): Part {
	if (redKindOf(row) !== null) return 'red';
	if (row.verdict === 'new' || isSkipped(row.verdict) || needsRebase(row)) return 'apart';
	if (row.verdict === 'inconclusive') return isLost(row) ? 'unknown' : 'undecided';
	if (row.verdict !== 'invalid') return 'pass';
	return blameOf(row) === 'unknown' ? 'unknown' : 'broken';
}

/** A row lost with its shard is not just undecided, because ending a machine would then hide chosen rows. */
function isLost({ warnings }: GateRow): boolean {
	return warnings.some(({ code }) => code === 'shard-missing');
}

function hasNumbers(row: GateRow): boolean {
	return row.verdict !== 'invalid' && row.estimate !== null;
}

const RED_WORDS: Readonly<Record<Exclude<RedKind, 'regressed' | 'adds-to-drift'>, (name: string) => string>> = {
	broken: (name) => `Head broke ${name}`,
	removed: (name) => `${name} of base is gone in head`,
	'answer-changed': (name) => `Head answers ${name} differently from base`,
};

function describeRed(row: GateRow): string {
	const { estimate } = row;
	const kind = redKindOf(row) ?? 'regressed';
	if (kind === 'adds-to-drift') return describeDrift(row);
	if (kind !== 'regressed') return quoteFault(RED_WORDS[kind](nameOf(row)), row);
	if (!estimate) return `${nameOf(row)} regressed.`;
	const by = row.judgedBy === row.metric ? '' : ` by ${METRICS[row.judgedBy].label}`;
	return `${nameOf(row)} regressed${by}: ${formatSignedPercent(estimate.change)} (${describeInterval(estimate.interval)}).`;
}

function describeDrift(row: GateRow): string {
	const { anchor = '', total = null, threshold = 0 } = row.drift ?? {};
	const where =
		total === null
			? ''
			: `: with it the branch is at ${formatSignedPercent(total)} since ${plainText(anchor, NAME_LIMIT)}`;
	return `${nameOf(row)} adds to the drift of the main branch${where}; only ${formatSignedPercent(-threshold)} is allowed.`;
}

function describeDoubts(rows: readonly GateRow[]): string[] {
	const list = (words: string, some: readonly GateRow[]) => (some.length > 0 ? [`${words}: ${nameAll(some)}.`] : []);
	const byBlame = Map.groupBy(rows, (row) => (needsRebase(row) ? 'rebase' : blameOf(row)));
	return [
		...(byBlame.get('base') ?? []).map((row) => quoteFault(`Base is broken in ${nameOf(row)}, head is fine`, row)),
		...(byBlame.get('both') ?? []).map((row) => quoteFault(`Base and head are both broken in ${nameOf(row)}`, row)),
		...list('Could not be measured', byBlame.get('unknown') ?? []),
		...list(
			'Could not be decided',
			rows.filter(({ verdict }) => verdict === 'inconclusive'),
		),
		...list('Newer than base, so head must be rebased on the base branch to measure', byBlame.get('rebase') ?? []),
	];
}

function describeNothing(rows: readonly GateRow[]): string {
	if (rows.every(({ verdict }) => verdict === 'new' || verdict === 'removed')) {
		return 'Every row exists on one side only, so nothing was measured.';
	}
	const expectedRows = rows.filter(({ verdict }) => verdict !== 'new' && !isSkipped(verdict));
	if (expectedRows.length === 0) return 'All rows that both sides have run the same code, so nothing was measured.';
	return `Nothing could be measured: ${nameAll(expectedRows)}.`;
}

function describePass(rows: readonly GateRow[]): string {
	const improved = rows.filter((row) => row.verdict === 'improved');
	const better = improved.length === 0 ? '' : ` Improved: ${nameAll(improved)}.`;
	const none = rows.length === 1 ? `${nameOf(rows[0] as GateRow)} did not get` : `None of ${rows.length} rows got`;
	return `${none} worse by its threshold or more.${better}`;
}

function quoteFault(sentence: string, { warnings }: GateRow): string {
	const quote = plainText(warnings[0]?.message ?? '', QUOTE_LIMIT);
	if (quote === '') return `${sentence}.`;
	return `${sentence}: ${quote}${/[.!?…]$/.test(quote) ? '' : '.'}`;
}

function describeInterval({ low, high }: Pick<Interval, 'low' | 'high'>): string {
	const ends = [low === null ? '−∞' : formatPercent(low, 1), high === null ? '∞' : formatPercent(high, 1)];
	return `interval ${ends[0]} to ${ends[1]}`;
}

function nameAll(rows: readonly GateRow[]): string {
	const names = rows.slice(0, MOST_NAMED).map(nameOf).join(', ');
	return rows.length > MOST_NAMED ? `${names} and ${rows.length - MOST_NAMED} more` : names;
}

function nameOf(row: GateRow): string {
	return `${placeOfRow(row.cell, row.metric)} ${METRICS[row.metric].label}`;
}
