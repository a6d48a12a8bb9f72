import { lag1Correction } from '../stats/moments.ts';
import { benjaminiHochberg } from '../stats/multiple-testing.ts';
import type { Plan } from '../types/plan.ts';
import type { EndReason, Round } from '../types/round.ts';
import type { Warning } from '../types/units.ts';
import type { Decision } from '../types/verdict.ts';
import { gateOf } from './gate.ts';
import { machineWarnings } from './guard-warnings.ts';
import { SLOW } from './looks/machine-events.ts';
import { type RunSoFar, readRun } from './looks/run-so-far.ts';
import { ALPHA } from './looks/sequential.ts';
import { presentOneSided } from './present.ts';
import { decisionOf, lookAtRow, openRow, settleRow, testOf } from './row.ts';
import type { Row } from './row-state.ts';
import { warn } from './warnings.ts';

/**
 * Returns the decision about every row (cell × gated metric) after `rounds`; `ended` is null while measuring goes on. Replays
 * the run round by round, so a decision never depends on later rounds: what is final stays as it is when rounds are added, and
 * the same rounds always give the same decision, bit for bit. Source: docs/statistics.md.
 */
export function decide(plan: Plan, rounds: readonly Round[], ended: EndReason | null): Decision {
	const runAfter = readRun(plan, rounds);
	let rows = plan.cells.flatMap((cell) => plan.metrics.map((metric) => openRow(cell, metric)));
	for (let seen = 1; seen <= rounds.length; seen++) rows = judgeRows(rows, runAfter(seen, null));
	const run = runAfter(rounds.length, ended);
	if (ended) rows = judgeRows(rows, run);
	return summariseRows(rows, run, rounds);
}

/** Takes the looks that have come due, then rules on every row with all of them as they are now. */
function judgeRows(rows: readonly Row[], run: RunSoFar): Row[] {
	const looked = rows.map((row) => lookAtRow(row, run));
	const tests = looked.map(testOf);
	const drops = benjaminiHochberg(
		tests.map((test) => test.regressed),
		ALPHA,
	);
	const rises = benjaminiHochberg(
		tests.map((test) => test.improved),
		ALPHA,
	);
	return looked.map((row, position) => settleRow(row, run, { drop: drops.has(position), rise: rises.has(position) }));
}

function summariseRows(rows: readonly Row[], run: RunSoFar, rounds: readonly Round[]): Decision {
	const { oneSided, metrics } = run.plan;
	const decisions = [
		...rows.map((row) => decisionOf(row, run)),
		...oneSided.map((cell) => presentOneSided(cell, metrics[0] ?? 'throughput')),
	];
	const open = rows.filter((row) => !row.decision);
	const discardedRounds = rounds.flatMap(({ round }, position) => (run.discarded.has(position) ? round : []));
	return {
		rows: decisions,
		gate: gateOf(decisions),
		undecided: cellsOf(open.filter((row) => !row.confirm)),
		confirm: cellsOf(open.filter((row) => row.confirm)),
		discardedRounds,
		warnings: [
			...(discardedRounds.length > 0 ? [warn('machine-event', { rounds: discardedRounds, slow: SLOW })] : []),
			...correlationWarnings(run),
			...machineWarnings(rounds.flatMap((round) => round.cells)),
		],
	};
}

function cellsOf(rows: readonly Row[]): string[] {
	return [...new Set(rows.map((row) => row.cell.id))];
}

function correlationWarnings({ plan, lag1: lag1Of }: RunSoFar): readonly Warning[] {
	return plan.metrics.slice(0, 1).flatMap((metric) => {
		const lag1 = lag1Of(metric);
		const factor = lag1Correction(lag1);
		return lag1 !== null && factor > 1 ? [warn('correlated-rounds', { lag1, factor })] : [];
	});
}
