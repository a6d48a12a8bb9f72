import { type Curve, levelAt } from './level-filter.ts';

/** Where a change may have happened: the first changed point, and how probable that is. */
export interface Place {
	readonly at: number;
	readonly probability: number;
}

/** Together the places of a change are at least so probable. */
const LOCATION_CONFIDENCE = 0.95;

/**
 * Returns the most probable places of the one change among points `first` to `last`, in order, together at least 95 %:
 * P(c) ∝ exp(½ T(c)), where T is what a change at c explains, (ȳ after − ȳ before)² / (1/W after + 1/W before) within an era.
 * Source: the likelihood of a change with known variances under a flat prior, Hinkley 1970; docs/statistics.md, "Where it
 * happened".
 */
export function locateChange(curve: Curve, first: number, last: number): readonly Place[] {
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

/** Returns the fewest places that together have `confidence`, in order. */
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
