import { type BaselineCommit, commitKey } from '../types/baseline.ts';
import type { ChangePoint, RowTrend, Segment } from '../types/trend.ts';
import type { Levels } from './find-levels.ts';
import { type Curve, levelAt } from './level-filter.ts';

interface Place {
	readonly at: number;
	readonly probability: number;
}

const LOCATION_CONFIDENCE = 0.95;

const LEAST_STEP = 0.01;

/** Returns the smallest reported step as a log ratio: 1 % or a quarter of the threshold, whichever is larger. */
export function leastStep(threshold: number): number {
	return -Math.log1p(-Math.max(LEAST_STEP, threshold / 4));
}

/** Returns the default tolerance (half the threshold) as a log ratio. Records do not store the tolerance. */
export function toleranceOf(threshold: number): number {
	return -Math.log1p(-threshold / 2);
}

/** Returns the segments of a row; `se` does not include errors of links. */
export function segmentsOf({ curve, starts }: Levels): readonly Segment[] {
	return starts.map((first, index) => {
		const last = (starts[index + 1] ?? curve.y.length) - 1;
		let [total, sum] = [0, 0];
		for (let at = first; at <= last; at++) {
			total += curve.weight[at] as number;
			sum += (curve.weight[at] as number) * (curve.y[at] as number);
		}
		return { first, last, mean: sum / total, se: 1 / Math.sqrt(total) };
	});
}

/** Returns the changes with a step of at least `least`, each located between its neighbouring changes. */
export function findChanges(
	row: Pick<RowTrend, 'cell' | 'metric' | 'points'>,
	segments: readonly Segment[],
	curve: Curve,
	commits: readonly BaselineCommit[],
	least: number,
): readonly ChangePoint[] {
	const changes: ChangePoint[] = [];
	segments.slice(1).forEach((after, index) => {
		const before = segments[index] as Segment;
		const { step, se } = stepBetween(curve, before, after);
		if (Math.abs(step) < least) return;
		const places = locateChange(curve, before.first, after.last);
		const candidates = places.map(({ at, probability }) => ({ commit: commitAt(row, at), probability }));
		const first = commits[candidates[0]?.commit ?? 0] as BaselineCommit;
		changes.push({ id: changeId(row, first), at: after.first, candidates, step, se, state: 'suspected' });
	});
	return changes;
}

function changeId({ cell, metric }: Pick<RowTrend, 'cell' | 'metric'>, commit: BaselineCommit): string {
	const key = commitKey(commit);
	return `${cell} ${metric} @${commit.sha === null ? key : key.slice(0, 12)}`;
}

/** The level just after a change minus that just before. Across eras, the error includes the link's. */
function stepBetween(curve: Curve, before: Segment, after: Segment): { readonly step: number; readonly se: number } {
	const old = levelAt(curve, before.first, before.last);
	const recent = levelAt(curve, after.last, after.first);
	const link = curve.jump[after.first] as number;
	return { step: recent.mean - old.mean, se: Math.sqrt(old.variance + recent.variance + link) };
}

function commitAt({ points }: Pick<RowTrend, 'points'>, at: number): number {
	return points[at]?.commit as number;
}

/**
 * The most probable places of the single change among points `first` to `last`, with a total of at least 95 %.
 * Source: the likelihood
 * of a change with known variances under a flat prior, Hinkley 1970; docs/statistics.md, "Where it happened".
 */
function locateChange(curve: Curve, first: number, last: number): readonly Place[] {
	const costs: number[] = [];
	for (let at = first + 1; at <= last; at++) {
		costs.push(levelAt(curve, first, at - 1).cost + levelAt(curve, at, last).cost);
	}
	const least = Math.min(...costs);
	const likelihoods = costs.map((cost) => Math.exp(-(cost - least) / 2));
	const total = likelihoods.reduce((sum, likelihood) => sum + likelihood, 0);
	const places = likelihoods.map((likelihood, index) => ({ at: first + 1 + index, probability: likelihood / total }));
	return credibleSet(places, LOCATION_CONFIDENCE);
}

function credibleSet(places: readonly Place[], confidence: number): readonly Place[] {
	const kept: Place[] = [];
	let sum = 0;
	for (const place of places.toSorted((a, b) => b.probability - a.probability || a.at - b.at)) {
		if (sum >= confidence) break;
		kept.push(place);
		sum += place.probability;
	}
	return kept.sort((a, b) => a.at - b.at);
}
