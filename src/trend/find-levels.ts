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
const BLOCK = 6;

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
		if (turn === TURNS || Math.abs(next - tau2) <= 0.01 * tau2) return { curve, tau2, starts };
		tau2 = next;
	}
}

/** Returns the numbers of a row for a given τ². */
export function curveOf(points: readonly RowPoint[], chain: Chain, tau2: number, clip: boolean): Curve {
	const y = new Float64Array(points.length);
	const weight = new Float64Array(points.length);
	const jump = new Float64Array(points.length);
	points.forEach(({ point, runs }, at) => {
		let [total, sum] = [0, 0];
		for (const { theta, se } of runs) {
			const own = 1 / (se * se + tau2);
			total += own;
			sum += own * theta;
		}
		weight[at] = total;
		y[at] = (chain.offsets[point.era] as number) + sum / total;
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
	const unclipped = curveOf(points, chain, 0, false);
	const segments = starts.map((first, index) => [first, (starts[index + 1] ?? points.length) - 1] as const);
	const unknown = unclipped.jump.filter(
		(variance, at) => variance === Number.POSITIVE_INFINITY && !starts.includes(at),
	);
	const freedom = points.length - starts.length - unknown.length;
	const misfit = (tau2: number) => {
		const curve = curveOf(points, chain, tau2, false);
		return segments.reduce((sum, [first, last]) => sum + misfitOf(curve, first, last), 0);
	};
	const own = pauleMandel(misfit, freedom);
	const prior = rule.tauPriorFreedom;
	return (Math.max(0, freedom) * own + prior * rule.tauPrior ** 2) / (Math.max(0, freedom) + prior);
}

/** Squared standardised distances from the segment's level, each at most 9. */
function misfitOf(curve: Curve, first: number, last: number): number {
	if (first === last) return 0;
	const count = last - first + 1;
	let sum = 0;
	const { mean } = levelAt(curve, first, last);
	let sameEra = true;
	for (let at = first + 1; at <= last; at++) if (curve.jump[at] !== 0) sameEra = false;
	// Across links distances from one mean would count the links' errors.
	if (!sameEra) return Math.min(levelAt(curve, first, last).cost, MOST_MISFIT * count);
	for (let at = first; at <= last; at++) {
		sum += Math.min(((curve.y[at] as number) - mean) ** 2 * (curve.weight[at] as number), MOST_MISFIT);
	}
	return sum;
}
