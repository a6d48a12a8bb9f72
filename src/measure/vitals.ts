/** Vitals that a server on Node prints to stderr. Code under test could forge them: they decide nothing. */
import type { CellRound, Vitals, Window } from '../types/round.ts';
import { otherSide, type Seconds, SIDES, type Side, type Sides } from '../types/units.ts';

const MARK = '[benchgate-vitals';

const TELL_MS = 250;

/**
 * Fields: process id; milliseconds since the epoch; since the process began, time in collections, their number, time the
 * loop was active, and idle; longest collection since the previous line. Worker threads print nothing.
 */
const PROGRAM = `
import { writeSync } from 'node:fs';
import { performance, PerformanceObserver } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';
if (isMainThread) {
	let [time, count, longest] = [0, 0, 0];
	new PerformanceObserver((list) => {
		for (const { duration } of list.getEntries()) {
			time += duration;
			count++;
			if (duration > longest) longest = duration;
		}
	}).observe({ entryTypes: ['gc'] });
	const tell = () => {
		const { active, idle } = performance.eventLoopUtilization();
		const told = [process.pid, Date.now(), time, count, active, idle, longest];
		longest = 0;
		try {
			writeSync(2, '\\n${MARK} ' + told.join(' ') + ']\\n');
		} catch {}
	};
	tell();
	setInterval(tell, ${TELL_MS}).unref();
}
`;

/** Encoded: NODE_OPTIONS is split at spaces. A data URL: the server may not be allowed to read our files. */
export const TELL_FLAG = `--import=data:text/javascript,${encodeURIComponent(PROGRAM)}`;

/** Times in milliseconds. */
export interface Telling {
	readonly pid: number;
	readonly at: number;
	readonly time: number;
	readonly count: number;
	readonly active: number;
	readonly idle: number;
	readonly longest: number;
}

export function isTelling(line: string): boolean {
	return line.startsWith(MARK);
}

export function readTellings(output: string): readonly Telling[] {
	return output.split('\n').flatMap((line) => {
		if (!isTelling(line) || !line.endsWith(']')) return [];
		const numbers = line
			.slice(MARK.length + 1, -1)
			.split(' ')
			.map(Number);
		const [pid = 0, at = 0, time = 0, count = 0, active = 0, idle = 0, longest = 0] = numbers;
		const isWhole = numbers.length === 7 && numbers.every((number) => Number.isFinite(number) && number >= 0);
		return isWhole ? [{ pid, at, time, count, active, idle, longest }] : [];
	});
}

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
	pair: Sides<{ tellings(): readonly Telling[] }>,
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
