import { clipOutliers } from './clip-outliers.ts';
import { type Curve, levelAt } from './level-filter.ts';
import type { Chain } from './link-eras.ts';
import { type PartitionRule, partition } from './partition.ts';
import { pauleMandel } from './paule-mandel.ts';
import type { RowPoint } from './row-points.ts';

/** How levels are found; the defaults were chosen on other series than they are tested on (docs/evaluation.md). */
export interface LevelRule extends PartitionRule {
	/** Spread between runs that a row without history is taken to have, as a standard deviation. */
	readonly tauPrior: number;
	/** How many degrees of freedom that counts for. */
	readonly tauPriorFreedom: number;
	/** Whether outliers are clipped. */
	readonly clip: boolean;
}

export const LEVEL_RULE: LevelRule = {
	penalty: 20,
	shortest: 3,
	tauPrior: 0.003,
	tauPriorFreedom: 4,
	clip: true,
};

/** The levels of one row. */
export interface Levels {
	/** Weights with `tau2`, outliers clipped. */
	readonly curve: Curve;
	readonly tau2: number;
	/** Where segments begin. */
	readonly starts: readonly number[];
}

/** A single wild point must not make the spread of all others large. */
const MOST_MISFIT = 9;
/** τ² and the segments are found in turn, at most so often. */
const TURNS = 4;
/** Before there are segments, τ² is taken from blocks of so many points, of which a step spoils one. */
const BLOCK = 3;

/**
 * Returns levels, segments and the variance between runs τ² of one row: τ² from the misfit within segments, segments by weights
 * 1 / (SE² + τ²), in turn until neither changes. Source: docs/statistics.md, "Spread between runs".
 */
export function findLevels(points: readonly RowPoint[], chain: Chain, rule: LevelRule = LEVEL_RULE): Levels {
	let starts = points.flatMap((_, at) =>
		at % BLOCK === 0 && at + BLOCK <= Math.max(BLOCK, points.length) ? [at] : [],
	);
	let tau2 = estimateTau(points, chain, starts, rule);
	for (let turn = 1; ; turn++) {
		const curve = curveOf(points, chain, tau2, rule.clip);
		starts = partition(curve, rule);
		const next = estimateTau(points, chain, starts, rule);
		if (turn === TURNS || Math.abs(next - tau2) <= 0.03 * tau2) return { curve, tau2, starts };
		tau2 = next;
	}
}

/** Returns the numbers of a row for a given τ². */
export function curveOf(points: readonly RowPoint[], chain: Chain, tau2: number, clip: boolean): Curve {
	const y = new Float64Array(points.length);
	const weight = new Float64Array(points.length);
	const jump = new Float64Array(points.length);
	points.forEach(({ point, runs }, at) => {
		const weighed = weighRuns(runs, tau2);
		weight[at] = weighed.weight;
		y[at] = (chain.offsets[point.era] as number) + weighed.value;
		const before = points[at - 1]?.point.era ?? point.era;
		jump[at] = before === point.era ? 0 : chain.between(before, point.era);
	});
	return {
		y: clip
			? clipOutliers(
					y,
					weight.map((own) => 1 / Math.sqrt(own)),
				)
			: y,
		weight,
		jump,
	};
}

function estimateTau(points: readonly RowPoint[], chain: Chain, starts: readonly number[], rule: LevelRule): number {
	const { jump } = curveOf(points, chain, 0, false);
	const segments = starts.map((first, index) => [first, (starts[index + 1] ?? points.length) - 1] as const);
	const unknown = jump.filter((variance, at) => variance === Number.POSITIVE_INFINITY && !starts.includes(at));
	const freedom = Math.max(0, points.length - starts.length - unknown.length);
	const acrossEras = segments.map(([first, last]) =>
		jump.slice(first + 1, last + 1).some((variance) => variance !== 0),
	);
	const misfit = (tau2: number) =>
		segments.reduce((sum, [first, last], index) => {
			const own = acrossEras[index]
				? misfitAcrossEras(curveOf(points, chain, tau2, false), first, last)
				: misfitWithin(points, tau2, first, last);
			return sum + own;
		}, 0);
	const prior = rule.tauPriorFreedom;
	return (freedom * pauleMandel(misfit, freedom) + prior * rule.tauPrior ** 2) / (freedom + prior);
}

/** Squared standardised distances from the segment's level, each at most 9. */
function misfitWithin(points: readonly RowPoint[], tau2: number, first: number, last: number): number {
	const weight = new Float64Array(last - first + 1);
	const value = new Float64Array(last - first + 1);
	let [weights, values, squares] = [0, 0, 0];
	for (let at = 0; at < weight.length; at++) {
		const weighed = weighRuns((points[first + at] as RowPoint).runs, tau2);
		weight[at] = weighed.weight;
		value[at] = weighed.value;
		weights += weighed.weight;
		values += weighed.weight * weighed.value;
	}
	const level = values / weights;
	for (let at = 0; at < weight.length; at++) {
		squares += Math.min(((value[at] as number) - level) ** 2 * (weight[at] as number), MOST_MISFIT);
	}
	return squares;
}

/** Across links distances from one mean would count the links' errors. */
function misfitAcrossEras(curve: Curve, first: number, last: number): number {
	return Math.min(levelAt(curve, first, last).cost, MOST_MISFIT * (last - first + 1));
}

/** The runs of one point as one figure. */
function weighRuns(runs: RowPoint['runs'], tau2: number): { readonly weight: number; readonly value: number } {
	const [only] = runs;
	if (only !== undefined && runs.length === 1) return { weight: 1 / (only.se * only.se + tau2), value: only.theta };
	let [weight, sum] = [0, 0];
	for (const { theta, se } of runs) {
		const own = 1 / (se * se + tau2);
		weight += own;
		sum += own * theta;
	}
	return { weight, value: sum / weight };
}
