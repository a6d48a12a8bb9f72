import { type BaselineCommit, type BaselineRecord, commitKey } from '../types/baseline.ts';

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
