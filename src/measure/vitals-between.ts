import type { CellRound, Vitals, Window } from '../types/round.ts';
import { otherSide, type Seconds, SIDES, type Side } from '../types/units.ts';
import type { Pair } from './pair.ts';
import type { Telling } from './tell-vitals.ts';

const MS_PER_SECOND = 1000;

/**
 * Returns what a server's processes told between two readings of its output; null where none told at both. Time in collections is
 * set against the time the loops were active, which is what a server that is not alone on its CPU can be compared by. Utilisation
 * is that of the busiest process: a command that only started the others idles. `rested` is how long nothing was asked of the
 * server, which is no idling.
 */
export function vitalsBetween(
	before: readonly Telling[],
	after: readonly Telling[],
	rested: Seconds = 0,
): Vitals | null {
	const [first, last] = [lastOfEach(before), lastOfEach(after)];
	const spans = [...last.values()].flatMap((end) => {
		const begin = first.get(end.pid);
		if (begin === undefined || end.at <= begin.at) return [];
		const between = after.filter(({ pid, at }) => pid === end.pid && at > begin.at);
		return [
			{
				time: rise(begin.time, end.time),
				count: rise(begin.count, end.count),
				active: rise(begin.active, end.active),
				idle: rise(begin.idle, end.idle),
				longest: Math.max(...between.map(({ longest }) => longest)),
			},
		];
	});
	const busiest = spans.toSorted((one, other) => other.active - one.active)[0];
	if (busiest === undefined || busiest.active === 0) return null;
	const total = (key: 'time' | 'count' | 'active') => spans.reduce((sum, span) => sum + span[key], 0);
	return {
		gcShare: Math.min(1, total('time') / total('active')),
		gcCount: total('count'),
		gcLongest: Math.max(...spans.map(({ longest }) => longest)) / MS_PER_SECOND,
		loopActive: busiest.active / (busiest.active + Math.max(0, busiest.idle - rested * MS_PER_SECOND)),
	};
}

/** Sums only grow; what falls was made up. */
function rise(begin: number, end: number): number {
	return Math.max(0, end - begin);
}

function lastOfEach(tellings: readonly Telling[]): ReadonlyMap<number, Telling> {
	return new Map(tellings.map((telling) => [telling.pid, telling]));
}

/**
 * Returns a function that takes the windows since now, and returns what the servers of a pair have reported about themselves meanwhile;
 * nothing where they were not asked to.
 */
export function listenToVitals(pair: Pair, asked = false): (windows: readonly Window[]) => Pick<CellRound, 'vitals'> {
	if (!asked) return () => ({});
	const [base, head] = SIDES.map((side) => pair[side].tellings());
	const since = (side: Side, windows: readonly Window[], before = side === 'base' ? base : head) =>
		vitalsBetween(before ?? [], pair[side].tellings(), restedIn(windows, side));
	return (windows) => ({ vitals: { base: since('base', windows), head: since('head', windows) } });
}

/** How long a side had nothing to do because it was the other one's turn. */
function restedIn(windows: readonly Window[], side: Side): Seconds {
	const others = windows.flatMap((window) => (window.kind === 'alternating' ? (window[otherSide(side)] ?? []) : []));
	return others.reduce((sum, { seconds }) => sum + seconds, 0);
}
