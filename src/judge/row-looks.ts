import { END_ERROR, estimateOf } from '../stats/estimate.ts';
import { type Location, locationOf } from '../stats/location.ts';
import { lag1Correction } from '../stats/moments.ts';
import { METRIC_NAMES, type MetricName } from '../types/metric.ts';
import type { Look } from '../types/plan.ts';
import type { Estimate } from '../types/verdict.ts';
import type { Sample } from './evidence.ts';
import { addLook, type Limits, type SequentialP, UNTESTED, type Weights } from './sequential.ts';

/** Rounds a look taken because the time is up must have. */
const FEWEST_AT_END = 4;

export type Estimates = Readonly<Partial<Record<MetricName, Estimate>>>;

/** One row's (or one confirmation's) way through its looks. */
export interface Track {
	/** Planned looks taken. */
	readonly taken: number;
	/** Whether a last look was taken out of turn, with all the weight that was left. */
	readonly closed: boolean;
	readonly tests: Readonly<Partial<Record<MetricName, SequentialP>>>;
	readonly snapshot: Snapshot | null;
}

/** What entered the latest look. */
export interface Snapshot {
	readonly samples: readonly Sample[];
	readonly locations: Readonly<Partial<Record<MetricName, Location>>>;
	readonly weights: Weights;
	/** Factor for the standard errors of a metric; above 1 ranks say nothing. */
	readonly correction: (metric: MetricName) => number;
}

/** Where a track's numbers come from, and the limits they are tested against. */
export interface Course {
	readonly looks: readonly Look[];
	/** Samples in which the row's own metric could be had. */
	readonly samples: readonly Sample[];
	/** Metrics that are tested at every look. */
	readonly tested: readonly MetricName[];
	readonly limits: Limits;
	readonly lag1: (metric: MetricName) => number | null;
}

export const START: Track = { taken: 0, closed: false, tests: {}, snapshot: null };

/** Returns `track` after every planned look that the samples have reached. */
export function takeLooks(track: Track, course: Course): Track {
	let taken = track;
	for (const look of course.looks.slice(track.taken)) {
		if (course.samples.length < look.rounds) break;
		taken = { ...takeLook(taken, course, look), taken: taken.taken + 1 };
	}
	return taken;
}

/** Returns `track` after a last look with the weight that is left, if there is any and the rounds are enough. */
export function takeLastLook(track: Track, course: Course): Track {
	if (isSpent(track, course.looks) || course.samples.length < fewestRounds(course.looks)) return track;
	return { ...takeLook(track, course, remainingWeights(track, course.looks)), closed: true };
}

/** Returns whether no look is left. */
export function isSpent(track: Track, looks: readonly Look[]): boolean {
	return track.closed || track.taken === looks.length;
}

/** Returns the rounds below which nothing can be decided. */
export function fewestRounds(looks: readonly Look[]): number {
	return Math.min(FEWEST_AT_END, looks[0]?.rounds ?? FEWEST_AT_END);
}

/** Returns a snapshot of the samples as if the next look were taken now: for showing, never for deciding. */
export function previewOf(track: Track, course: Course): Snapshot {
	const planned = course.looks[Math.min(track.taken, course.looks.length - 1)] as Look;
	return snapshotOf(course, planned);
}

/** Returns every metric's estimate of a snapshot, with the interval that belongs to its look. */
export function estimatesOf(snapshot: Snapshot): Estimates {
	const levels = {
		low: END_ERROR * snapshot.weights.weightUnchanged,
		high: END_ERROR * snapshot.weights.weightRegressed,
	};
	const estimates = METRIC_NAMES.flatMap((metric) => {
		const estimate = estimateOf(metric, valuesOf(snapshot.samples, metric), levels, snapshot.correction(metric));
		return estimate ? [[metric, estimate]] : [];
	});
	return Object.fromEntries(estimates);
}

/** Returns d of each sample that has one. */
export function valuesOf(samples: readonly Sample[], metric: MetricName): readonly number[] {
	return samples.flatMap((sample) => sample.d[metric] ?? []);
}

function takeLook(track: Track, course: Course, weights: Weights): Track {
	const snapshot = snapshotOf(course, weights);
	const tests = { ...track.tests };
	for (const metric of course.tested) {
		const location = snapshot.locations[metric];
		if (location) tests[metric] = addLook(tests[metric] ?? UNTESTED, location, course.limits, weights);
	}
	return { ...track, tests, snapshot };
}

function snapshotOf(course: Course, { weightRegressed, weightUnchanged }: Weights): Snapshot {
	const correction = (metric: MetricName) => lag1Correction(course.lag1(metric));
	const locations: Partial<Record<MetricName, Location>> = {};
	for (const metric of course.tested) {
		const found = locationOf(valuesOf(course.samples, metric), correction(metric));
		if (found) locations[metric] = found;
	}
	return { samples: course.samples, locations, weights: { weightRegressed, weightUnchanged }, correction };
}

function remainingWeights(track: Track, looks: readonly Look[]): Weights {
	const left = looks.slice(track.taken);
	return {
		weightRegressed: left.reduce((sum, look) => sum + look.weightRegressed, 0),
		weightUnchanged: left.reduce((sum, look) => sum + look.weightUnchanged, 0),
	};
}
