/** One cell's turn: warm-up, windows of the design, solo windows. */

import { listTrees, readMemoryPeak, resetMemoryPeaks } from '../../process/process-tree.ts';
import { hasLeftCpu } from '../../process/side-times.ts';
import type { Load } from '../../types/config.ts';
import type { Stage, Traffic, Warmup } from '../../types/plan.ts';
import type { Window } from '../../types/round.ts';
import { otherSide, type Seconds, type Side, type Sides } from '../../types/units.ts';
import { isOutOfPorts } from '../ports.ts';
import { watchLateWork, withAfterwork } from './afterwork.ts';
import { alternate, watchUse, withResting } from './alternate.ts';
import { type Client, OWED_POLL_MS, openClient, openRing, type RestingClient } from './client.ts';
import { type Counter, createCounter } from './counter.ts';
import { watchEventLoop } from './event-loop.ts';
import { keepLoadMemory, readFootprint } from './footprint.ts';
import { LoadStopped, sleep } from './load-stopped.ts';
import { LONGEST_ANSWER_MS, lengthenWindows } from './long-answers.ts';
import type { Learnt, RequestReport, TurnOrder, TurnReport } from './messages.ts';
import { pairUp, singleOrder } from './one-sided-windows.ts';
import { asRated, openRatedClient, type RatedClient } from './rated-client.ts';
import { drawWatchedRows, type Lap, type Ring } from './ring.ts';
import { openStagedClient } from './staged-load.ts';
import { addRests, QUIET_CLOSED_SECONDS, QUIET_SECONDS, watchRest } from './watch-rest.ts';
import { BOTH, cutWindow, findSources } from './window.ts';

/** A side is given up after this many errors without any answer. */
const HOPELESS_ERRORS = 2_000;

type AskedLoad = Omit<Load, 'rate'> & { readonly rate?: number | undefined };

export type TellOpened = (ports: Sides<readonly number[]>) => void;

const TELL_MS = 100;

/** Shortest interval between renewals of learnt values. */
const LEARN_MS = 1_000;

/** A mix of one request, so the request can be replaced during the turn. */
const ALONE: Traffic = { requests: [0], rows: [-1], data: [] };

/** `learn` returns renewed requests. Throws LoadStopped when `abort` fires or a side answers only errors. */
export async function runTurn(
	order: TurnOrder,
	abort: AbortController,
	tell: TellOpened,
	learn: () => Promise<Learnt> = async () => null,
): Promise<TurnReport> {
	const { targets, turn, traffic } = order;
	let { timing } = order;
	const watched = drawWatchedRows(traffic?.data.length ?? 0);
	const counters = bySide(() => createCounter(traffic?.statuses ?? [order.statuses], order.compressed, watched));
	const rings = bySide((side) => ringFor(order, side));
	const trees = listTrees(targets);
	for (const side of BOTH) resetMemoryPeaks(trees[side]);
	const loop = watchEventLoop(order.awake, () => countAll(counters));
	const clients = new Map<Side, Client | RestingClient>();
	const loaded = bySide((side) => ({
		pid: targets[side].pid,
		...(targets[side].group !== undefined && { group: targets[side].group }),
		counter: counters[side],
		rated: () => asRated(clients.get(side)),
	}));
	const opened = bySide<number[]>(() => []);
	const make = (side: Side, loadSetting: AskedLoad) =>
		openLoad(order, side, loadSetting, rings[side], counters, abort, (port) => opened[side].push(port));
	const load = (side: Side, rate: number | undefined, loadSetting: Omit<AskedLoad, 'rate'> = order.load) => {
		const client = make(side, { ...loadSetting, rate });
		clients.set(side, client);
		return client;
	};
	const open = (side: Side) => load(side, order.load.rate);
	// A warm-up loads fully, because code is optimised after a number of calls.
	const openFull = (side: Side) => load(side, undefined);
	const openWarmup = (side: Side) => load(side, undefined, order.warmup.load);
	const openStaged = (side: Side, stages: readonly Stage[]) =>
		clients.set(
			side,
			openStagedClient(stages, (connections) => make(side, { ...order.load, connections })),
		);
	const tellOpened = () => {
		if (BOTH.some((side) => opened[side].length > 0)) tell(bySide((side) => opened[side].splice(0)));
	};
	const telling = setInterval(tellOpened, TELL_MS);
	let learntAt = performance.now();
	let learning = Promise.resolve();
	const renew = async () => {
		if (order.learns && performance.now() - learntAt >= LEARN_MS) {
			learntAt = performance.now();
			learning = learn().then((requests) => {
				for (const side of BOTH) if (requests !== null) rings[side]?.rewrite(requests[side]);
			});
		}
		await learning;
	};
	/** Renewed during a warm-up: in a window it would be measured. */
	const renewWhile = async <T>(work: Promise<T>): Promise<T> => {
		const renewing = order.learns && setInterval(renew, LEARN_MS);
		return await work.finally(() => clearInterval(renewing));
	};
	const close = async (side: Side) => {
		await clients.get(side)?.close();
		clients.delete(side);
	};
	const cut = (kind: Window['kind'], sides: readonly Side[], seconds: Seconds) =>
		cutWindow(kind, loaded, sides, seconds, order, loop, abort.signal);
	/** Waits until requests sent before now are answered; false if unknown. */
	const untilAnswered = async (sides: readonly Side[]) => {
		const now = performance.now();
		const waited = sides.flatMap((side) => clients.get(side) ?? []);
		while (performance.now() - now < LONGEST_ANSWER_MS && waited.some((client) => client.owes?.(now)))
			await sleep(OWED_POLL_MS / 1000, abort.signal);
		return waited.every(({ owes }) => owes !== undefined);
	};
	/** While load continues, adds each window's shares of the answers under way at its end. */
	const settle = async (cuts: readonly Window[], sides: readonly Side[]): Promise<Window[]> => {
		if (!(await untilAnswered(sides))) return [...cuts];
		const shares = bySide((side) => counters[side].shares.last(cuts.length));
		const settled = (window: Window, side: Side, index: number) =>
			window[side] && { ...window[side], answers: shares[side][index] ?? 0 };
		return cuts.map((window, at) => ({ ...window, ...bySide((side) => settled(window, side, at)) }));
	};
	const windows: Window[] = [];
	const leftCpu = new Set<Side>();
	const lookWhere = () => {
		if (!order.held || order.serverCpu === null || leftCpu.size === BOTH.length) return;
		const sources = findSources(loaded, BOTH);
		for (const side of BOTH) if (hasLeftCpu(sources[side], order.serverCpu)) leftCpu.add(side);
	};
	let rested: TurnReport['rested'];
	const afterLoad = keepLoadMemory(targets);
	let memoryAfter: TurnReport['memoryAfter'];
	try {
		const sides = [turn.clientFirst, otherSide(turn.clientFirst)].filter((side) => side === (turn.only ?? side));
		if (order.warmup.mostSeconds > 0 || timing.windows > 0)
			await renewWhile(warmUp(order.warmup, sides, counters, { open: openWarmup, close }, abort.signal));
		// Base alone sets the length of windows, because head could make them short.
		if (clients.has('base') && order.load.rate === undefined && (await untilAnswered(['base']))) {
			const { answers, waited } = counters.base.total;
			if (answers > 0) timing = lengthenWindows(timing, order.load, waited / answers / 1000);
		}
		if (order.design === 'duet') {
			if (order.load.rate !== undefined) {
				await Promise.all(BOTH.map(close));
				open(turn.clientFirst);
				open(otherSide(turn.clientFirst));
				await sleep(timing.settleSeconds, abort.signal);
			}
			const cuts: Window[] = [];
			for (let index = 0; index < timing.windows; index++) {
				await renew();
				cuts.push(await cut('duet', BOTH, timing.windowSeconds));
				lookWhere();
			}
			const sources = findSources(loaded, BOTH);
			const lateWork = bySide((side) => watchLateWork(sources[side], counters[side]));
			windows.push(...(await settle(cuts, BOTH)));
			if (order.rest) {
				await Promise.all(BOTH.map((side) => asResting(clients.get(side))?.rest()));
				const late = bySide((side) => lateWork[side](cuts.at(-1)?.[side] ?? null));
				const answers = bySide((side) => counters[side].total.answers);
				const list = () => findSources(loaded, BOTH);
				const connected = await watchRest(list, QUIET_SECONDS, abort.signal);
				// A server may begin work when its connections close.
				await Promise.all(BOTH.map(close));
				const closed = await watchRest(list, QUIET_CLOSED_SECONDS, abort.signal);
				rested = { ...bySide((side) => addRests(late[side], connected[side], closed[side])), answers };
			}
		}
		await Promise.all(BOTH.map(close));
		const alone = async (kind: Window['kind'], side: Side, seconds: Seconds): Promise<Window> => {
			await renew();
			const sources = findSources(loaded, BOTH);
			// The work of the resting side falls in none of its own windows.
			const restingUsed = kind === 'alternating' ? watchUse(sources[otherSide(side)]) : null;
			if (kind === 'solo' && timing.stages) openStaged(side, timing.stages);
			else open(side);
			await sleep(timing.settleSeconds, abort.signal);
			const cutting = await cut(kind, [side], seconds);
			const lateWork = watchLateWork(sources[side], counters[side]);
			const resting = restingUsed?.();
			lookWhere();
			const [settled = cutting] = await settle([cutting], [side]);
			await close(side);
			const late = kind === 'solo' ? 0 : lateWork(cutting[side]);
			const window = late === 0 ? settled : withAfterwork(settled, side, { used: late, loadedSeconds: seconds }, order);
			if (kind === 'solo') afterLoad.read(side);
			return resting === undefined ? window : withResting(window, side, resting);
		};
		if (order.design === 'alternating' && timing.resting) {
			windows.push(
				...(await alternate({ order, loaded, open, renew, loop, signal: abort.signal, onWindow: lookWhere })),
			);
			await Promise.all(BOTH.map(close));
		} else {
			const single: Window[] = [];
			for (const side of singleOrder(order.design, turn.windowFirst, timing.windows)) {
				single.push(await alone(order.design, side, timing.windowSeconds));
			}
			windows.push(...pairUp(single));
		}
		if (timing.windows > 0) sides.forEach(afterLoad.read);
		if (turn.soloFirst) {
			for (const side of [turn.soloFirst, otherSide(turn.soloFirst)].filter((each) => sides.includes(each)))
				windows.push(await alone('solo', side, timing.soloSeconds));
		}
		if (order.footprint !== undefined) {
			memoryAfter = await renewWhile(readFootprint(loaded, order.footprint, { open: openFull, close }, abort.signal));
		}
	} finally {
		loop.release();
		await Promise.all(BOTH.map(close));
		clearInterval(telling);
		tellOpened();
	}
	const last = listTrees(targets);
	return {
		kind: 'report',
		id: order.id,
		windows,
		memoryPeak: bySide((side) => readMemoryPeak(last[side])),
		memoryAfterLoad: afterLoad.memory,
		...(memoryAfter && { memoryAfter }),
		...(rested && { rested }),
		...(leftCpu.size > 0 && { leftCpu: [...leftCpu] }),
		...reportRequests(
			order,
			bySide((side) => counters[side].requests),
		),
		firstError: Object.fromEntries(
			BOTH.flatMap((side) => (counters[side].firstError ? [[side, counters[side].firstError]] : [])),
		),
		statusTimes: bySide((side) => counters[side].times),
		vanished: bySide((side) => trees[side].filter((pid) => !last[side].includes(pid)).length),
	};
}

function reportRequests(
	{ traffic }: TurnOrder,
	requests: Sides<readonly RequestReport[]>,
): Pick<TurnReport, 'samples' | 'lengths' | 'headers' | 'headersOf' | 'mix'> {
	if (traffic) return { samples: { base: [], head: [] }, lengths: { base: {}, head: {} }, mix: requests };
	return {
		samples: bySide((side) => requests[side][0]?.samples ?? []),
		lengths: bySide((side) => requests[side][0]?.lengths ?? {}),
		headers: bySide((side) => requests[side][0]?.headers),
		headersOf: bySide((side) => requests[side][0]?.headersOf),
	};
}

function ringFor({ targets, traffic, learns }: TurnOrder, side: Side): Lap | undefined {
	const { origin, request, mix } = targets[side];
	if (traffic && mix) return openRing(origin, mix, traffic);
	return learns && openRing(origin, [request], ALONE);
}

function openLoad(
	order: TurnOrder,
	side: Side,
	{ rate, ...load }: AskedLoad,
	ring: Ring | undefined,
	counters: Sides<Counter>,
	abort: AbortController,
	onOpen: (port: number) => void,
): RestingClient | RatedClient {
	const counter = counters[side];
	const { origin, request, headers, values } = order.targets[side];
	const events = {
		...{ headers, values, headersOf: order.headersOf },
		onAnswer: counter.onAnswer,
		onOpen,
		onResent: counter.onResent,
		onError: (error: Error, isTimeout: boolean) => {
			counter.onError(error, isTimeout);
			if (isOutOfPorts(error)) {
				abort.abort(new LoadStopped(`no port was left on this machine for a connection to ${side}`));
			}
			if (counter.total.answers === 0 && counter.total.errors >= HOPELESS_ERRORS) {
				const sides = BOTH.filter((each) => isSilent(counters[each]));
				abort.abort(
					new LoadStopped(
						`${sides.join(' and ')} ${sides.length > 1 ? 'answer' : 'answers'} nothing but errors: ${error.message}`,
						sides,
					),
				);
			}
		},
	};
	if (rate === undefined) return openClient(origin, request, load, events, ring);
	return openRatedClient(origin, request, { ...load, rate }, events, { ring, awake: order.awake });
}

function asResting(client: Client | undefined): RestingClient | undefined {
	return client && 'rest' in client ? (client as RestingClient) : undefined;
}

/** A side that fails more slowly than the other is not better. */
function isSilent({ total }: Counter): boolean {
	return total.answers === 0 && total.errors > 0;
}

function countAll({ base, head }: Sides<Counter>): number {
	return base.total.answers + base.total.errors + head.total.answers + head.total.errors;
}

function bySide<T>(make: (side: Side) => T): Sides<T> {
	return { base: make('base'), head: make('head') };
}

const POLL_SECONDS = 0.01;
const REOPEN_AT = 0.5;

interface Doors {
	readonly open: (side: Side) => void;
	readonly close: (side: Side) => Promise<void>;
}

/**
 * Loads `sides` until each has answered enough, within the time limits. Sides warm up together, until the slower one is
 * done, and stay loaded; or in turn, with no load left. Throws LoadStopped on `signal`.
 *
 * Halfway all connections are reopened, because Node then discards optimised code (decision 0062).
 */
async function warmUp(
	warmup: Warmup,
	sides: readonly Side[],
	counters: Sides<Counter>,
	doors: Doors,
	signal: AbortSignal,
): Promise<void> {
	if (!warmup.inTurn) return warmTogether(warmup, sides, counters, doors, signal);
	for (const side of sides) {
		await warmTogether(warmup, [side], counters, doors, signal);
		await doors.close(side);
	}
}

async function warmTogether(
	{ requests, leastSeconds, mostSeconds }: Warmup,
	sides: readonly Side[],
	counters: Sides<Counter>,
	{ open, close }: Doors,
	signal: AbortSignal,
): Promise<void> {
	sides.forEach(open);
	if (mostSeconds === 0) return;
	const began = performance.now();
	const isPast = (seconds: number) => performance.now() - began >= seconds * 1000;
	const until = async (part: number) => {
		const isWarm = () => sides.every((side) => counters[side].total.answers >= part * requests);
		while (!(isWarm() && isPast(part * leastSeconds)) && !isPast(part * mostSeconds)) await sleep(POLL_SECONDS, signal);
	};
	await until(REOPEN_AT);
	await Promise.all(sides.map(close));
	sides.forEach(open);
	await until(1);
}
