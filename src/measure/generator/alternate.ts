/**
 * Short windows of one side after the other, while both processes run and connections stay open. Neighbours in time see nearly the
 * same machine, so a ratio of what the sides do alone is known nearly as well as in a duet (decision 0056).
 */
import { listTree } from '../../process/process-tree.ts';
import { readSideTimes, type SideSource, sideUsedBetween } from '../../process/side-times.ts';
import type { LatencyHistogram, Window, WindowSide } from '../../types/round.ts';
import { type Fraction, otherSide, type Seconds, SIDES, type Side, type Sides } from '../../types/units.ts';
import { finishWork, watchLateWork, withAfterwork } from './afterwork.ts';
import type { RestingClient } from './client.ts';
import type { EventLoop } from './event-loop.ts';
import { sleep } from './load-stopped.ts';
import type { TurnOrder } from './messages.ts';
import { fitWindows, pairUp, partWindows, singleOrder, type WindowLengths } from './one-sided-windows.ts';
import { cutWindow, type Loaded, watchOthers } from './window.ts';

/** Laps are timed for so long, and the shortest counts: one may have met a collection of garbage. */
const LAPS_SECONDS: Seconds = 0.05;
const MOST_LAPS = 3;
/** Servers close connections on which nothing was asked for some seconds: for a longer rest they are closed, and opened anew. */
const LONGEST_REST: Seconds = 1;
/** How long a side may take to answer next, or all it owes when it is to rest: each time, and in all windows together beyond a lap each. */
const MOST_OWED_MS = 1_000;
const MOST_WAITED_MS = 10_000;
/** How long what is left to do may take after one window; and after all in which it did not end, before it is waited for no more. */
const LONGEST_AFTERWORK_MS = 200;
const MOST_AFTERWORK_MS = 1_000;

/** What is loaded, and with what. */
export interface Alternating {
	readonly order: TurnOrder;
	readonly loaded: Sides<Loaded>;
	/** Opens the connections of a side and loads it. */
	readonly open: (side: Side) => RestingClient;
	/** Renews learnt values that may expire, while neither side is loaded. */
	readonly renew: () => Promise<void>;
	readonly loop: EventLoop;
	readonly signal: AbortSignal;
	/** Called after each window, while neither side is loaded. */
	readonly onWindow: () => void;
}

/** Returns the windows of both sides. Throws LoadStopped when `signal` aborts. */
export async function alternate(alternating: Alternating): Promise<Window[]> {
	const { order, loaded, renew, loop, signal, onWindow } = alternating;
	await renew();
	const { lap, lengths, begin, untilAnswer, end, finish, close } = await takeTurns(alternating);
	const others = watchOthers(loaded, order);
	const listSide = (side: Side): SideSource => {
		const { pid, group } = loaded[side];
		return { ...(group !== undefined && { group }), tree: listTree(pid) };
	};
	const sources = { base: listSide('base'), head: listSide('head') };
	// What the warm-up has left to do.
	for (const side of SIDES) await finish(side, sources[side]);
	const single: Window[] = [];
	const cut = async ({ windows, windowSeconds, settleSeconds }: WindowLengths) => {
		for (const side of singleOrder('alternating', order.turn.windowFirst, windows)) {
			await renew();
			// To list processes takes milliseconds in which no answer is read, so it is done while nothing is loaded.
			sources[side] = listSide(side);
			const known = { ...loaded, [side]: { ...loaded[side], tree: sources[side].tree } };
			const restingUsed = watchUse(sources[otherSide(side)]);
			const began = performance.now();
			const client = begin(side);
			// Windows must not keep step with a server that answers all connections at once.
			await sleep(settleSeconds + Math.random() * lap, signal);
			const edge = () => untilAnswer(side);
			const window = await cutWindow('alternating', known, [side], windowSeconds, order, loop, signal, edge);
			const lateWork = watchLateWork(sources[side], loaded[side].counter);
			const resting = restingUsed();
			await end(client);
			const loadedSeconds = (performance.now() - began) / 1000;
			const finished = await finish(side, sources[side]);
			const late = lateWork(window[side]);
			const used = finished === null && late === 0 ? null : Math.max(finished ?? 0, late);
			onWindow();
			await close(client);
			const settled = withLatency(window, side, loaded[side].counter.settledLatency());
			const charged = withAfterwork(settled, side, used === null ? null : { used, loadedSeconds }, order);
			single.push(withResting(charged, side, resting));
		}
	};
	const { first, rest } = partWindows(lengths, order.load.rate === undefined);
	await cut(first);
	const stops = { base: loaded.base.counter.stops, head: loaded.head.counter.stops };
	const left = rest(stops, { base: countedIn(single, 'base'), head: countedIn(single, 'head') });
	if (left !== null) await cut(left);
	// The machine counts in ticks, which are too coarse for one short window.
	const otherCpu = others();
	return pairUp(single).map((window) => ({ ...window, otherCpu }));
}

function countedIn(windows: readonly Window[], side: Side): Seconds {
	return windows.reduce((total, window) => total + (window[side]?.seconds ?? 0), 0);
}

/** How sides take turns, once it is known how long they take to answer. */
interface Turns {
	readonly lap: Seconds;
	readonly lengths: WindowLengths;
	/** Loads a side that rests. */
	readonly begin: (side: Side) => RestingClient;
	/**
	 * Resolves when a side answers next: where windows begin and end. If a server stops, all of the stop then lies in the window, or
	 * before it; what lay in the rest after it would be missing, and short windows would show more requests per second than there are
	 * (Wald's identity: the sum of the times between answers, up to the first that ends after a given time, has the mean of their number
	 * times the mean of one).
	 */
	readonly untilAnswer: (side: Side) => Promise<void>;
	/** Has it rest again, and waits for what it is owed. */
	readonly end: (client: RestingClient) => Promise<void>;
	/** Waits until its processes have done what is left to do, and returns the CPU time of that; null where nobody can tell. */
	readonly finish: (side: Side, source: SideSource) => Promise<Seconds | null>;
	/** Closes its connections where the other side's window is too long to keep them: what that costs is none of the work for answers. */
	readonly close: (client: RestingClient) => Promise<void>;
}

/** Opens both sides, times their laps, and leaves both at rest. */
async function takeTurns({ order: { turn, timing, load }, loaded, open, signal }: Alternating): Promise<Turns> {
	const clients = new Map<Side, RestingClient>();
	for (const side of [turn.clientFirst, otherSide(turn.clientFirst)]) {
		const client = open(side);
		clients.set(side, client);
		await client.rest();
	}
	let lap: Seconds = 0;
	// At a fixed rate requests do not wait for each other.
	if (load.rate === undefined)
		for (const client of clients.values()) lap = Math.max(lap, await timeLap(client, signal));
	const lengths = fitWindows(timing, lap);
	const isKept = 2 * (lengths.settleSeconds + lengths.windowSeconds) <= LONGEST_REST;
	if (!isKept) for (const client of clients.values()) await client.close();
	let patience = MOST_WAITED_MS;
	const afterwork = { base: MOST_AFTERWORK_MS, head: MOST_AFTERWORK_MS };
	/** Waits no longer than a side may take, this time and in all. */
	const wait = async (isDone: (mostMs: number) => Promise<void>) => {
		const began = performance.now();
		await isDone(Math.min(MOST_OWED_MS, patience));
		patience = Math.max(0, patience - Math.max(0, performance.now() - began - lap * 1000));
	};
	return {
		lap,
		lengths,
		begin(side) {
			const client = clients.get(side);
			if (client === undefined || !isKept) return open(side);
			client.resume();
			return client;
		},
		untilAnswer: (side) => wait((mostMs) => loaded[side].counter.next(mostMs)),
		async end(client) {
			await wait((mostMs) => client.rest(mostMs));
		},
		async close(client) {
			if (!isKept) await client.close();
		},
		async finish(side, source) {
			const began = performance.now();
			const used = await finishWork(source, Math.min(LONGEST_AFTERWORK_MS, afterwork[side]));
			// Who always does something is not waited for again and again.
			if (used === null) afterwork[side] = Math.max(0, afterwork[side] - (performance.now() - began));
			return used;
		},
	};
}

/**
 * Returns a window of `side` with these latencies, of what was sent in it. Those of what was answered in it lack the longest: load begins
 * just before a window, so few long stops reach over its begin, and many over its end, with all that waits for them.
 */
function withLatency(window: Window, side: Side, latency: LatencyHistogram): Window {
	return { ...window, [side]: window[side] && { ...window[side], latency } };
}

/** Returns a window of `side` with what the other one used of a CPU since it rests; null where nobody can tell. */
export function withResting(window: Window, side: Side, resting: Fraction | null): Window {
	const own: WindowSide | null = window[side];
	const restingCpuSeconds = resting === null ? null : resting * (own?.seconds ?? 0);
	return { ...window, [side]: own && { ...own, restingCpuSeconds } };
}

/** Returns a function that gives a side's CPU use from now on, as a share of one CPU; null where unknown. */
export function watchUse(source: SideSource): () => Fraction | null {
	const began = performance.now();
	const before = readSideTimes(source);
	return () => {
		const used = sideUsedBetween(before, readSideTimes(source));
		return used === null ? null : (used * 1000) / (performance.now() - began);
	};
}

/** Returns how long the connections of a client that rests take to get all their answers once. */
async function timeLap(client: RestingClient, signal: AbortSignal): Promise<Seconds> {
	const began = performance.now();
	let shortest = Number.POSITIVE_INFINITY;
	for (let lap = 0; lap < MOST_LAPS && performance.now() - began < LAPS_SECONDS * 1000; lap++) {
		await sleep(0, signal);
		const started = performance.now();
		client.resume();
		await client.rest();
		shortest = Math.min(shortest, performance.now() - started);
	}
	return shortest / 1000;
}
