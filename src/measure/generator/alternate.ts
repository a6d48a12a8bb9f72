/**
 * Adjacent short windows of alternating sides see nearly the same machine: their ratio is almost as precise as a duet's
 * (decision 0056).
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

/** The shortest of several laps counts: one may include a garbage collection. */
const LAPS_SECONDS: Seconds = 0.05;
const MOST_LAPS = 3;
/** Servers close connections that idle for some seconds, so ours are closed before a longer rest. */
const LONGEST_REST: Seconds = 1;
/** Longest wait for answers owed: each time, and in total beyond one lap per wait. */
const MOST_OWED_MS = 1_000;
const MOST_WAITED_MS = 10_000;
/** Longest wait for afterwork after one window, and the total of waits in vain. */
const LONGEST_AFTERWORK_MS = 200;
const MOST_AFTERWORK_MS = 1_000;

export interface Alternating {
	readonly order: TurnOrder;
	readonly loaded: Sides<Loaded>;
	readonly open: (side: Side) => RestingClient;
	/** Called while no side is loaded. */
	readonly renew: () => Promise<void>;
	readonly loop: EventLoop;
	readonly signal: AbortSignal;
	readonly onWindow: () => void;
}

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
	// Afterwork of the warm-up.
	for (const side of SIDES) await finish(side, sources[side]);
	const single: Window[] = [];
	const cut = async ({ windows, windowSeconds, settleSeconds }: WindowLengths) => {
		for (const side of singleOrder('alternating', order.turn.windowFirst, windows)) {
			await renew();
			// Listing processes takes milliseconds, so without load.
			sources[side] = listSide(side);
			const loadedSides = { ...loaded, [side]: { ...loaded[side], tree: sources[side].tree } };
			const restingUsed = watchUse(sources[otherSide(side)]);
			const began = performance.now();
			const client = begin(side);
			// Random, to keep windows out of step with a server that answers all connections at once.
			await sleep(settleSeconds + Math.random() * lap, signal);
			const edge = () => untilAnswer(side);
			const window = await cutWindow('alternating', loadedSides, [side], windowSeconds, order, loop, signal, edge);
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
	const lengthsLeft = rest(stops, { base: countedIn(single, 'base'), head: countedIn(single, 'head') });
	if (lengthsLeft !== null) await cut(lengthsLeft);
	// The machine's CPU clock is too coarse for one short window, so all share one value.
	const otherCpu = others();
	return pairUp(single).map((window) => ({ ...window, otherCpu }));
}

function countedIn(windows: readonly Window[], side: Side): Seconds {
	return windows.reduce((total, window) => total + (window[side]?.seconds ?? 0), 0);
}

interface Turns {
	readonly lap: Seconds;
	readonly lengths: WindowLengths;
	readonly begin: (side: Side) => RestingClient;
	/**
	 * Resolves at a side's next answer, where windows begin and end, so a stop of the server lies wholly in the window
	 * or before it (Wald's identity).
	 */
	readonly untilAnswer: (side: Side) => Promise<void>;
	readonly end: (client: RestingClient) => Promise<void>;
	/** Resolves to the CPU time used; null if unknown. */
	readonly finish: (side: Side, source: SideSource) => Promise<Seconds | null>;
	/** Closes connections that cannot be kept. Called after `finish`, because closing is not afterwork. */
	readonly close: (client: RestingClient) => Promise<void>;
}

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
			// A process may never be idle, so the waits are limited.
			if (used === null) afterwork[side] = Math.max(0, afterwork[side] - (performance.now() - began));
			return used;
		},
	};
}

/**
 * Uses the latencies of requests sent in the window. Those of answers received lack the longest, because load begins
 * just before it.
 */
function withLatency(window: Window, side: Side, latency: LatencyHistogram): Window {
	return { ...window, [side]: window[side] && { ...window[side], latency } };
}

/** Adds the CPU time of the other, resting side to a window of `side`; null if unknown. */
export function withResting(window: Window, side: Side, resting: Fraction | null): Window {
	const windowSide: WindowSide | null = window[side];
	const restingCpuSeconds = resting === null ? null : resting * (windowSide?.seconds ?? 0);
	return { ...window, [side]: windowSide && { ...windowSide, restingCpuSeconds } };
}

/** Returns a function that gives a side's CPU use since then, as a share of one CPU; null if unknown. */
export function watchUse(source: SideSource): () => Fraction | null {
	const began = performance.now();
	const before = readSideTimes(source);
	return () => {
		const used = sideUsedBetween(before, readSideTimes(source));
		return used === null ? null : (used * 1000) / (performance.now() - began);
	};
}

/** The shortest time for all connections to get all answers once. */
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
