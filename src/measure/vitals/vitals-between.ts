import type { Vitals } from '../../types/round.ts';
import type { Seconds } from '../../types/units.ts';
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
