import { type BaselineRecord, commitKey } from '../types/baseline.ts';
import type { MainRow } from '../types/main-baselines.ts';
import type { RowTrend, Trend } from '../types/trend.ts';
import { trendOf } from './trend-of.ts';

export const MOST_HISTORY = 30;

export function mainRows({ commits, rows }: Pick<Trend, 'commits' | 'rows'>): readonly MainRow[] {
	return rows.flatMap((row) => mainRowOf(row, commits) ?? []);
}

/**
 * Returns the standings of a newly measured level. `earlier` counts only if the level is the newest code, measured
 * against the last anchor.
 */
export function rowsWith(level: BaselineRecord, earlier: readonly BaselineRecord[]): readonly MainRow[] {
	const whole = trendOf([...earlier, level]);
	const isNewest = ({ points, standing }: RowTrend) => {
		const commit = whole.commits[points.at(-1)?.commit ?? -1];
		if (commit === undefined || standing === null) return false;
		return commitKey(commit) === commitKey(level.commit) && commitKey(standing.anchor) === commitKey(level.anchor);
	};
	const alone = trendOf([level]);
	return alone.rows.flatMap((levelRow) => {
		const row = whole.rows.find(({ cell, metric }) => cell === levelRow.cell && metric === levelRow.metric);
		const mainRow = row && isNewest(row) ? mainRowOf(row, whole.commits) : mainRowOf(levelRow, alone.commits);
		return mainRow ?? [];
	});
}

function mainRowOf(
	{ server, scenario, metric, points, standing }: RowTrend,
	commits: Trend['commits'],
): MainRow | null {
	const last = points.at(-1);
	if (standing === null || last === undefined) return null;
	// Offset of the last anchor from the first.
	const offset = last.chained - last.theta;
	const { theta, low, high, settled, anchor } = standing;
	return {
		server,
		scenario,
		metric,
		anchor: anchor.label,
		measured: commits[last.commit]?.label ?? '',
		theta,
		low,
		high,
		...(!settled && { settled }),
		history: points.slice(-MOST_HISTORY).map(({ chained }) => chained - offset),
	};
}
