/** Which CPUs servers and generator get, in one lane or in several: pure, from what the kernel says of the machine. */
import type { LanesWish } from '../../types/lanes.ts';
import type { Bytes } from '../../types/units.ts';
import type { CpuFacts } from './cpu-facts.ts';

/** CPUs of a lane, and CPUs' worth of time: one for the servers, one for the generator. */
const CPUS_OF_LANE = 2;
/** Two servers, which may leak while they are loaded, a generator, and what they share with the rest of the machine. */
const MEMORY_OF_LANE: Bytes = 2e9;

/** The allowed hardware threads of one core. */
export interface Core {
	readonly cpus: readonly number[];
	/** Whether no other program can be on it because of a thread that is not ours. */
	readonly whole: boolean;
}

/** A CPU for the servers and one for the generator. */
export interface Lane {
	readonly server: number;
	readonly generator: number;
	/** Whether both are threads of one core. */
	readonly oneCore: boolean;
	/** Of both, those whose core has a thread that is not ours: whatever runs there slows them down. */
	readonly exposed: readonly number[];
}

export interface LaneChoice {
	/** As many as were asked for and can be had; none with less than two CPUs. */
	readonly lanes: readonly Lane[];
	/** Why there is no further one, as the end of a sentence; null when as many were asked for. */
	readonly limit: string | null;
}

/** Returns the cores of the allowed CPUs, whole ones first, else in the order of their first CPUs. */
function coresOf({ allowed, siblings }: Pick<CpuFacts, 'allowed' | 'siblings'>): Core[] {
	const cores: number[][] = [];
	const areSiblings = (one: number, other: number) =>
		siblings.get(one)?.includes(other) === true || siblings.get(other)?.includes(one) === true;
	for (const cpu of allowed) {
		const own = cores.find((core) => core.some((other) => areSiblings(cpu, other)));
		if (own) own.push(cpu);
		else cores.push([cpu]);
	}
	const isWhole = (core: readonly number[]) =>
		core.every((cpu) => (siblings.get(cpu) ?? []).every((sibling) => allowed.includes(sibling)));
	return cores
		.map((cpus) => ({ cpus, whole: isWhole(cpus) }))
		.toSorted((first, second) => Number(second.whole) - Number(first.whole));
}

/**
 * Returns the lanes that `wish` comes to on this machine: two whole cores each, or with `smt` the two threads of one. The first lane is
 * there wherever two CPUs are, on what there is of cores. `auto` is min(cores / 2, quota / 2, memory / 2 GB), each rounded down, and
 * at least one.
 */
export function chooseLanes(facts: CpuFacts, wish: LanesWish = 1): LaneChoice {
	const cores = coresOf(facts);
	const possible = wish === 'smt' ? threadLanes(cores) : coreLanes(cores);
	const { most, limit } = mostLanes(facts, cores, possible.length, wish);
	const asked = typeof wish === 'number' ? wish : Number.POSITIVE_INFINITY;
	const lanes = possible.slice(0, Math.min(most, asked));
	return { lanes, limit: lanes.length >= asked ? null : limit };
}

/**
 * Returns the CPUs for benchgate's own process while several lanes measure: those of cores that no lane is on, else the idle threads of
 * the generators' cores, else the generators' CPUs. It is never on a core of servers.
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

/** Pairs of whole cores; before them one pair of what else there is, where there are not two whole ones. */
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
	// One lane is measured in wherever there are two CPUs, but none on threads that are not there.
	return { ...tightest, most: Math.max(Math.min(1, onCores), tightest.most) };
}

function round(value: number): number {
	return Math.round(value * 10) / 10;
}
