import { type BaselineCommit, type BaselineRecord, commitKey } from '../types/baseline.ts';
import type { Era } from '../types/trend.ts';

/**
 * Returns the eras in the order of their first commits. A commit that was measured against several anchors belongs to the
 * latest of them: to the earlier ones it is a closure.
 */
export function findEras(records: readonly BaselineRecord[], commits: readonly BaselineCommit[]): readonly Era[] {
	const order = new Map(commits.map((commit, index) => [commitKey(commit), index]));
	const eras = new Map<string, { anchor: Era['anchor']; first: number; last: number; since: string }>();
	for (const { purpose, commit, anchor, createdAt } of records) {
		const at = order.get(commitKey(commit));
		if (purpose !== 'level' || at === undefined) continue;
		const era = eras.get(commitKey(anchor)) ?? { anchor, first: at, last: at, since: createdAt };
		era.first = Math.min(era.first, at);
		era.last = Math.max(era.last, at);
		if (createdAt < era.since) era.since = createdAt;
		eras.set(commitKey(anchor), era);
	}
	return [...eras.values()]
		.sort((a, b) => a.first - b.first || (a.since < b.since ? -1 : 1))
		.map(({ anchor, first, last }, index) => ({ index, anchor, first, last }));
}

/** Returns the index of an era by its anchor's key. */
export function erasByAnchor(eras: readonly Era[]): ReadonlyMap<string, number> {
	return new Map(eras.map(({ anchor, index }) => [commitKey(anchor), index]));
}
