import { cellWarnings, summariseGuards } from '../stats/guards.ts';
import type { MetricName } from '../types/metric.ts';
import type { OneSidedCell } from '../types/plan.ts';
import type { EndReason, Fault } from '../types/round.ts';
import type { Seconds, Warning } from '../types/units.ts';
import type { Estimate, Guards, RowDecision, Verdict } from '../types/verdict.ts';
import type { Sample } from './evidence.ts';
import type { Judging } from './judging-metric.ts';
import type { Row } from './row.ts';
import type { Remark } from './rule.ts';
import type { SequentialP } from './sequential.ts';
import { smallestDecidable, spreadWarnings } from './spread.ts';
import { type Course, type Estimates, estimatesOf, previewOf, type Snapshot, type Track, valuesOf } from './track.ts';
import * as warnings from './warnings.ts';

const NOTHING: Omit<RowDecision, 'cell' | 'metric' | 'judgedBy' | 'verdict' | 'final'> = {
	needsConfirmation: false,
	estimate: null,
	estimates: {},
	pRegressed: null,
	pUnchanged: null,
	pImproved: null,
	smallestDecidableThreshold: null,
	guards: null,
	warnings: [],
};

/** Why a row ends without a look. */
export type Unmeasured =
	| { readonly unavailable: string }
	| {
			readonly tooFew: {
				readonly needed: number;
				readonly ended: EndReason;
				readonly secondsPerRound: Seconds | null;
			};
	  };

/** Returns the row of a cell that exists on one side only. */
export function presentOneSided(cell: OneSidedCell, metric: MetricName): RowDecision {
	const warning = { code: cell.verdict, message: cell.reason };
	return {
		...NOTHING,
		cell: cell.id,
		metric,
		judgedBy: metric,
		verdict: cell.verdict,
		final: true,
		warnings: [warning],
	};
}

/** Returns the final row of a cell whose numbers mean nothing: it has none, only guards and the reason. */
export function presentInvalid(row: Row, samples: readonly Sample[], reason: Warning): RowDecision {
	return {
		...NOTHING,
		cell: row.cell.id,
		metric: row.metric,
		judgedBy: row.metric,
		verdict: 'invalid',
		final: true,
		guards: guardsOf(samples, row.metric),
		warnings: [reason],
	};
}

/** Returns the final row of a cell that was never loaded because an answer was wrong. */
export function presentRefused(cell: string, metric: MetricName, { code, message }: Fault): RowDecision {
	return { ...NOTHING, cell, metric, judgedBy: metric, verdict: 'invalid', final: true, warnings: [{ code, message }] };
}

/** Returns the final row that main rounds decided at the row's latest look. */
export function presentRuled(row: Row, judging: Judging, verdict: Verdict, remarks: readonly Remark[]): RowDecision {
	const snapshot = row.main.snapshot as Snapshot;
	const shown = showSnapshot(row, snapshot, judging, row.main.tests[judging.by] ?? null);
	const { estimate } = shown;
	const remarked = estimate ? remarks.map((remark) => remarkOn(remark, estimate)) : [];
	const alone = estimate?.rounds === 1 ? [warnings.tooFewRounds(1, 2, 'rounds', null)] : [];
	return { ...shown, verdict, final: true, warnings: [...shown.warnings, ...remarked, ...alone] };
}

/**
 * Returns the final row that alternating windows decided. Its estimate and p-values are theirs, so that verdict and numbers
 * agree; when they could not decide, those of the main rounds stay.
 */
export function presentConfirmed(
	row: Row,
	judging: Judging,
	confirm: Track,
	verdict: 'unchanged' | 'regressed' | 'inconclusive',
): RowDecision {
	const main = presentRuled(row, judging, verdict, []);
	const duet = warnings.disagreement(main.estimates.throughput, main.estimates['cpu-per-request']);
	const estimate = confirm.snapshot ? estimatesOf(confirm.snapshot).throughput : undefined;
	if (verdict === 'inconclusive' || !estimate) {
		return { ...main, warnings: [...main.warnings, warnings.unconfirmed(duet, estimate?.rounds ?? 0)] };
	}
	return {
		...main,
		...shownTest(confirm.tests.throughput ?? null),
		judgedBy: 'throughput',
		estimate,
		smallestDecidableThreshold: smallestDecidable(estimate),
		warnings: [...main.warnings, warnings.confirmedAlternating(duet, estimate)],
	};
}

/** Returns the final row of a run that ended before the row's first look. */
export function presentUnmeasured(
	row: Row,
	course: Course,
	judge: (snapshot: Snapshot) => Judging,
	why: Unmeasured,
): RowDecision {
	const warning =
		'unavailable' in why
			? warnings.metricUnavailable(why.unavailable)
			: warnings.tooFewRounds(course.samples.length, why.tooFew.needed, why.tooFew.ended, why.tooFew.secondsPerRound);
	const shown = presentOpen(row, course, judge);
	return { ...shown, final: true, warnings: [...shown.warnings, warning] };
}

/** Returns where an open row stands: its estimate over all rounds so far, with the interval of the look to come. */
export function presentOpen(row: Row, course: Course, judge: (snapshot: Snapshot) => Judging): RowDecision {
	const snapshot = previewOf(row.main, course);
	const judging = judge(snapshot);
	const shown = showSnapshot(row, snapshot, judging, row.main.tests[judging.by] ?? null);
	return { ...shown, needsConfirmation: row.confirm !== null };
}

function showSnapshot(row: Row, snapshot: Snapshot, judging: Judging, test: SequentialP | null): RowDecision {
	const { samples } = snapshot;
	const estimates: Estimates = estimatesOf(snapshot);
	const estimate = estimates[judging.by] ?? null;
	const cellRounds = samples.map((sample) => sample.cellRound);
	// Ranks cannot allow for correlated rounds, so then they decide nothing.
	const split = estimate && snapshot.correction(judging.by) === 1 ? spreadWarnings(estimate) : [];
	const remarks =
		samples.length === 0 ? [] : [...judging.warnings, ...cellWarnings(cellRounds, row.cell.tolerance), ...split];
	return {
		...NOTHING,
		...shownTest(test),
		cell: row.cell.id,
		metric: row.metric,
		judgedBy: judging.by,
		verdict: 'inconclusive',
		final: false,
		estimate,
		estimates,
		smallestDecidableThreshold: estimate && smallestDecidable(estimate),
		guards: samples.length === 0 ? null : guardsOf(samples, judging.by),
		warnings: remarks,
	};
}

function shownTest(test: SequentialP | null): Pick<RowDecision, 'pRegressed' | 'pUnchanged' | 'pImproved'> {
	return {
		pRegressed: test?.regressed ?? null,
		pUnchanged: test?.unchanged ?? null,
		pImproved: test?.improved ?? null,
	};
}

function guardsOf(samples: readonly Sample[], metric: MetricName): Guards {
	const cellRounds = samples.map((sample) => sample.cellRound);
	return summariseGuards(cellRounds, valuesOf(samples, metric));
}

function remarkOn(remark: Remark, estimate: Estimate): Warning {
	switch (remark) {
		case 'small-drop':
			return warnings.smallDrop(estimate);
		case 'possible-improvement':
			return warnings.possibleImprovement(estimate);
	}
}
