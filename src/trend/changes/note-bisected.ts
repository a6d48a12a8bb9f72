import { commitKey } from '../../types/baseline.ts';
import type { Bisected, ChangeNote, ChangePoint, Trend } from '../../types/trend.ts';
import { covers } from './find-proofs.ts';

/**
 * Returns what to note when a bisect has named a commit: on the change of the same row and direction that may have begun at
 * that commit, else on the only one that lies in the range. Null when there is none, or somebody has accepted it, or it is repaired.
 */
export function bisectedNote({ rows, commits }: Trend, bisected: Bisected, at: string): ChangeNote | null {
	const { server, scenario, metric, named } = bisected;
	const row = rows.find((one) => one.server === server && one.scenario === scenario && one.metric === metric);
	const order = new Map(commits.map((commit, index) => [commitKey(commit), index]));
	const open = (row?.changes ?? []).filter(
		({ step, state }) => Math.sign(step) === Math.sign(bisected.step) && state !== 'accepted' && state !== 'repaired',
	);
	const change =
		changeAt(open, order.get(named.commit)) ?? onlyIn(open, order.get(bisected.good), order.get(bisected.bad));
	if (change === null) return null;
	const commit = named.skipped === 0 ? named.commit : null;
	return { id: change.id, state: 'bisected', by: 'bisect', at, issue: change.note?.issue ?? null, commit, named };
}

/** The change that is most probable to have begun at a commit. */
function changeAt(changes: readonly ChangePoint[], commit: number | undefined): ChangePoint | null {
	const chance = ({ candidates }: ChangePoint) => candidates.find((one) => one.commit === commit)?.probability ?? 0;
	const [best] = changes.toSorted((a, b) => chance(b) - chance(a));
	return best !== undefined && chance(best) > 0 ? best : null;
}

/** Not every commit of main is measured, so that a bisect may name one that the curve does not know. */
function onlyIn(
	changes: readonly ChangePoint[],
	good: number | undefined,
	bad: number | undefined,
): ChangePoint | null {
	if (good === undefined || bad === undefined) return null;
	const inside = changes.filter((change) => covers(change, good, bad));
	return inside.length === 1 ? (inside[0] ?? null) : null;
}
