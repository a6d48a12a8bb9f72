import { summariseGuards } from '../stats/guards.ts';
import type { MetricName } from '../types/metric.ts';
import type { Cell, Plan } from '../types/plan.ts';
import type { EndReason } from '../types/round.ts';
import type { RowDecision } from '../types/verdict.ts';
import { chooseJudge, type Judging } from './judging-metric.ts';
import { presentInvalid, presentOpen } from './present.ts';
import { type Limits, limitsOf, type SequentialP, UNTESTED } from './sequential.ts';
import { type Course, type Snapshot, START, type Track, takeLastLook, takeLooks } from './track.ts';
import { invalidityOf } from './validity.ts';
import type { View } from './view.ts';

/** One row on its way to a verdict. */
export interface Row {
	readonly cell: Cell;
	readonly metric: MetricName;
	readonly limits: Limits;
	readonly main: Track;
	/** Which metric judges, chosen at the latest look; null before the first. */
	readonly judging: Judging | null;
	/** Whether the row goes on because head may wait. */
	readonly waits: boolean;
	/** The looks at alternating windows once the row waits for them; a row never leaves that state but by a verdict. */
	readonly confirm: Track | null;
	/** Set once and for all when the row is final. */
	readonly decision: RowDecision | null;
}

/** What was known at one moment of the run. */
export interface Moment {
	readonly plan: Plan;
	readonly view: View;
	readonly ended: EndReason | null;
}

/** Returns a row nothing is known about. */
export function openRow(cell: Cell, metric: MetricName): Row {
	return {
		cell,
		metric,
		limits: limitsOf(cell),
		main: START,
		judging: null,
		waits: false,
		confirm: null,
		decision: null,
	};
}

/** Returns `row` with validity checked and every look taken that has come due; no verdict yet, which needs the family. */
export function advance(row: Row, moment: Moment): Row {
	if (row.decision) return row;
	const samples = moment.view.all(row.cell.id);
	const invalid = invalidityOf(samples);
	if (invalid) return { ...row, decision: presentInvalid(row, samples, invalid) };
	if (row.confirm) return row;
	const isMeasured = moment.view.measured(row.cell.id) >= (moment.plan.looks.at(-1)?.rounds ?? 0);
	// Rounds that were thrown away are not measured again: without them the last look would never come due.
	const main = takeDue(row.main, mainCourse(row, moment), moment.ended ?? (isMeasured ? 'rounds' : null));
	if (main === row.main || !main.snapshot) return row;
	return { ...row, main, judging: judgingOf(row, main.snapshot, moment.plan) };
}

/** Returns the row's sequential p-values in the metric that judges it, as they enter the family. */
export function familyTest(row: Row): SequentialP {
	return (row.judging && row.main.tests[row.judging.by]) ?? UNTESTED;
}

/** Returns the decision about `row`: the final one, or a preview of where it stands. */
export function decisionOf(row: Row, moment: Moment): RowDecision {
	if (row.decision) return row.decision;
	const course = mainCourse(row, moment);
	return presentOpen(row, course, (snapshot) => judgingOf(row, snapshot, moment.plan));
}

/** Returns the looks a row takes at its cell's main rounds. */
export function mainCourse(row: Row, { plan, view }: Moment): Course {
	return {
		looks: plan.looks,
		samples: view.main(row.cell.id).filter((sample) => sample.d[row.metric] !== null),
		tested: row.metric === 'throughput' ? ['throughput', 'cpu-per-request'] : [row.metric],
		limits: row.limits,
		lag1: view.lag1,
	};
}

/** Returns `track` with every look taken that has come due; at the end of the run with a last one too. */
export function takeDue(track: Track, course: Course, ended: EndReason | null): Track {
	const taken = takeLooks(track, course);
	return ended ? takeLastLook(taken, course) : taken;
}

/** Returns which metric judges `row` on the samples of a snapshot. */
export function judgingOf(row: Row, snapshot: Snapshot, plan: Plan): Judging {
	const cellRounds = snapshot.samples.map((sample) => sample.cellRound);
	const guards = summariseGuards(cellRounds, []);
	return chooseJudge(row.metric, guards, plan.design, isComplete(snapshot, 'cpu-per-request'));
}

/** Returns whether every sample of a snapshot has `metric`. */
export function isComplete({ samples, locations }: Snapshot, metric: MetricName): boolean {
	return samples.length > 0 && locations[metric]?.rounds === samples.length;
}
