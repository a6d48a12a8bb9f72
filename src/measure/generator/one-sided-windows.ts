/** Order, lengths and pairing of one-sided windows. */
import type { Design } from '../../types/config.ts';
import type { Timing } from '../../types/plan.ts';
import type { Window } from '../../types/round.ts';
import { type Fraction, otherSide, type Seconds, SIDES, type Side, type Sides } from '../../types/units.ts';

/**
 * Fewest laps of a window (in a lap each connection gets all its answers). A server that waits may answer all
 * connections at once, so windows contain whole laps.
 */
const FEWEST_LAPS = 8;

/** Laps until a rested side answers evenly again. */
const SETTLE_LAPS = 3;

/** Windows until it is known whether a server stops. */
const FIRST_WINDOWS = 8;

/** Least difference between the sides' stopped time: the machine stops both. */
const LEAST_MORE: Fraction = 0.1;

/** With fewer stops, windows differ much by one stop. */
const FEWEST_STOPS = 8;

const LONGEST_STRETCHED: Seconds = 0.2;

export type WindowLengths = Pick<Timing, 'windows' | 'windowSeconds' | 'settleSeconds'>;

interface WindowParts {
	readonly first: WindowLengths;
	/** `stops` in milliseconds. */
	readonly rest: (stops: Sides<readonly number[]>, counted: Sides<Seconds>) => WindowLengths | null;
}

/** Returns ABBA ABBA in `alternating`, one side before the other in `sequential`, nothing in a duet. */
export function singleOrder(design: Design, first: Side, windows: number): Side[] {
	const second = otherSide(first);
	if (design === 'duet') return [];
	if (design === 'sequential') return [...Array<Side>(windows).fill(first), ...Array<Side>(windows).fill(second)];
	return Array.from({ length: windows }, (_, index) => (index % 2 === 0 ? [first, second] : [second, first])).flat();
}

/** Joins the n-th windows of base and head; drops unpaired ones. */
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

/** Returns windows that fit laps of `lap` seconds in the same counted time: fewer for a long lap, at least two. */
export function fitWindows({ windows, windowSeconds, settleSeconds }: WindowLengths, lap: Seconds): WindowLengths {
	const total = windows * windowSeconds;
	const settled = { settleSeconds: Math.max(settleSeconds, Math.min(SETTLE_LAPS * lap, total / 2)) };
	const wanted = FEWEST_LAPS * lap;
	if (wanted <= windowSeconds || windows <= 2) return { windows, windowSeconds, ...settled };
	return { ...evenWindows(total, wanted), ...settled };
}

/**
 * Splits the windows: a server that stops now and then to collect garbage needs longer ones in the same counted time,
 * because short ones would differ by whole stops. `isStretched` is false at a fixed rate.
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

/** Time-weighted median of the stops (ms). */
function typicalOf(stops: readonly number[]): number {
	let timeLeft = sum(stops) / 2;
	for (const stop of stops.toSorted((one, other) => other - one)) {
		timeLeft -= stop;
		if (timeLeft <= 0) return stop;
	}
	return 0;
}

function sum(values: readonly number[]): number {
	return values.reduce((total, value) => total + value, 0);
}

/** ABBA is balanced only for an even number of windows. */
function evenWindows(total: Seconds, wanted: Seconds): Pick<WindowLengths, 'windows' | 'windowSeconds'> {
	const windows = 2 * Math.max(1, Math.round(total / wanted / 2));
	return { windows, windowSeconds: total / windows };
}
