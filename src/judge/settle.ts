import { locationOf, probabilityAbove, probabilityBelow } from '../stats/location.ts';
import { METRICS, type MetricName } from '../types/metric.ts';
import type { EndReason } from '../types/round.ts';
import { presentConfirmed, presentRuled, presentUnmeasured } from './present.ts';
import { isComplete, judgingOf, type Moment, mainCourse, type Row, takeDue } from './row.ts';
import { type Reading, ruleOn, ruleOnConfirmation, type Situation, type Waiting } from './rule.ts';
import { ALPHA } from './sequential.ts';
import { type Course, fewestRounds, isSpent, type Snapshot, START, type Track } from './track.ts';

/** Returns `row` with its verdict, if its looks and the family give one now. */
export function settle(row: Row, moment: Moment, family: { readonly drop: boolean; readonly rise: boolean }): Row {
	if (row.decision) return row;
	if (row.confirm) return settleConfirmation(row, row.confirm, moment);
	const situation = situationOf(row, moment, family);
	if (!situation) return settleUnmeasured(row, moment);
	const ruling = ruleOn(situation);
	if (ruling.kind === 'open') return ruling.waits ? { ...row, waits: true } : row;
	if (ruling.kind === 'confirm') return settleConfirmation(row, START, moment);
	return { ...row, decision: presentRuled(row, situation.judging, ruling.verdict, ruling.remarks) };
}

function situationOf(row: Row, moment: Moment, family: { drop: boolean; rise: boolean }): Situation | null {
	const { judging, main, limits, metric } = row;
	const { snapshot } = main;
	const judge = judging && readingOf(main, judging.by);
	if (!snapshot || !judging || !judge) return null;
	const cpuKnown = isComplete(snapshot, 'cpu-per-request');
	return {
		metric,
		judging,
		judge,
		throughput: readingOf(main, 'throughput'),
		cpu: cpuKnown ? readingOf(main, 'cpu-per-request') : null,
		waiting: cpuKnown ? waitingOf(snapshot, row) : null,
		limits,
		significantDrop: family.drop,
		significantRise: family.rise,
		canConfirm: moment.plan.design === 'duet',
		last: moment.ended !== null || isSpent(main, moment.plan.looks),
	};
}

function waitingOf({ samples, weights, correction }: Snapshot, { limits, waits }: Row): Waiting | null {
	const known = samples.flatMap(({ d }) => {
		const [throughput, cpu] = [d.throughput, d['cpu-per-request']];
		// Throughput is CPU time over CPU time per request, so what is left is the ratio of CPU times.
		return throughput === null || cpu === null ? [] : [{ throughput, gap: throughput - cpu }];
	});
	// Without a correction for correlated rounds a wait is suspected rather sooner.
	const gap = locationOf(known.map((one) => one.gap));
	const widened = Math.max(correction('throughput'), correction('cpu-per-request'));
	const counted = locationOf(
		known.map((one) => one.throughput + one.gap),
		widened,
	);
	if (!gap || !counted) return null;
	return {
		clear: waits || probabilityBelow(gap, 0) <= ALPHA,
		centre: counted.centre,
		unchanged: probabilityAbove(counted, limits.threshold) / weights.weightUnchanged,
	};
}

function readingOf(track: Track, metric: MetricName): Reading | null {
	const location = track.snapshot?.locations[metric];
	const test = track.tests[metric];
	return location && test ? { location, test } : null;
}

function settleConfirmation(row: Row, before: Track, moment: Moment): Row {
	const confirm = takeDue(before, confirmCourse(row, moment), moment.ended);
	const last = moment.ended !== null || isSpent(confirm, moment.plan.looks);
	const verdict = ruleOnConfirmation(readingOf(confirm, 'throughput'), row.limits, last);
	const waiting = { ...row, confirm };
	if (!verdict || !row.judging) return waiting;
	return { ...waiting, decision: presentConfirmed(waiting, row.judging, confirm, verdict) };
}

function confirmCourse(row: Row, { plan, view }: Moment): Course {
	return {
		looks: plan.looks,
		samples: view.confirm(row.cell.id).filter((sample) => sample.d.throughput !== null),
		tested: ['throughput'],
		limits: row.limits,
		lag1: () => null,
	};
}

/** A row without a look is final when the run is over, or when its metric evidently cannot be had here. */
function settleUnmeasured(row: Row, moment: Moment): Row {
	const { plan, view, ended } = moment;
	const needed = fewestRounds(plan.looks);
	const course = mainCourse(row, moment);
	const measured = view.main(row.cell.id).length;
	const unavailable = course.samples.length === 0 && measured >= needed;
	if (!ended && !unavailable) return row;
	const judge = (snapshot: Snapshot) => judgingOf(row, snapshot, plan);
	if (unavailable) {
		return { ...row, decision: presentUnmeasured(row, course, judge, { unavailable: METRICS[row.metric].label }) };
	}
	const tooFew = { needed, ended: ended as EndReason, secondsPerRound: view.secondsPerRound };
	return { ...row, decision: presentUnmeasured(row, course, judge, { tooFew }) };
}
