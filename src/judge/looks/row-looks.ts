/** The looks of one row. */
import { commonErrorOf } from '../../stats/count-error.ts';
import { END_ERROR, estimateOf } from '../../stats/estimate.ts';
import { type Location, locationOf, probabilityAbove } from '../../stats/location.ts';
import { lag1Correction } from '../../stats/moments.ts';
import { isOfServer, type MetricName } from '../../types/metric.ts';
import type { Cell, Look } from '../../types/plan.ts';
import type { Round } from '../../types/round.ts';
import type { RowDecision } from '../../types/verdict.ts';
import { metricsShown } from '../plan-rows.ts';
import type { RowNumbers } from '../rule.ts';
import type { RunSoFar } from './run-so-far.ts';
import type { Sample } from './samples.ts';
import { ALPHA, addLook, type Limits, limitsOf, type SequentialP, UNTESTED, type Weights } from './sequential.ts';

/** Fewest rounds of a look that is taken because time is up. */
const FEWEST_AT_END = 4;

export interface RowLooks {
	readonly cell: Cell;
	/** Samples without this metric do not count. */
	readonly metric: MetricName;
	readonly purpose: Round['purpose'];
	readonly limits: Limits;
	readonly taken: number;
	/** A last unplanned look took all remaining weight. */
	readonly closed: boolean;
	readonly tests: Readonly<Partial<Record<MetricName, SequentialP>>>;
	readonly samples: readonly Sample[];
	readonly locations: Readonly<Partial<Record<MetricName, Location>>>;
	readonly weights: Weights;
	/** Factor for standard errors. If it is above 1, ranks are not used. */
	readonly correction: (metric: MetricName) => number;
	/** Error common to all rounds, in log units. */
	readonly bound: (metric: MetricName) => number;
}

export function noLooks(cell: Cell, metric: MetricName, purpose: Round['purpose']): RowLooks {
	return {
		cell,
		metric,
		purpose,
		limits: limitsOf(cell),
		taken: 0,
		closed: false,
		tests: {},
		samples: [],
		locations: {},
		weights: { weightRegressed: 0, weightUnchanged: 0 },
		correction: () => 1,
		bound: () => 0,
	};
}

export function samplesOf({ cell, metric, purpose }: RowLooks, run: RunSoFar): readonly Sample[] {
	const samples = isOfServer(metric) ? run.starts(cell.server) : run.samples(cell.id, purpose);
	return samples.filter((sample) => sample.d[metric] !== null);
}

/**
 * Returns `looks` after every due look. If no more can follow and there are enough samples, it takes a last look with
 * the remaining weight.
 */
export function takeDueLooks(looks: RowLooks, run: RunSoFar): RowLooks {
	const samples = samplesOf(looks, run);
	const due = run.plan.looks.slice(looks.taken);
	const reached = due.findIndex((look) => samples.length < look.rounds);
	const taken = due.slice(0, reached < 0 ? due.length : reached).reduce((before, look) => {
		return { ...takeLook(before, samples, look, run), taken: before.taken + 1 };
	}, looks);
	if (!isOver(looks, run) || isSpent(taken, run) || samples.length < fewestRounds(run)) return taken;
	return { ...takeLook(taken, samples, remainingWeights(taken, run), run), closed: true };
}

export function isSpent({ closed, taken }: RowLooks, { plan }: RunSoFar): boolean {
	return closed || taken === plan.looks.length;
}

/** Returns the rounds below which nothing can be decided. */
export function fewestRounds({ plan }: RunSoFar): number {
	return Math.min(FEWEST_AT_END, plan.looks[0]?.rounds ?? FEWEST_AT_END);
}

/** Returns `looks` with current samples but unchanged tests, only for display. */
export function previewLook(looks: RowLooks, run: RunSoFar): RowLooks {
	const next = run.plan.looks[Math.min(looks.taken, run.plan.looks.length - 1)] as Look;
	return seeSamples(looks, samplesOf(looks, run), next, run);
}

export function estimatesOf({
	metric: rowMetric,
	samples,
	weights,
	correction,
	bound,
}: RowLooks): RowDecision['estimates'] {
	const levels = { low: END_ERROR * weights.weightUnchanged, high: END_ERROR * weights.weightRegressed };
	const estimates = metricsShown(rowMetric).flatMap((metric) => {
		const estimate = estimateOf(metric, valuesOf(samples, metric), levels, correction(metric), bound(metric));
		return estimate ? [[metric, estimate]] : [];
	});
	return Object.fromEntries(estimates);
}

export function numbersOf(looks: RowLooks, metric: MetricName): RowNumbers | null {
	const { locations, tests, limits, weights } = looks;
	const [location, test] = [locations[metric], tests[metric]];
	if (!location || !test) return null;
	// Earlier looks assumed that rounds are independent.
	const takesBack =
		looks.correction(metric) > 1 && probabilityAbove(location, limits.threshold) > ALPHA * weights.weightUnchanged;
	return { location, test, takesBack, limits };
}

export function valuesOf(samples: readonly Sample[], metric: MetricName): readonly number[] {
	return samples.flatMap((sample) => sample.d[metric] ?? []);
}

export function isComplete({ samples, locations }: RowLooks, metric: MetricName): boolean {
	return samples.length > 0 && locations[metric]?.rounds === samples.length;
}

/** Whether no more rounds follow. Discarded rounds are not repeated, so the last look may never come. */
function isOver({ cell, purpose }: RowLooks, run: RunSoFar): boolean {
	if (run.ended !== null) return true;
	return purpose === 'main' && run.measured(cell.id) >= (run.plan.looks.at(-1)?.rounds ?? 0);
}

function takeLook(looks: RowLooks, samples: readonly Sample[], weights: Weights, run: RunSoFar): RowLooks {
	const seen = seeSamples(looks, samples, weights, run);
	const tests = { ...looks.tests };
	for (const metric of testedMetrics(looks)) {
		const location = seen.locations[metric];
		if (location) tests[metric] = addLook(tests[metric] ?? UNTESTED, location, looks.limits, weights);
	}
	return { ...seen, tests };
}

function seeSamples(looks: RowLooks, samples: readonly Sample[], weights: Weights, run: RunSoFar): RowLooks {
	const { weightRegressed, weightUnchanged } = weights;
	const correction = (metric: MetricName) => (looks.purpose === 'main' ? lag1Correction(run.lag1(metric)) : 1);
	const cellRounds = samples.map((sample) => sample.cellRound);
	const bound = (metric: MetricName) => commonErrorOf(metric, valuesOf(samples, metric), cellRounds);
	const locations: Partial<Record<MetricName, Location>> = {};
	for (const metric of testedMetrics(looks)) {
		const location = locationOf(valuesOf(samples, metric), correction(metric), bound(metric));
		if (location) locations[metric] = location;
	}
	return { ...looks, samples, locations, weights: { weightRegressed, weightUnchanged }, correction, bound };
}

function testedMetrics({ metric, purpose }: RowLooks): readonly MetricName[] {
	return metric === 'throughput' && purpose === 'main' ? ['throughput', 'cpu-per-request'] : [metric];
}

function remainingWeights({ taken }: RowLooks, { plan }: RunSoFar): Weights {
	const remainingLooks = plan.looks.slice(taken);
	return {
		weightRegressed: remainingLooks.reduce((sum, look) => sum + look.weightRegressed, 0),
		weightUnchanged: remainingLooks.reduce((sum, look) => sum + look.weightUnchanged, 0),
	};
}
