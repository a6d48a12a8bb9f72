/** Our change points on plain curves. */

import type { Chain } from '../../src/trend/eras.ts';
import { findChanges, leastStep, segmentsOf } from '../../src/trend/find-changes.ts';
import { findLevels, LEVEL_RULE, type LevelRule } from '../../src/trend/find-levels.ts';
import type { RowPoint } from '../../src/trend/row-points.ts';
import type { BaselineCommit } from '../../src/types/baseline.ts';
import type { TrendPoint } from '../../src/types/trend.ts';
import type { HistoryPoint } from './recorded-histories.ts';

/** A reported change. */
export interface FoundChange {
	readonly at: number;
	/** First and last point of the 95 % set, and all of it. */
	readonly places: readonly number[];
	readonly step: number;
}

const ONE_ERA: Chain = { offsets: [0], variances: [0], links: [], assumed: [], between: () => 0 };
/** The threshold of every comparison, unless set. */
const THRESHOLD = 0.05;
/** Minimum length of a history. */
const FEWEST = 6;

/** Returns the changes in `points`, in order. */
export function changesIn(points: readonly HistoryPoint[], rule: LevelRule = LEVEL_RULE): readonly FoundChange[] {
	const rows = points.map(({ theta, se }, at): RowPoint => {
		const point = { commit: at, era: 0, theta, se, chained: theta, chainedSe: se } as TrendPoint;
		return { point, runs: [{ theta, se, rounds: 0, interval: null }] };
	});
	const levels = findLevels(rows, ONE_ERA, rule);
	const commits = points.map((_, at) => ({ sha: null, label: `${at}` }) as BaselineCommit);
	const row = { cell: '', metric: 'throughput' as const, points: rows.map(({ point }) => point) };
	return findChanges(row, segmentsOf(levels), levels.curve, commits, leastStep(THRESHOLD)).map(
		({ at, candidates, step }) => ({ at, step, places: candidates.map(({ commit }) => commit) }),
	);
}

/** Returns the changes reported after each point, from the sixth on; index 0 is after the first. */
export function changesAfterEach(
	points: readonly HistoryPoint[],
	rule: LevelRule = LEVEL_RULE,
): readonly (readonly FoundChange[])[] {
	return points.map((_, at) => (at + 1 < FEWEST ? [] : changesIn(points.slice(0, at + 1), rule)));
}

/** Returns plain `values` as points, each with a spread estimated from neighbours. */
export function pointsOfValues(values: readonly number[]): readonly HistoryPoint[] {
	const logs = values.map((value) => Math.log(Math.max(value, Number.MIN_VALUE)));
	const differences = logs.slice(1).map((value, index) => Math.abs(value - (logs[index] as number)));
	const sorted = differences.toSorted((a, b) => a - b);
	// The median of |difference| of two normals is 0.954 of one's standard deviation.
	const se = Math.max(1e-4, (sorted[sorted.length >> 1] ?? 0) / 0.954);
	return logs.map((theta) => ({ theta: theta - (logs[0] as number), se }));
}
