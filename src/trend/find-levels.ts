import type { Chain } from './eras.ts';
import type { Curve } from './level-filter.ts';
import { type PartitionRule, partition } from './partition.ts';
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
 * Returns levels, segments and the variance between runs τ² of a row. Two steps alternate until stable: τ² from the
 * misfit within segments, and segments by weights 1 / (SE² + τ²). The newest points do not count for τ², because a step
 * just before them would look like spread. Source: docs/statistics.md, "Spread between runs".
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
