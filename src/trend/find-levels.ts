import type { Curve } from './level-filter.ts';
import type { Chain } from './link-eras.ts';
import { type PartitionRule, partition } from './partition.ts';
import { curveOf, rowNumbers } from './row-curve.ts';
import type { RowPoint } from './row-points.ts';
import { blockStarts, type SpreadRule, spreadBetweenRuns, wildPoints } from './spread-between-runs.ts';

/** How levels are found; the defaults were chosen on other series than they are tested on (docs/evaluation.md). */
export interface LevelRule extends PartitionRule, SpreadRule {
	/** Whether outliers are clipped. */
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

/** The levels of one row. */
export interface Levels {
	/** Weights with `tau2`, outliers clipped. */
	readonly curve: Curve;
	readonly tau2: number;
	/** Where segments begin. */
	readonly starts: readonly number[];
}

/** τ² and the segments are found in turn, at most so often. */
const TURNS = 4;
/** An outlier may lie this many standard deviations from its neighbours. */
const REACH = 2;

/**
 * Returns levels, segments and the variance between runs τ² of one row: τ² from the misfit within segments, segments by weights
 * 1 / (SE² + τ²), in turn until neither changes. Source: docs/statistics.md, "Spread between runs".
 */
export function findLevels(points: readonly RowPoint[], chain: Chain, rule: LevelRule = LEVEL_RULE): Levels {
	const numbers = rowNumbers(points, chain);
	const wild = wildPoints(numbers, rule);
	let tau2 = spreadBetweenRuns(numbers, blockStarts(points.length), wild, rule);
	for (let turn = 1; ; turn++) {
		const curve = curveOf(numbers, tau2, rule.clip ? REACH : null);
		const starts = partition(curve, rule);
		const next = spreadBetweenRuns(numbers, starts, wild, rule);
		if (turn === TURNS || Math.abs(next - tau2) <= 0.03 * tau2) return { curve, tau2, starts };
		tau2 = next;
	}
}
