import { performance } from 'node:perf_hooks';
import { listTrees, readIdle, readMachineBusy } from '../../process/process-tree.ts';
import { readSideTimes, type SideSource, type SideTimes, sideUsedBetween } from '../../process/side-times.ts';
import type { Timing } from '../../types/plan.ts';
import type { Window, WindowSide } from '../../types/round.ts';
import { type Seconds, SIDES, type Side, type Sides } from '../../types/units.ts';
import type { Counter } from './counter.ts';
import type { EventLoop } from './event-loop.ts';
import { sleep } from './load-stopped.ts';
import type { RatedClient } from './rated-client.ts';
import { countSteps } from './staged-load.ts';

export interface Loaded {
	readonly pid: number;
	readonly group?: string;
	readonly counter: Counter;
	readonly rated?: () => RatedClient | undefined;
	/** Its processes, listed before a window that is too short to list them in. */
	readonly tree?: readonly number[];
}

/** Shorter windows have no counts per second. */
const FEWEST_SECONDS: Seconds = 2;

/**
 * Counts `sides` for `seconds`. Other sides are null, as is unreadable CPU time. With `untilEdge`, the window begins
 * and ends when that resolves, and latencies are read after the rest (`Counter.settledLatency`). Throws LoadStopped on
 * `signal`.
 */
export async function cutWindow(
	kind: Window['kind'],
	loaded: Sides<Loaded>,
	sides: readonly Side[],
	seconds: Seconds,
	{ runStartedAt, timing, ...cpus }: WindowSetting,
	loop: EventLoop,
	signal: AbortSignal,
	untilEdge?: () => Promise<void>,
): Promise<Window> {
	const sources = findSources(loaded, sides);
	await untilEdge?.();
	const startedAt = (Date.now() - runStartedAt) / 1000;
	// Answers while clocks are read are counted, so the window includes this time.
	const start = performance.now();
	const first = readClocks(sources, sides, cpus);
	const utilisation = loop.startUtilisation();
	// A stop at the edge belongs to the requests that are under way then and answered after it.
	for (const side of sides) loaded[side].counter.start(untilEdge && start, start);
	const counts = new Map(sides.map((side) => [side, loaded[side].rated?.()?.startCount(start)]));

	const isSolo = kind === 'solo';
	const [perSecond, steps] = await Promise.all([
		isSolo ? countSeconds(loaded, sides, seconds, signal) : null,
		isSolo && timing?.stages ? countSteps(loaded, sides, timing.stages, signal) : null,
		sleep(seconds, signal),
	]);
	await untilEdge?.();

	const end = performance.now();
	const elapsed = (end - start) / 1000;
	const generatorUtilisation = utilisation();
	const last = readClocks(sources, sides, cpus);
	const now = findSources(loaded, sides);
	const cpu = new Map(sides.map((side) => [side, cpuBetween(first, last, side, bornIn(sources[side], now[side]))]));
	const counted = (side: Side): WindowSide | null =>
		sides.includes(side)
			? {
					...loaded[side].counter.finish(elapsed, cpu.get(side) ?? null),
					...(perSecond && { perSecond: perSecond.get(side) ?? [] }),
					...(steps && { steps: steps.get(side) ?? [] }),
					...counts.get(side)?.(end),
				}
			: null;
	const window = { base: counted('base'), head: counted('head') };
	const generatorCpuSeconds = last.own - first.own;
	return {
		kind,
		startedAt,
		...window,
		generatorUtilisation,
		generatorCpuSeconds,
		otherCpu: otherCpu(first, last, generatorCpuSeconds, [...cpu.values()], elapsed),
		serverCpuIdle: first.idle === null || last.idle === null ? null : last.idle - first.idle,
	};
}

async function countSeconds(
	loaded: Sides<Loaded>,
	sides: readonly Side[],
	seconds: Seconds,
	signal: AbortSignal,
): Promise<ReadonlyMap<Side, NonNullable<WindowSide['perSecond']>> | null> {
	if (seconds < FEWEST_SECONDS) return null;
	const samples = new Map(sides.map((side) => [side, [] as { requests: number; bytes: number }[]]));
	const read = () => ({ at: performance.now(), counts: sides.map((side) => loaded[side].counter.soFar()) });
	const began = performance.now();
	let before = read();
	for (let second = 1; second <= seconds; second++) {
		await sleep(Math.max(0, second - (performance.now() - began) / 1000), signal);
		const now = read();
		const elapsed = (now.at - before.at) / 1000;
		for (const [index, side] of sides.entries()) {
			const [counts, earlierCounts] = [now.counts[index], before.counts[index]];
			if (counts === undefined || earlierCounts === undefined || elapsed <= 0) continue;
			samples.get(side)?.push({
				requests: (counts.completed - earlierCounts.completed) / elapsed,
				bytes: (counts.bytes - earlierCounts.bytes) / elapsed,
			});
		}
		before = now;
	}
	return samples;
}

/**
 * Returns a function that gives the CPU time since then of other processes than servers and generator, as a share of
 * one CPU; null if unreadable.
 */
export function watchOthers(loaded: Sides<Loaded>, cpus: WatchedCpus): () => number | null {
	const sources = findSources(loaded, BOTH);
	const start = performance.now();
	const first = readClocks(sources, BOTH, cpus);
	return () => {
		const last = readClocks(sources, BOTH, cpus);
		const now = findSources(loaded, BOTH);
		const seconds = (performance.now() - start) / 1000;
		const servers = BOTH.map((side) => cpuBetween(first, last, side, bornIn(sources[side], now[side])));
		return otherCpu(first, last, last.own - first.own, servers, seconds);
	};
}

type WindowSetting = WatchedCpus & {
	readonly runStartedAt: number;
	readonly timing?: Pick<Timing, 'stages'>;
};

interface WatchedCpus {
	readonly serverCpu: number | null;
	/** All CPUs if absent. */
	readonly laneCpus?: readonly number[];
}

interface Clocks {
	readonly sides: ReadonlyMap<Side, SideTimes>;
	readonly own: Seconds;
	readonly machine: Seconds | null;
	readonly idle: Seconds | null;
}

function readClocks(sources: Sides<SideSource>, sides: readonly Side[], { serverCpu, laneCpus }: WatchedCpus): Clocks {
	const usage = process.cpuUsage();
	return {
		sides: new Map(sides.map((side) => [side, readSideTimes(sources[side])])),
		own: (usage.user + usage.system) / 1e6,
		machine: readMachineBusy(laneCpus),
		idle: serverCpu === null ? null : readIdle(serverCpu),
	};
}

/** Processes `born` in the window count in full. Null if unreadable. */
function cpuBetween(first: Clocks, last: Clocks, side: Side, born: readonly number[]): Seconds | null {
	const [begin, end] = [first.sides.get(side), last.sides.get(side)];
	return begin === undefined || end === undefined ? null : sideUsedBetween(begin, end, born);
}

/** Returns the sources of CPU time. Lists processes only if neither they nor a control group are known. */
export function findSources(
	loaded: Sides<Pick<Loaded, 'pid' | 'group' | 'tree'>>,
	sides: readonly Side[],
): Sides<SideSource> {
	const isKnown = sides.every((side) => (loaded[side].group ?? loaded[side].tree) !== undefined);
	const trees = isKnown ? { base: loaded.base.tree ?? [], head: loaded.head.tree ?? [] } : listTrees(loaded);
	const sourceOf = (side: Side): SideSource => {
		const { group } = loaded[side];
		return { ...(group !== undefined && { group }), tree: trees[side] };
	};
	return { base: sourceOf('base'), head: sourceOf('head') };
}

function bornIn({ tree: earlierPids }: SideSource, { tree: now }: SideSource): readonly number[] {
	return now.filter((pid) => !earlierPids.includes(pid));
}

/** A share of one CPU; never negative, although the machine counts in ticks of 10 ms. */
function otherCpu(
	first: Clocks,
	last: Clocks,
	generator: Seconds,
	servers: readonly (Seconds | null)[],
	seconds: Seconds,
): number | null {
	if (first.machine === null || last.machine === null) return null;
	const ours = servers.reduce<number>((sum, cpu) => sum + (cpu ?? 0), generator);
	return Math.max(0, (last.machine - first.machine - ours) / seconds);
}

export const BOTH: readonly Side[] = SIDES;
