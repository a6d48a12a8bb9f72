/** CPUs of servers and generator, in one lane or several. */
import type { LanesWish } from '../../types/config.ts';
import type { Bytes } from '../../types/units.ts';
import type { CpuFacts } from './cpu-facts.ts';

/** One CPU for the servers, one for the generator. */
const CPUS_OF_LANE = 2;
/** For two servers that may leak under load, a generator, and a share of the rest. */
const MEMORY_OF_LANE: Bytes = 2e9;

export interface Core {
	readonly cpus: readonly number[];
	/** All its threads are allowed to us, so no other program can use it. */
	readonly whole: boolean;
}

export interface Lane {
	readonly server: number;
	readonly generator: number;
	readonly oneCore: boolean;
	/** CPUs whose core has a thread that others may use. */
	readonly exposed: readonly number[];
}

export interface LaneChoice {
	/** As many lanes as requested and possible. */
	readonly lanes: readonly Lane[];
	/** Why there are no more lanes, as the end of a sentence. */
	readonly limit: string | null;
}

/** Sorts whole cores first, then by first CPU. */
function coresOf({ allowed, siblings }: Pick<CpuFacts, 'allowed' | 'siblings'>): Core[] {
	const cores: number[][] = [];
	const areSiblings = (one: number, other: number) =>
		siblings.get(one)?.includes(other) === true || siblings.get(other)?.includes(one) === true;
	for (const cpu of allowed) {
		const sharedCore = cores.find((core) => core.some((other) => areSiblings(cpu, other)));
		if (sharedCore) sharedCore.push(cpu);
		else cores.push([cpu]);
	}
	const isWhole = (core: readonly number[]) =>
		core.every((cpu) => (siblings.get(cpu) ?? []).every((sibling) => allowed.includes(sibling)));
	return cores
		.map((cpus) => ({ cpus, whole: isWhole(cpus) }))
		.toSorted((first, second) => Number(second.whole) - Number(first.whole));
}

/**
 * Returns lanes of two whole cores, or with `smt` of one core's two threads. Any two CPUs allow a first lane. `auto` is
 * min(cores / 2, quota / 2, memory / 2 GB), each rounded down, at least one.
 */
export function chooseLanes(facts: CpuFacts, wish: LanesWish = 1): LaneChoice {
	const cores = coresOf(facts);
	const possible = wish === 'smt' ? threadLanes(cores) : coreLanes(cores);
	const { most, limit } = mostLanes(facts, cores, possible.length, wish);
	const wishedCount = typeof wish === 'number' ? wish : Number.POSITIVE_INFINITY;
	const lanes = possible.slice(0, Math.min(most, wishedCount));
	return { lanes, limit: lanes.length >= wishedCount ? null : limit };
}

/**
 * Returns CPUs for benchgate's own process: unused cores, else idle threads of generator cores, else the generators'
 * CPUs; never a server's core.
 */
export function orchestratorCpus(facts: CpuFacts, lanes: readonly Lane[]): number[] {
	const used = new Set(lanes.flatMap(({ server, generator }) => [server, generator]));
	const serves = new Set(lanes.map(({ server }) => server));
	const cores = coresOf(facts).map(({ cpus }) => cpus);
	const spare = cores.filter((cpus) => !cpus.some((cpu) => used.has(cpu))).flat();
	if (spare.length > 0) return spare;
	const generates = cores.filter((cpus) => !cpus.some((cpu) => serves.has(cpu))).flat();
	const idle = generates.filter((cpu) => !used.has(cpu));
	return idle.length > 0 ? idle : lanes.map(({ generator }) => generator);
}

/** With fewer than two whole cores, returns one lane on the other cores. */
function coreLanes(cores: readonly Core[]): Lane[] {
	const whole = cores.filter((core) => core.whole);
	if (whole.length < CPUS_OF_LANE) return firstLane(cores);
	const lanes: Lane[] = [];
	for (let at = 0; at + 1 < whole.length; at += 2) lanes.push(laneOn(whole[at] as Core, whole[at + 1] as Core));
	return lanes;
}

function firstLane(cores: readonly Core[]): Lane[] {
	const [first, second] = cores;
	if (first === undefined) return [];
	if (second !== undefined) return [laneOn(first, second)];
	return first.cpus.length < CPUS_OF_LANE ? [] : [laneOn(first, first)];
}

function threadLanes(cores: readonly Core[]): Lane[] {
	return cores.filter(({ cpus, whole }) => whole && cpus.length >= CPUS_OF_LANE).map((core) => laneOn(core, core));
}

function laneOn(first: Core, second: Core): Lane {
	const oneCore = first === second;
	const server = first.cpus[0] as number;
	const generator = second.cpus[oneCore ? 1 : 0] as number;
	const exposed = [...(first.whole ? [] : [server]), ...(second.whole ? [] : [generator])];
	return { server, generator, oneCore, exposed };
}

function mostLanes({ allowed, quota, memory }: CpuFacts, cores: readonly Core[], onCores: number, wish: LanesWish) {
	const needs = wish === 'smt' ? 'a core with two hardware threads' : 'two whole cores';
	const fit = cores.filter(({ cpus, whole }) => whole && (wish !== 'smt' || cpus.length >= CPUS_OF_LANE)).length;
	const here = allowed.length === 1 ? 'the one CPU here has' : `the ${allowed.length} CPUs here have`;
	const bounds = [
		{ most: onCores, limit: `each lane takes ${needs}, and ${here} ${fit === 0 ? 'none' : fit}` },
		...(quota === null
			? []
			: [
					{
						most: Math.floor(quota / CPUS_OF_LANE),
						limit: `each lane takes the time of two CPUs, and this container may use that of ${round(quota)}`,
					},
				]),
		...(memory === null
			? []
			: [
					{
						most: Math.floor(memory / MEMORY_OF_LANE),
						limit: `each lane takes ${MEMORY_OF_LANE / 1e9} GB of memory, and there are ${round(memory / 1e9)} GB`,
					},
				]),
	];
	const tightest = bounds.reduce((least, bound) => (bound.most < least.most ? bound : least));
	// Two CPUs always allow one lane, except with `smt` if no core has a second thread.
	return { ...tightest, most: Math.max(Math.min(1, onCores), tightest.most) };
}

function round(value: number): number {
	return Math.round(value * 10) / 10;
}
