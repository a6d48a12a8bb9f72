/** The trend: order → eras → links → points → levels → changes → standing. */
import { nameRuntime, runtimeOf } from '../text/runtime-words.ts';
import { type BaselineCommit, type BaselineRecord, commitKey } from '../types/baseline.ts';
import type { ChangeNote, Era, Link, RowTrend, Trend } from '../types/trend.ts';
import type { Fraction, Warning } from '../types/units.ts';
import { liveChanges, mergeNotes } from './change-life.ts';
import { type Chain, erasByAnchor, findEras, linkEras, trendWarnings } from './eras.ts';
import { findChanges, leastStep, segmentsOf, toleranceOf } from './find-changes.ts';
import { findLevels, LEVEL_RULE, type LevelRule } from './find-levels.ts';
import { measurementsByRow, type RowMeasurements } from './measurements.ts';
import { type Branch, branchOf, rowPoints } from './row-points.ts';
import { type NewestLevel, newestLevel, standingOf } from './standing.ts';

export interface TrendOptions {
	readonly notes?: readonly ChangeNote[];
	/** Used in the evaluation. */
	readonly rule?: LevelRule;
}

/**
 * Returns the trend of all records, in any order (docs/baselines.md): log ratios with standard errors; negative is
 * worse. Duplicates count once.
 */
export function trendOf(records: readonly BaselineRecord[], options: TrendOptions = {}): Trend {
	const commits = orderCommits(records);
	const eras = findEras(records, commits);
	const branch = branchOf(commits, erasByAnchor(eras));
	const made = measurementsByRow(records).map((row) => rowTrend(row, { commits, eras, branch }, options));
	const standingRows = made.filter(({ newest }) => newest !== null).length;
	const links = made.flatMap((row) => row.chain.links);
	return {
		commits,
		eras,
		links,
		rows: made.map(({ row, newest, threshold }) => ({
			...row,
			standing: newest && standingOf(newest, standingRows, threshold),
		})),
		environments: environmentsOf(records),
		warnings: warningsOf(made, links, eras),
	};
}

interface Place {
	readonly commits: readonly BaselineCommit[];
	readonly eras: readonly Era[];
	readonly branch: Branch;
}

interface MadeRow {
	readonly row: Omit<RowTrend, 'standing'>;
	readonly newest: NewestLevel | null;
	readonly threshold: Fraction;
	readonly chain: Chain;
}

function rowTrend(row: RowMeasurements, { commits, eras, branch }: Place, options: TrendOptions): MadeRow {
	const chain = linkEras(row, eras);
	const { points: withRuns, gaps } = rowPoints(row, branch, chain);
	const { cell, server, scenario, metric } = row;
	const points = withRuns.map(({ point }) => point);
	const rule = options.rule ?? LEVEL_RULE;
	const levels = findLevels(withRuns, chain, rule);
	const segments = segmentsOf(levels);
	// Proofs do not count: their threshold is the size of their step.
	const threshold = row.all.findLast(({ record }) => record.purpose === 'level')?.cell.threshold ?? 0;
	const least = leastStep(threshold);
	const changePoints = findChanges({ cell, metric, points }, segments, levels.curve, commits, least);
	const noted = mergeNotes(row, changePoints, options.notes ?? [], commits);
	const tolerance = toleranceOf(threshold);
	const changes = liveChanges(row, noted, commits, { points, segments, curve: levels.curve, tolerance });
	return {
		chain,
		newest: newestLevel({ points: withRuns, gaps }, levels, eras, rule.shortest),
		threshold,
		row: { cell, server, scenario, metric, points, gaps, tau2: levels.tau2, segments, changes },
	};
}

function environmentsOf(records: readonly BaselineRecord[]): Trend['environments'] {
	const byId = Map.groupBy(records, ({ environmentId }) => environmentId);
	return [...byId].map(([id, of]) => {
		const { environment } = of.at(-1) as BaselineRecord;
		const { cpuModel, cpus, os } = environment;
		const node = environment.node.replace(/^v/, '');
		const ran = nameRuntime(runtimeOf({ ...environment, node }, 'head'));
		const description = `${cpuModel}, ${cpus} ${cpus === 1 ? 'CPU' : 'CPUs'}, ${os}, ${ran}`;
		return { id, description, records: of.length };
	});
}

function warningsOf(made: readonly MadeRow[], links: readonly Link[], eras: readonly Era[]): readonly Warning[] {
	const assumed = made.flatMap(({ row, chain }) =>
		chain.assumed.map((era) => ({ cell: row.cell, metric: row.metric, era })),
	);
	return trendWarnings(assumed, links, eras);
}

/**
 * Returns the commits of levels in branch order: by position if both have one, parents before children, else by time.
 * Time also settles contradictions (force pushes). Source: topological sort, Kahn 1962.
 */
export function orderCommits(records: readonly BaselineRecord[]): readonly BaselineCommit[] {
	const commits = new Map<string, BaselineCommit>();
	for (const { commit, purpose } of records) {
		if (purpose !== 'level') continue;
		const seenCommit = commits.get(commitKey(commit));
		// A record from a deeper clone knows the position.
		if (seenCommit === undefined || (seenCommit.position === null && commit.position !== null)) {
			commits.set(commitKey(commit), commit);
		}
	}
	return sortByEdges([...commits.values()].sort(byTime), edgesOf(commits));
}

type Edges = ReadonlyMap<string, readonly string[]>;

function edgesOf(commits: ReadonlyMap<string, BaselineCommit>): Edges {
	const edges = new Map<string, string[]>();
	const add = (before: string, after: string) => {
		const list = edges.get(before);
		if (list === undefined) edges.set(before, [after]);
		else list.push(after);
	};
	const placed = [...commits.values()].filter(({ position }) => position !== null).sort(byPosition);
	placed.slice(1).forEach((commit, index) => {
		add(commitKey(placed[index] as BaselineCommit), commitKey(commit));
	});
	for (const commit of commits.values()) {
		if (commit.parent !== null && commits.has(commit.parent)) add(commit.parent, commitKey(commit));
	}
	return edges;
}

/** In a cycle, the earliest commit comes first. */
function sortByEdges(commits: readonly BaselineCommit[], edges: Edges): BaselineCommit[] {
	const rank = new Map(commits.map((commit, index) => [commitKey(commit), index]));
	const waiting = new Map<string, number>();
	for (const after of edges.values()) for (const key of after) waiting.set(key, (waiting.get(key) ?? 0) + 1);
	const pendingKeys = new Set(rank.keys());
	const ready = commits.map(commitKey).filter((key) => !waiting.has(key));
	const sorted: BaselineCommit[] = [];
	while (pendingKeys.size > 0) {
		const key = ready.shift() ?? (pendingKeys.values().next().value as string);
		if (!pendingKeys.delete(key)) continue;
		sorted.push(commits[rank.get(key) as number] as BaselineCommit);
		for (const next of edges.get(key) ?? []) {
			const count = (waiting.get(next) ?? 0) - 1;
			waiting.set(next, count);
			if (count === 0) insertByRank(ready, next, rank);
		}
	}
	return sorted;
}

function insertByRank(ready: string[], key: string, rank: ReadonlyMap<string, number>): void {
	const keyRank = rank.get(key) as number;
	const at = ready.findIndex((other) => (rank.get(other) as number) > keyRank);
	ready.splice(at < 0 ? ready.length : at, 0, key);
}

function byTime(a: BaselineCommit, b: BaselineCommit): number {
	return a.committedAt < b.committedAt ? -1 : a.committedAt > b.committedAt ? 1 : byKey(a, b);
}

function byPosition(a: BaselineCommit, b: BaselineCommit): number {
	return (a.position as number) - (b.position as number) || byTime(a, b);
}

function byKey(a: BaselineCommit, b: BaselineCommit): number {
	return commitKey(a) < commitKey(b) ? -1 : 1;
}
