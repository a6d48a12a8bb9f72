import { lag1Correction } from '../stats/moments.ts';
import { benjaminiHochberg } from '../stats/multiple-testing.ts';
import { isCounted } from '../types/metric.ts';
import { countRows, type Plan } from '../types/plan.ts';
import type { EndReason, Round } from '../types/round.ts';
import type { Warning } from '../types/units.ts';
import type { Decision } from '../types/verdict.ts';
import { gateOf } from './gate.ts';
import { machineWarnings } from './guard-warnings.ts';
import { type RunSoFar, readRun, SLOW } from './looks/run-so-far.ts';
import { ALPHA } from './looks/sequential.ts';
import { metricsAt, withMargins } from './plan-rows.ts';
import { presentMissing, presentOneSided } from './present.ts';
import { decisionOf, lookAtRow, openRow, settleAgain, settleRow, testOf } from './row.ts';
import type { Row } from './row-state.ts';
import type { Significance } from './rule.ts';
import { warn } from './warnings.ts';

export interface Part {
	/** The plan with the cells of this part only, and with the size of the whole family. */
	readonly plan: Plan;
	readonly rounds: readonly Round[];
	/** Null while measuring. */
	readonly ended: EndReason | null;
	readonly shard?: number;
	readonly lane?: number;
}

interface Replayed {
	readonly part: Part;
	readonly run: RunSoFar;
	readonly rows: readonly Row[];
}

/**
 * Returns the decision about every row (cell × gated metric) after `rounds`; `ended` is null while measuring. It
 * replays the run round by round, so decisions never depend on later rounds and are reproducible bit for bit.
 * `whole`: the matrix of which `plan` is a shard or lane. Source: docs/statistics.md.
 */
export function decide(
	plan: Plan,
	rounds: readonly Round[],
	ended: EndReason | null,
	whole: Pick<Plan, 'cells' | 'metrics'> = plan,
): Decision {
	const missing = (cell: string) => {
		throw new RangeError(`the run has no cell ${cell}`);
	};
	return decideParts(plan, [{ plan, rounds, ended }], missing, whole);
}

/**
 * Returns the decision about every row of `whole`, measured by several machines or lanes. Each part is replayed as it
 * ran; then all rows are settled as one family, which only adds verdicts. A cell in no part is inconclusive, by
 * `whyMissing`. Source: docs/statistics.md, "Shards".
 */
export function decideParts(
	whole: Plan,
	parts: readonly Part[],
	whyMissing: (cell: string) => Warning,
	matrix: Pick<Plan, 'cells' | 'metrics'> = whole,
): Decision {
	const replayed = settleTogether(
		parts.map((part) => replayPart(part, matrix)),
		familyOf(whole),
	);
	const replayedRows = new Map(
		replayed.flatMap(({ rows, run }) => rows.map((row) => [keyOf(row), { row, run }] as const)),
	);
	const rows = whole.cells.flatMap((cell) =>
		metricsAt(cell, matrix).map((metric) => {
			const replayedRow = replayedRows.get(keyOf({ cell, metric }));
			return replayedRow
				? decisionOf(replayedRow.row, replayedRow.run)
				: presentMissing(withMargins(cell, metric, whole), metric, whyMissing(cell.id));
		}),
	);
	const oneSided = whole.oneSided.map((cell) =>
		presentOneSided(cell, (cell.metrics ?? whole.metrics)[0] ?? 'throughput'),
	);
	const decisions = [...rows, ...oneSided];
	const open = replayed.flatMap((part) => part.rows.filter((row) => !row.decision));
	return {
		rows: decisions,
		gate: gateOf(decisions),
		undecided: cellsOf(open.filter((row) => !row.confirm && !isCounted(row.metric))),
		confirm: cellsOf(open.filter((row) => row.confirm)),
		discardedRounds: replayed.flatMap(discardedOf),
		warnings: replayed.flatMap((part) => warningsOf(part, replayed.length > 1)),
	};
}

function replayPart(part: Part, matrix: Pick<Plan, 'cells' | 'metrics'>): Replayed {
	const { plan, rounds, ended } = part;
	const runAfter = readRun(plan, rounds);
	let rows: readonly Row[] = plan.cells.flatMap((cell) =>
		metricsAt(cell, matrix).map((metric) => openRow(withMargins(cell, metric, plan), metric)),
	);
	for (let seen = 1; seen <= rounds.length; seen++) rows = judgeRows(rows, runAfter(seen, null));
	const run = runAfter(rounds.length, ended);
	return { part, run, rows: ended ? judgeRows(rows, run) : rows };
}

function judgeRows(rows: readonly Row[], run: RunSoFar): Row[] {
	const looked = rows.map((row) => lookAtRow(row, run));
	const significance = significanceOf(looked, familyOf(run.plan));
	return looked.map((row, position) => settleRow(row, run, significance(position)));
}

function settleTogether(parts: readonly Replayed[], family: number): readonly Replayed[] {
	const together = significanceOf(
		parts.flatMap(({ rows }) => rows),
		family,
	);
	let before = 0;
	return parts.map((part) => {
		const alone = significanceOf(part.rows, family);
		const offset = before;
		before += part.rows.length;
		const rows = part.rows.map((row, position) => {
			const [partSignificance, all] = [alone(position), together(offset + position)];
			return partSignificance.drop === all.drop && partSignificance.rise === all.rise
				? row
				: settleAgain(row, part.run, all);
		});
		return { ...part, rows };
	});
}

function significanceOf(rows: readonly Row[], family: number): (position: number) => Significance {
	const tests = rows.map(testOf);
	const among = (pValues: readonly number[]) => benjaminiHochberg(pValues, ALPHA, family);
	const drops = among(tests.map((test) => test.regressed));
	const rises = among(tests.map((test) => test.improved));
	return (position) => ({ drop: drops.has(position), rise: rises.has(position) });
}

function familyOf({ family, cells, metrics }: Plan): number {
	return family ?? countRows({ cells, metrics });
}

function keyOf({ cell, metric }: Pick<Row, 'cell' | 'metric'>): string {
	return `${cell.id} ${metric}`;
}

function cellsOf(rows: readonly Row[]): string[] {
	return [...new Set(rows.map((row) => row.cell.id))];
}

function discardedOf({ part, run }: Replayed): number[] {
	return part.rounds.flatMap(({ round }, position) => (run.discarded.has(position) ? round : []));
}

function warningsOf(replayed: Replayed, named: boolean): readonly Warning[] {
	const { part, run } = replayed;
	const discarded = discardedOf(replayed);
	const warnings = [
		...(discarded.length > 0 ? [warn('machine-event', { rounds: discarded, slow: SLOW })] : []),
		...correlationWarnings(run),
		...machineWarnings(
			part.rounds.flatMap((round) => round.cells),
			run.plan.cells.some(({ sharesWork }) => sharesWork),
		),
	];
	if (!named) return warnings;
	return warnings.map((warning) => ({ ...warning, message: `${nameOf(part)}: ${warning.message}` }));
}

function nameOf({ shard, lane }: Part): string {
	if (lane === undefined) return `Shard ${shard}`;
	return shard === undefined ? `Lane ${lane}` : `Shard ${shard}, lane ${lane}`;
}

function correlationWarnings({ plan, lag1: lag1Of }: RunSoFar): readonly Warning[] {
	return plan.metrics.slice(0, 1).flatMap((metric) => {
		const lag1 = lag1Of(metric);
		const factor = lag1Correction(lag1);
		return lag1 !== null && factor > 1 ? [warn('correlated-rounds', { lag1, factor })] : [];
	});
}
