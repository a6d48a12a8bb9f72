import type { CellRound, Vitals, Window } from '../types/round.ts';
import { otherSide, type Seconds, SIDES, type Side } from '../types/units.ts';
import type { Pair } from './pair.ts';
import type { Telling } from './tell-vitals.ts';

const MS_PER_SECOND = 1000;

/**
 * Returns vitals between two readings of a server's output; null if no process is in both. GC is a share of active
 * time, utilisation that of the busiest process. `rested`, time without load, is not idle.
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

/** Totals fall only if they are forged. */
function rise(begin: number, end: number): number {
	return Math.max(0, end - begin);
}

function lastOfEach(tellings: readonly Telling[]): ReadonlyMap<number, Telling> {
	return new Map(tellings.map((telling) => [telling.pid, telling]));
}

/** Returns a function that turns the windows since now into the vitals of that time. */
export function listenToVitals(
	pair: Pair,
	isListening = false,
): (windows: readonly Window[]) => Pick<CellRound, 'vitals'> {
	if (!isListening) return () => ({});
	const [base, head] = SIDES.map((side) => pair[side].tellings());
	const since = (side: Side, windows: readonly Window[], before = side === 'base' ? base : head) =>
		vitalsBetween(before ?? [], pair[side].tellings(), restedIn(windows, side));
	return (windows) => ({ vitals: { base: since('base', windows), head: since('head', windows) } });
}

/** Time in which only the other side was loaded. */
function restedIn(windows: readonly Window[], side: Side): Seconds {
	const others = windows.flatMap((window) => (window.kind === 'alternating' ? (window[otherSide(side)] ?? []) : []));
	return others.reduce((sum, { seconds }) => sum + seconds, 0);
}
