import { plainText } from '../text/escape.ts';
import { countOf } from '../text/numbers.ts';
import { capitalised, plainPhrase } from '../text/phrase.ts';
import type { InconclusivePolicy } from '../types/config.ts';
import { EXIT } from '../types/errors.ts';
import { METRICS, placeOfRow } from '../types/metric.ts';
import type { Gate, GateCause } from '../types/verdict.ts';
import { blameOf, type GateRow, isSkipped, needsRebase, redKindOf } from './gate-row.ts';
import { explainRow } from './row-words.ts';

export type { GateRow } from './gate-row.ts';
export { redRows } from './gate-row.ts';

const MOST_NAMED = 5;
const QUOTE_LIMIT = 300;

/** How a row counts. `broken`: not by head alone; `unknown`: by an unknown side; `apart`: no effect. */
type Part = 'red' | 'broken' | 'unknown' | 'undecided' | 'pass' | 'apart';

/**
 * Returns the outcome over all rows, with its causes: the first of `error` (no row has numbers), `fail`,
 * `inconclusive` and `pass` that applies. All cases: docs/report.md, "Whose fault it is".
 */
export function gateOf(rows: readonly GateRow[]): Gate {
	const parts = Map.groupBy(rows, partOf);
	const of = (part: Part) => parts.get(part) ?? [];
	const red = redCauses(of('red'));
	const causes = [...red, ...doubtCauses(rows)];
	if (rows.length === 0) return gateFor('error', [causeOf('nothing-measured', [], 'There was nothing to compare.')]);
	const unaffected = rows.filter(({ verdict }) => verdict === 'unaffected');
	if (unaffected.length === 0 && !rows.some(hasNumbers)) {
		const blameless = of('broken').length + of('apart').length === rows.length;
		const nothing = causeOf('nothing-measured', [], describeNothing(rows));
		return gateFor('error', [nothing, ...causes], blameless ? 'always' : undefined);
	}
	if (red.length > 0) return gateFor('fail', red);
	const doubts = of('undecided').length + of('unknown').length;
	if (of('broken').length > 0 || of('unknown').length > 0) {
		return gateFor('inconclusive', causes, doubts > 0 ? 'at-best' : 'always');
	}
	if (doubts > 0) return gateFor('inconclusive', causes);
	return gateFor('pass', [causeOf('passed', [], describePass(of('pass'), unaffected)), ...causes]);
}

function gateFor(outcome: Gate['outcome'], causes: readonly GateCause[], neutral?: Gate['neutral']): Gate {
	return { outcome, reasons: causes.map(({ sentence }) => sentence), causes, ...(neutral && { neutral }) };
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

/** A row lost with its shard is not just undecided: ending a machine would hide chosen rows. */
function isLost({ warnings }: GateRow): boolean {
	return warnings.some(({ code }) => code === 'shard-missing');
}

function hasNumbers(row: GateRow): boolean {
	return row.verdict !== 'invalid' && row.estimate !== null;
}

function redCauses(rows: readonly GateRow[]): readonly GateCause[] {
	const causes = rows.map((row) => causeOf(redKindOf(row) ?? 'regressed', [row], explain(row)));
	return [...Map.groupBy(causes, ({ kind, sentence }) => `${kind} ${sentence}`).values()].map((alike) => ({
		...(alike[0] as GateCause),
		rows: alike.flatMap(({ rows: causeRows }) => causeRows),
	}));
}

function causeOf(kind: GateCause['kind'], rows: readonly GateRow[], sentence: string): GateCause {
	return { kind, rows: rows.map(({ cell, metric }) => ({ cell, metric })), sentence };
}

function explain(row: GateRow): string {
	const clause = plainPhrase(capitalised(explainRow(row)));
	return redKindOf(row) === 'regressed' || redKindOf(row) === 'adds-to-drift' ? `${clause}.` : quoteFault(clause, row);
}

function doubtCauses(rows: readonly GateRow[]): readonly GateCause[] {
	const byBlame = Map.groupBy(rows, (row) => (needsRebase(row) ? 'rebase' : blameOf(row)));
	const each = (kind: GateCause['kind'], some: readonly GateRow[] = []) =>
		some.map((row) => causeOf(kind, [row], explain(row)));
	const together = (kind: GateCause['kind'], words: string, some: readonly GateRow[] = []) =>
		some.length > 0 ? [causeOf(kind, some, `${words}: ${nameAll(some)}.`)] : [];
	const undecided = rows.filter(({ verdict }) => verdict === 'inconclusive');
	return [
		...each('base-broken', byBlame.get('base')),
		...each('both-broken', byBlame.get('both')),
		...together('unmeasured', 'Could not be measured', byBlame.get('unknown')),
		...together('undecided', 'Could not be decided', undecided),
		...together('newer-than-base', 'Newer than base, so head needs a rebase', byBlame.get('rebase')),
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

function describePass(rows: readonly GateRow[], unaffected: readonly GateRow[]): string {
	if (rows.length === 0)
		return `No changed code runs in ${countOf(unaffected.length, 'row')}, so nothing was measured.`;
	const improved = rows.filter((row) => row.verdict === 'improved');
	const better = improved.length === 0 ? '' : ` Improved: ${nameAll(improved)}.`;
	const where = rows.length === 1 ? nameOf(rows[0] as GateRow) : countOf(rows.length, 'row');
	return `No regression beyond the limit in ${where}.${better}`;
}

function quoteFault(sentence: string, { warnings }: GateRow): string {
	const quote = plainText(warnings[0]?.message ?? '', QUOTE_LIMIT);
	if (quote === '') return `${sentence}.`;
	return `${sentence}: ${quote}${/[.!?…]$/.test(quote) ? '' : '.'}`;
}

function nameAll(rows: readonly GateRow[]): string {
	const names = rows.slice(0, MOST_NAMED).map(nameOf).join(', ');
	return rows.length > MOST_NAMED ? `${names} and ${rows.length - MOST_NAMED} more` : names;
}

function nameOf(row: GateRow): string {
	return `${placeOfRow(row.cell, row.metric)} ${METRICS[row.metric].label}`;
}
