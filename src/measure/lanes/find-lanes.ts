/** The lanes a run measures in: what was wished, what the machine has room for, and what its CPUs show. */
import { UserError } from '../../types/errors.ts';
import type { LanesWish } from '../../types/lanes.ts';
import type { Janitor } from '../../types/run-services.ts';
import type { Warning } from '../../types/units.ts';
import { type Affinity, affinityOn } from '../affinity.ts';
import { chooseLanes, type Lane, orchestratorCpus } from './choose-lanes.ts';
import { type CpuFacts, readCpuFacts } from './cpu-facts.ts';
import { findOneLane } from './find-one-lane.ts';
import { createSpinner, findSharedCore, NoSpin, type SharedCore, type Spinner } from './probe-siblings.ts';

export interface FoundLanes {
	/** One for each lane. */
	readonly lanes: readonly [Affinity, ...Affinity[]];
	/** CPUs for our own process while several lanes measure; null with one. */
	readonly orchestrator: readonly number[] | null;
	/** Why there are less than were wished. */
	readonly warnings: readonly Warning[];
}

export interface LanesOptions {
	readonly wish: LanesWish;
	readonly janitor: Janitor;
	/** Why this run cannot have a second one, as the end of a sentence; null when it can. */
	readonly obstacle?: string | null;
	readonly facts?: CpuFacts;
	readonly spinner?: Spinner;
	/** Holds a lane on its CPUs; `affinityOn` when absent. */
	readonly hold?: (lane: Lane, beside: boolean) => Affinity;
}

/**
 * Returns the lanes to measure in. `auto` takes what there is room for, at least one lane; where something else is in the way of a
 * second one, a warning says what. Machines that would get several are probed for cores they hide; for one see `findOneLane`.
 *
 * @throws UserError `lanes` where a number was asked for and there is no room for that many, or `smt` and no core has two threads.
 */
export async function findLanes(options: LanesOptions): Promise<FoundLanes> {
	const { wish, janitor, obstacle = null, facts = readCpuFacts() } = options;
	const { spinner = createSpinner(janitor), hold = affinityOn } = options;
	const find = () => findOneLane({ janitor, facts, spinner, hold });
	if (wish === 1) return oneLane(find);
	const { lanes, limit } = chooseLanes(facts, wish);
	if (limit !== null && (typeof wish === 'number' || lanes.length === 0)) throw refusal(wish, lanes.length, limit);
	if (lanes.length < 2) return oneLane(find);
	if (obstacle !== null) return onlyOne(wish, obstacle, find);
	const affinities = lanes.map((lane) => hold(lane, true));
	const [first, ...others] = affinities;
	const unpinned = affinities.find(({ pinned }) => !pinned);
	if (first === undefined || unpinned !== undefined) return onlyOne(wish, `its processes are ${unpinned?.note}`, find);
	const cpus = lanes.flatMap(({ server, generator }) => [server, generator]);
	const shared = wish === 'smt' ? null : await whyShared(cpus, spinner);
	if (shared !== null) return onlyOne(wish, shared, find);
	return { lanes: [first, ...others], orchestrator: orchestratorCpus(facts, lanes), warnings: [] };
}

/** Returns the sentence for reports about where all lanes run. */
export function describeLanes(lanes: readonly Pick<Affinity, 'note'>[]): string {
	const [first] = lanes;
	if (lanes.length < 2) return first?.note ?? '';
	return `${lanes.length} lanes: ${lanes.map(({ note }, index) => `${index + 1}: ${note}`).join('; ')}`;
}

type Find = () => Promise<Affinity>;

async function oneLane(find: Find): Promise<FoundLanes> {
	return { lanes: [await find()], orchestrator: null, warnings: [] };
}

async function onlyOne(wish: LanesWish, why: string, find: Find): Promise<FoundLanes> {
	if (typeof wish === 'number') throw refusal(wish, 1, why);
	return { lanes: [await find()], orchestrator: null, warnings: [warnOfOneLane(wish, why)] };
}

/** Returns the warning that there is one lane; `why` is the end of a sentence. */
export function warnOfOneLane(wish: LanesWish, why: string): Warning {
	return { code: 'one-lane', message: `Cells were measured in one lane although lanes is ${wish}: ${why}.` };
}

/** Why these CPUs are no cores of their own, or may be none, as the end of a sentence; null where they are. */
async function whyShared(cpus: readonly number[], spinner: Spinner): Promise<string | null> {
	try {
		const shared = await findSharedCore(cpus, spinner);
		return shared === null ? null : describeShared(shared);
	} catch (error) {
		if (error instanceof NoSpin) return error.message;
		throw error;
	}
}

function describeShared({ cpu, other, ratio }: SharedCore): string {
	const left = Math.round(100 * ratio);
	return `CPU ${cpu} keeps ${left} % of its speed while CPU ${other} is busy, so both are threads of one core, which this machine does not say`;
}

function refusal(wish: LanesWish, found: number, why: string): UserError {
	const has = found === 0 ? 'this machine has none' : `this machine has ${found === 1 ? 'one' : found}`;
	return new UserError({
		code: 'lanes',
		message: `lanes: ${wish} was asked for, and ${has}: ${why}`,
		remedy: 'set lanes to auto for as many as there is room for, or leave it out for one',
	});
}
