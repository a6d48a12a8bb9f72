import { type BaselineCommit, commitKey } from '../types/baseline.ts';
import type { ChangeNote, ChangePoint, RowTrend } from '../types/trend.ts';
import { compareText } from './measurements.ts';

/**
 * Returns `changes` with what notes say of them. A note belongs to the change with its id; else to the change of the same row
 * among whose candidates is the commit its id names, because with more points the first suspected commit may move. The change
 * then keeps the older id, so that issues and links stay true. The latest note counts; its issue, and what a bisect named, are the
 * latest that were noted.
 */
export function mergeNotes(
	row: Pick<RowTrend, 'cell' | 'metric'>,
	changes: readonly ChangePoint[],
	notes: readonly ChangeNote[],
	commits: readonly BaselineCommit[],
): readonly ChangePoint[] {
	const prefix = `${row.cell} ${row.metric} @`;
	const own = notes.filter(({ id }) => id.startsWith(prefix)).toSorted((a, b) => compareText(a.at, b.at));
	const ids = [...new Set(own.map(({ id }) => id))];
	const taken = new Set(changes.map(({ id }) => id).filter((id) => ids.includes(id)));
	return changes.map((change) => {
		const id = taken.has(change.id) ? change.id : nearestId(change, ids, prefix, commits, taken);
		if (id === null) return change;
		taken.add(id);
		const said = own.filter((candidate) => candidate.id === id);
		const last = said.at(-1) as ChangeNote;
		const issue = said.findLast((note) => note.issue !== null)?.issue ?? null;
		const { commit, named } = said.findLast((note) => note.named !== undefined) ?? last;
		const found = named === undefined ? {} : { named, commit: commit ?? null };
		return { ...change, id, state: last.state, note: { ...last, issue, ...found } };
	});
}

/** The id whose commit is the most probable of the change's candidates. */
function nearestId(
	{ candidates }: ChangePoint,
	ids: readonly string[],
	prefix: string,
	commits: readonly BaselineCommit[],
	taken: ReadonlySet<string>,
): string | null {
	for (const { commit } of candidates.toSorted((a, b) => b.probability - a.probability)) {
		const key = commitKey(commits[commit] as BaselineCommit);
		const found = ids.find((id) => !taken.has(id) && key.startsWith(id.slice(prefix.length)));
		if (found !== undefined) return found;
	}
	return null;
}
