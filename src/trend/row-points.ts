import type { BaselineCommit } from '../types/baseline.ts';
import { commitKey } from '../types/baseline.ts';
import type { RowTrend, TrendPoint } from '../types/trend.ts';
import type { Chain } from './eras.ts';
import { type Figure, type Measurement, poolFigures, type RowMeasurements } from './measurements.ts';

export interface Branch {
	readonly order: ReadonlyMap<string, number>;
	/** Indices of eras by anchor key. */
	readonly eras: ReadonlyMap<string, number>;
}

/** Figure against the era's anchor. */
export interface Run extends Figure {
	readonly rounds: number;
	/** 95 % interval of the record, if any. */
	readonly interval: { readonly low: number; readonly high: number } | null;
}

/** A commit's runs, oldest first, and the point pooled from them. */
export interface RowPoint {
	readonly point: TrendPoint;
	readonly runs: readonly Run[];
}

export function branchOf(commits: readonly BaselineCommit[], eras: Branch['eras']): Branch {
	return { order: new Map(commits.map((commit, index) => [commitKey(commit), index])), eras };
}

/**
 * Returns a row's points in commit order, and its gaps (commits without a usable measurement). A commit with several
 * eras is a point of the latest era.
 */
export function rowPoints(
	row: RowMeasurements,
	{ order, eras }: Branch,
	chain: Chain,
): { readonly points: readonly RowPoint[]; readonly gaps: RowTrend['gaps'] } {
	const levels = row.all.filter(({ record }) => record.purpose === 'level');
	const byCommit = [...Map.groupBy(levels, ({ commit }) => order.get(commit) as number)].sort(([a], [b]) => a - b);
	const points: RowPoint[] = [];
	const gaps: RowTrend['gaps'][number][] = [];
	for (const [commit, measurements] of byCommit) {
		const usable = measurements.filter(({ figure }) => figure !== null);
		if (usable.length === 0) gaps.push(gapOf(commit, measurements.at(-1) as Measurement));
		else points.push(pointOf(commit, usable, eras, chain));
	}
	return { points, gaps };
}

function gapOf(commit: number, { cell }: Measurement): RowTrend['gaps'][number] {
	const message = cell.warnings[0]?.message;
	const few = cell.theta === null ? 'nothing could be measured' : 'too few rounds for an interval';
	return { commit, verdict: cell.verdict, reason: message ?? few };
}

function pointOf(commit: number, usable: readonly Measurement[], eras: Branch['eras'], chain: Chain): RowPoint {
	const eraOf = ({ anchor }: Measurement) => eras.get(anchor) as number;
	const era = Math.max(...usable.map(eraOf));
	const eraMeasurements = usable.filter((measurement) => eraOf(measurement) === era);
	const runs = eraMeasurements.map(({ figure, cell }): Run => {
		return { ...(figure as Figure), rounds: cell.rounds, interval: intervalOf(cell) };
	});
	const pooled = poolFigures(runs) as Figure;
	const { cell, record } = eraMeasurements.at(-1) as Measurement;
	return {
		runs,
		point: {
			commit,
			era,
			...pooled,
			chained: (chain.offsets[era] as number) + pooled.theta,
			chainedSe: Math.sqrt((chain.variances[era] as number) + pooled.se ** 2),
			rounds: runs.reduce((sum, run) => sum + run.rounds, 0),
			verdict: cell.verdict,
			solo: cell.solo,
			ofReference: cell.ofReference ?? null,
			environmentId: record.environmentId,
		},
	};
}

function intervalOf({ theta, low, high }: Measurement['cell']): Run['interval'] {
	if (theta === null || low === null || high === null || !(low <= theta && theta <= high)) return null;
	return { low, high };
}
