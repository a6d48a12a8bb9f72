import type { MainRow } from '../types/main-baselines.ts';
import type { RowTrend, Trend } from '../types/trend.ts';

/** Baselines of a row that a report shows. */
export const MOST_HISTORY = 30;

/** Returns where every row stands whose standing is known, with its last baselines, all against the row's last anchor. */
export function mainRows({ commits, rows }: Pick<Trend, 'commits' | 'rows'>): readonly MainRow[] {
	return rows.flatMap((row) => mainRowOf(row, commits) ?? []);
}

function mainRowOf(
	{ server, scenario, metric, points, standing }: RowTrend,
	commits: Trend['commits'],
): MainRow | null {
	const last = points.at(-1);
	if (standing === null || last === undefined) return null;
	// From the first anchor to the last one, by the links.
	const offset = last.chained - last.theta;
	const { theta, low, high, anchor } = standing;
	return {
		server,
		scenario,
		metric,
		anchor: anchor.label,
		measured: commits[last.commit]?.label ?? '',
		theta,
		low,
		high,
		history: points.slice(-MOST_HISTORY).map(({ chained }) => chained - offset),
	};
}
