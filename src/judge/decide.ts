import { machineWarnings } from '../stats/guards.ts';
import { lag1Correction } from '../stats/moments.ts';
import { benjaminiHochberg } from '../stats/multiple-testing.ts';
import type { Plan } from '../types/plan.ts';
import type { EndReason, Round } from '../types/round.ts';
import type { Warning } from '../types/units.ts';
import type { Decision, RowDecision } from '../types/verdict.ts';
import { collectEvidence } from './evidence.ts';
import { gateOf } from './gate.ts';
import { presentOneSided } from './present.ts';
import { advance, decisionOf, familyTest, type Moment, openRow, type Row } from './row.ts';
import { ALPHA } from './sequential.ts';
import { settle } from './settle.ts';
import { type View, viewAt } from './view.ts';
import { correlatedRounds, machineEvent } from './warnings.ts';

/**
 * Returns the decision about every row (cell × gated metric) after `rounds`; `ended` is null while measuring goes on. Replays
 * the run round by round, so a decision never depends on later rounds: what is final stays as it is when rounds are added, and
 * the same rounds always give the same decision, bit for bit. Source: statistics.md 5.4 to 5.8, docs/statistics.md.
 */
export function decide(plan: Plan, rounds: readonly Round[], ended: EndReason | null): Decision {
	const evidence = collectEvidence(rounds);
	let rows = plan.cells.flatMap((cell) => plan.metrics.map((metric) => openRow(cell, metric)));
	for (let seen = 1; seen <= rounds.length; seen++) {
		rows = step(rows, { plan, view: viewAt(evidence, seen), ended: null });
	}
	const moment = { plan, view: viewAt(evidence, rounds.length), ended };
	if (ended) rows = step(rows, moment);
	return summariseRows(rows, moment, rounds);
}

/** Takes the looks that have come due, then rules on every row with the family as it is now. */
function step(rows: readonly Row[], moment: Moment): Row[] {
	const advanced = rows.map((row) => advance(row, moment));
	const tests = advanced.map(familyTest);
	const drops = benjaminiHochberg(
		tests.map((test) => test.regressed),
		ALPHA,
	);
	const rises = benjaminiHochberg(
		tests.map((test) => test.improved),
		ALPHA,
	);
	return advanced.map((row, position) => settle(row, moment, { drop: drops.has(position), rise: rises.has(position) }));
}

function summariseRows(rows: readonly Row[], moment: Moment, rounds: readonly Round[]): Decision {
	const { plan, view } = moment;
	const open = rows.filter((row) => !row.decision);
	const metric = plan.metrics[0] ?? 'throughput';
	const decisions: RowDecision[] = [
		...rows.map((row) => decisionOf(row, moment)),
		...plan.oneSided.map((cell) => presentOneSided(cell, metric)),
	];
	const discardedRounds = rounds.flatMap(({ round }, position) => (view.discarded.has(position) ? round : []));
	return {
		rows: decisions,
		gate: gateOf(decisions),
		undecided: cellsOf(open.filter((row) => !row.confirm)),
		confirm: cellsOf(open.filter((row) => row.confirm)),
		discardedRounds,
		warnings: runWarnings(plan, view, rounds, discardedRounds),
	};
}

function cellsOf(rows: readonly Row[]): string[] {
	return [...new Set(rows.map((row) => row.cell.id))];
}

function runWarnings(
	plan: Plan,
	view: View,
	rounds: readonly Round[],
	discardedRounds: readonly number[],
): readonly Warning[] {
	const event = discardedRounds.length === 0 ? [] : [machineEvent(discardedRounds)];
	const correlated = plan.metrics.slice(0, 1).flatMap((metric) => {
		const lag1 = view.lag1(metric);
		const factor = lag1Correction(lag1);
		return lag1 !== null && factor > 1 ? [correlatedRounds(lag1, factor)] : [];
	});
	return [...event, ...correlated, ...machineWarnings(rounds.flatMap((round) => round.cells))];
}
