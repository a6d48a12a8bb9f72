/** Groups changes with one cause, and chooses those to prove. */
import type { ChangePoint, RowTrend, Trend } from '../types/trend.ts';

/** After this many undecided duets, a change stays suspected. */
const MOST_TRIES = 3;

/** Number of measured commits. Older changes are not bisected. */
const RECENT = 40;

export interface RowChange {
	readonly row: RowTrend;
	readonly change: ChangePoint;
}

export interface ChangeGroup {
	/** The most certain first. */
	readonly changes: readonly [RowChange, ...RowChange[]];
	/** Index into `Trend.commits` of the last commit before all changes, and of the last candidate. */
	readonly before: number;
	readonly after: number;
}

/** Returns the `wanted` changes, grouped by candidates, latest first. */
export function groupChanges({ rows }: Pick<Trend, 'rows'>, wanted: (change: ChangePoint) => boolean): ChangeGroup[] {
	const all = rows.flatMap((row) => row.changes.filter(wanted).map((change) => ({ row, change })));
	const groups: RowChange[][] = [];
	for (const one of all.toSorted((a, b) => firstOf(a) - firstOf(b))) {
		const together = groups.find((group) => group.some((other) => isSameStep(one, other)));
		if (together === undefined) groups.push([one]);
		else together.push(one);
	}
	return groups.map(groupOf).sort((a, b) => b.after - a.after);
}

export function isSameStep({ change: one }: RowChange, { change: other }: RowChange): boolean {
	if (Math.sign(one.step) !== Math.sign(other.step)) return false;
	return one.candidates.some(({ commit }) => other.candidates.some((candidate) => candidate.commit === commit));
}

export function groupOf(changes: readonly RowChange[]): ChangeGroup {
	const sure = changes.toSorted((a, b) => sureness(b) - sureness(a)) as [RowChange, ...RowChange[]];
	return {
		changes: sure,
		before: Math.min(...changes.map(beforeOf)),
		after: Math.max(...changes.flatMap(({ change }) => change.candidates.map(({ commit }) => commit))),
	};
}

function sureness({ change: { step, se } }: RowChange): number {
	return Math.abs(step) / se;
}

function firstOf({ change }: RowChange): number {
	return Math.min(...change.candidates.map(({ commit }) => commit));
}

function beforeOf(one: RowChange): number {
	const first = firstOf(one);
	return one.row.points.findLast(({ commit }) => commit < first)?.commit ?? Math.max(0, first - 1);
}

/** Returns the losses that need a proof, grouped by duet, latest first. */
export function chooseProofs(trend: Trend, canMeasure: (row: RowTrend) => boolean): readonly ChangeGroup[] {
	const rows = trend.rows.filter(canMeasure);
	const isRecent = ({ candidates }: ChangePoint) =>
		candidates.some(({ commit }) => commit >= trend.commits.length - RECENT);
	return groupChanges({ rows }, (change) => isUnproven(change) && isRecent(change));
}

function isUnproven({ step, state, proof }: ChangePoint): boolean {
	return step < 0 && state === 'suspected' && (proof?.tries ?? 0) < MOST_TRIES;
}
