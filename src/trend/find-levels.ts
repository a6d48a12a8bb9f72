import type { Chain } from './eras.ts';
import { afterJump, type Curve } from './level-filter.ts';
import { curveOf, rowNumbers } from './row-curve.ts';
import type { RowPoint } from './row-points.ts';
import { blockStarts, type SpreadRule, spreadBetweenRuns, wildPoints } from './spread-between-runs.ts';

/** The defaults were chosen and tested on different series (docs/evaluation/trend.md). */
export interface LevelRule extends PartitionRule, SpreadRule {
	readonly clip: boolean;
}

export const LEVEL_RULE: LevelRule = {
	penalty: 20,
	shortest: 3,
	tauPrior: 0.003,
	tauPriorFreedom: 4,
	clip: true,
	robust: true,
};

export interface Levels {
	/** Weighted with `tau2`; outliers are clipped. */
	readonly curve: Curve;
	readonly tau2: number;
	/** Degrees of freedom of τ², including those of its prior. */
	readonly freedom: number;
	readonly starts: readonly number[];
}

/** Most iterations between τ² and segments. */
const TURNS = 4;
/** Outliers are clipped to this many standard deviations from their neighbours. */
export const REACH = 2;

/**
 * Returns levels, segments and the variance between runs τ² of a row, found in turn until stable. The newest points do
 * not count for τ², because a step just before them would look like spread. Source: docs/statistics.md, "Spread
 * between runs".
 */
export function findLevels(points: readonly RowPoint[], chain: Chain, rule: LevelRule = LEVEL_RULE): Levels {
	const numbers = rowNumbers(points, chain);
	const newest = newestPoints(points.length, rule);
	const silent = new Set([...wildPoints(numbers, rule), ...newest]);
	let tau2 = spreadBetweenRuns(numbers, blockStarts(points.length), silent, rule);
	for (let turn = 1; ; turn++) {
		const curve = curveOf(numbers, tau2, rule.clip ? REACH : null);
		const starts = partition(curve, rule);
		const next = spreadBetweenRuns(numbers, starts, silent, rule);
		if (turn === TURNS || Math.abs(next - tau2) <= 0.03 * tau2) {
			const freedom = rule.tauPriorFreedom + Math.max(0, points.length - newest.length - starts.length);
			return { curve, tau2, freedom, starts };
		}
		tau2 = next;
	}
}

function newestPoints(count: number, { shortest }: PartitionRule): readonly number[] {
	const newest = Math.min(count, shortest - 1);
	return Array.from({ length: newest }, (_, index) => count - newest + index);
}

interface PartitionRule {
	readonly penalty: number;
	/** Fewest points of a segment. */
	readonly shortest: number;
}

/** Longer histories are cut into overlapping stretches. The results in the first part of a stretch are final. */
const STRETCH = 1200;
const SETTLED = 900;

/**
 * Returns the segment starts that minimise Σ cost(segment) + penalty × changes. They are exact up to 1200 points.
 * Source: optimal partitioning, Jackson et al. 2005, with the pruning of Killick, Fearnhead and Eckley 2012.
 */
export function partition(curve: Curve, rule: PartitionRule): number[] {
	const count = curve.y.length;
	const starts = count === 0 ? [] : [0];
	for (let from = 0; from < count; ) {
		const until = Math.min(from + STRETCH, count);
		const changes = partitionStretch(curve, from, until, rule).filter((start) => start > from);
		const settled = until === count ? changes : changes.filter((start) => start <= from + SETTLED);
		starts.push(...settled);
		if (until === count) break;
		from = settled.at(-1) ?? from + SETTLED / 2;
	}
	return starts;
}

function partitionStretch({ y, weight, jump }: Curve, from: number, until: number, rule: PartitionRule): number[] {
	const { penalty, shortest } = rule;
	const count = until - from;
	const best = new Float64Array(count + 1).fill(Number.POSITIVE_INFINITY);
	const previous = new Int32Array(count + 1);
	best[0] = -penalty;
	for (let start = 0; start + shortest <= count; start++) {
		const before = best[start] as number;
		if (before === Number.POSITIVE_INFINITY) continue;
		let [mean, precision, cost] = [0, 0, 0];
		let stop = count;
		for (let end = start + 1; end <= stop; end++) {
			const at = from + end - 1;
			if (end > start + 1) precision = afterJump(precision, jump[at] as number);
			const pointWeight = weight[at] as number;
			const total = precision + pointWeight;
			const miss = (y[at] as number) - mean;
			cost += (miss * miss * precision * pointWeight) / total;
			mean += (miss * pointWeight) / total;
			precision = total;
			if (end - start < shortest) continue;
			if (before + cost + penalty < (best[end] as number)) {
				best[end] = before + cost + penalty;
				previous[end] = start;
			}
			// From here on, a segment that starts at `end` is never worse than one that starts at `start`.
			else if (stop === count && before + cost >= (best[end] as number)) stop = Math.min(count, end + shortest - 1);
		}
	}
	if (best[count] === Number.POSITIVE_INFINITY) return [from];
	const starts: number[] = [];
	for (let end = count; end > 0; end = previous[end] as number) starts.push(from + (previous[end] as number));
	return starts.reverse();
}
