/** Groups changes of several rows that have one cause, and chooses those to prove. */
import type { ChangePoint, RowTrend, Trend } from '../types/trend.ts';

/** Duets of a change that decide nothing, after which it stays a suspicion. */
const MOST_TRIES = 3;

/** What is older, in measured commits, is history: nobody bisects it. */
const RECENT = 40;

/** A change, and the row it is in. */
export interface RowChange {
	readonly row: RowTrend;
	readonly change: ChangePoint;
}

/** Changes of several rows that one commit can explain. */
export interface ChangeGroup {
	/** The surest first. */
	readonly changes: readonly [RowChange, ...RowChange[]];
	/** Index into `Trend.commits` of the last commit before all of them, and of the last that may be the first changed one. */
	readonly before: number;
	readonly after: number;
}

/** Returns the changes that `wanted` names, those together whose candidates overlap; the latest group first. */
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

/** Returns whether one commit can explain both: they go the same way, and may have begun at the same commit. */
export function isSameStep({ change: one }: RowChange, { change: other }: RowChange): boolean {
	if (Math.sign(one.step) !== Math.sign(other.step)) return false;
	return one.candidates.some(({ commit }) => other.candidates.some((candidate) => candidate.commit === commit));
}

/** Returns changes as a group. */
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

/** The commit of the row's point before the first that may be changed. */
function beforeOf(one: RowChange): number {
	const first = firstOf(one);
	return one.row.points.findLast(({ commit }) => commit < first)?.commit ?? Math.max(0, first - 1);
}

// Which suspected slowdowns to prove next.

/** Returns the losses to prove, the latest first, several rows together where one duet can prove them. */
export function chooseProofs(trend: Trend, canMeasure: (row: RowTrend) => boolean): readonly ChangeGroup[] {
	const rows = trend.rows.filter(canMeasure);
	const isRecent = ({ candidates }: ChangePoint) =>
		candidates.some(({ commit }) => commit >= trend.commits.length - RECENT);
	return groupChanges({ rows }, (change) => isUnproven(change) && isRecent(change));
}

function isUnproven({ step, state, proof }: ChangePoint): boolean {
	return step < 0 && state === 'suspected' && (proof?.tries ?? 0) < MOST_TRIES;
}
