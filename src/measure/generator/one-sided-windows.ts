/** Windows that load one side alone: whose turn it is, and which belong together. */
import type { Design } from '../../types/config.ts';
import type { Timing } from '../../types/plan.ts';
import type { Window } from '../../types/round.ts';
import { type Fraction, otherSide, type Seconds, SIDES, type Side, type Sides } from '../../types/units.ts';

/**
 * Fewest laps of a window; in a lap each connection gets all its answers. A server that waits may answer all connections at once, and a
 * window of its is then so many whole laps.
 */
const FEWEST_LAPS = 8;

/** Laps after which a side that has rested is taken to answer evenly again. */
const SETTLE_LAPS = 3;

/** Windows after which it is known whether a server stops. */
const FIRST_WINDOWS = 8;

/** A side stops if it does for so much more of its time than the other one: what both meet is the machine's doing. */
const LEAST_MORE: Fraction = 0.1;

/** Fewest stops that a window holds: they come and go, and windows with one more or less differ much. */
const FEWEST_STOPS = 8;

const LONGEST_STRETCHED: Seconds = 0.2;

/** How many windows each side gets, how long each, and load before it that is not counted. */
export type WindowLengths = Pick<Timing, 'windows' | 'windowSeconds' | 'settleSeconds'>;

/** Windows of one length, and then those that are left, in a length that suits what was seen in the first. */
interface WindowParts {
	readonly first: WindowLengths;
	/** `stops`: milliseconds of each time without an answer, of `counted` seconds. */
	readonly rest: (stops: Sides<readonly number[]>, counted: Sides<Seconds>) => WindowLengths | null;
}

/**
 * Returns the sides of the one-sided windows in order: ABBA ABBA in `alternating`; in `sequential` one side's after the other's;
 * none in a duet.
 */
export function singleOrder(design: Design, first: Side, windows: number): Side[] {
	const second = otherSide(first);
	if (design === 'duet') return [];
	if (design === 'sequential') return [...Array<Side>(windows).fill(first), ...Array<Side>(windows).fill(second)];
	return Array.from({ length: windows }, (_, index) => (index % 2 === 0 ? [first, second] : [second, first])).flat();
}

/** Returns the n-th one-sided window of base with the n-th of head as one; what has no counterpart is left out. */
export function pairUp(single: readonly Window[]): Window[] {
	const heads = single.filter((window) => window.head !== null);
	return single
		.filter((window) => window.base !== null)
		.flatMap((base, index) => {
			const head = heads[index];
			return head === undefined ? [] : [join(base, head)];
		});
}

function join(base: Window, head: Window): Window {
	return {
		kind: base.kind,
		startedAt: Math.min(base.startedAt, head.startedAt),
		base: base.base,
		head: head.head,
		generatorUtilisation: Math.max(base.generatorUtilisation, head.generatorUtilisation),
		generatorCpuSeconds: base.generatorCpuSeconds + head.generatorCpuSeconds,
		otherCpu: base.otherCpu === null || head.otherCpu === null ? null : (base.otherCpu + head.otherCpu) / 2,
		serverCpuIdle:
			base.serverCpuIdle === null || head.serverCpuIdle === null ? null : base.serverCpuIdle + head.serverCpuIdle,
	};
}

// How many windows each side gets in turn with the other one, and how long they are. Pure.

/**
 * Returns windows that are long enough for servers whose lap takes `lap` seconds. Each side is counted for the same time in all,
 * in fewer windows where a lap is long, at least in two.
 */
export function fitWindows({ windows, windowSeconds, settleSeconds }: WindowLengths, lap: Seconds): WindowLengths {
	const total = windows * windowSeconds;
	const settled = { settleSeconds: Math.max(settleSeconds, Math.min(SETTLE_LAPS * lap, total / 2)) };
	const wanted = FEWEST_LAPS * lap;
	if (wanted <= windowSeconds || windows <= 2) return { windows, windowSeconds, ...settled };
	return { ...evenWindows(total, wanted), ...settled };
}

/**
 * Returns the windows in two parts, so that a server which stops now and then, to collect garbage, gets longer ones: its short windows
 * differ by whole stops. Each side is counted for the same time in all. `isStretched` is false where requests come at a rate.
 */
export function partWindows(lengths: WindowLengths, isStretched: boolean): WindowParts {
	if (!isStretched || lengths.windows <= FIRST_WINDOWS) return { first: lengths, rest: () => null };
	const { windowSeconds, settleSeconds } = lengths;
	const windows = lengths.windows - FIRST_WINDOWS;
	return {
		first: { ...lengths, windows: FIRST_WINDOWS },
		rest(stops, counted) {
			const shares = SIDES.map((side) => sum(stops[side]) / 1000 / counted[side]);
			const most = Math.max(...shares);
			const side = SIDES[shares.indexOf(most)];
			if (side === undefined || !(most - Math.min(...shares) >= LEAST_MORE)) return { ...lengths, windows };
			const wanted = Math.min(LONGEST_STRETCHED, (FEWEST_STOPS * typicalOf(stops[side])) / 1000);
			if (wanted <= windowSeconds) return { ...lengths, windows };
			return { ...evenWindows(windows * windowSeconds, wanted), settleSeconds };
		},
	};
}

/** The stop in which half of all the time of stops is in longer ones, milliseconds. */
function typicalOf(stops: readonly number[]): number {
	let left = sum(stops) / 2;
	for (const stop of stops.toSorted((one, other) => other - one)) {
		left -= stop;
		if (left <= 0) return stop;
	}
	return 0;
}

function sum(values: readonly number[]): number {
	return values.reduce((total, value) => total + value, 0);
}

/** Windows of about `wanted` seconds that last `total` together. ABBA is balanced where their number is even. */
function evenWindows(total: Seconds, wanted: Seconds): Pick<WindowLengths, 'windows' | 'windowSeconds'> {
	const windows = 2 * Math.max(1, Math.round(total / wanted / 2));
	return { windows, windowSeconds: total / windows };
}
