/** The CPUs of a run in one lane: the generator on another core than the servers, also where the machine does not say what a core is. */
import type { Janitor } from '../../types/run-services.ts';
import { type Affinity, affinityOn, findAffinity } from '../affinity.ts';
import { chooseLanes, type Lane } from './choose-lanes.ts';
import { type CpuFacts, readCpuFacts } from './cpu-facts.ts';
import { createSpinner, findSharedCore, type Spinner } from './probe-siblings.ts';

/** With less there is nothing to choose, or the time of two CPUs is not there at all. */
const CHOICE = 3;
const BUSY_CPUS = 2;
/** Of two threads of a core, one is left out at most. Where more seem to share it, something else is at work. */
const MOST_TRIED = 3;

export interface OneLaneOptions {
	readonly janitor: Janitor;
	readonly facts?: CpuFacts;
	readonly spinner?: Spinner;
	/** Holds a lane on its CPUs; `affinityOn` when absent. */
	readonly hold?: (lane: Lane, beside: boolean) => Affinity;
}

/**
 * Returns the CPUs of the only lane. Where the kernel names no threads of one core, as in virtual machines that hide them, and there
 * are CPUs to choose from, work on two at once shows which of them share the core of the servers' CPU.
 */
export async function findOneLane(options: OneLaneOptions): Promise<Affinity> {
	const { janitor, facts = readCpuFacts(), spinner = createSpinner(janitor), hold = affinityOn } = options;
	const [lane] = chooseLanes(facts).lanes;
	if (lane === undefined) return findAffinity();
	const usual = hold(lane, false);
	if (!usual.pinned || !isHidden(facts)) return usual;
	const generator = await findApart(lane, facts.allowed, spinner);
	return generator === lane.generator ? usual : hold({ ...lane, generator }, false);
}

function isHidden({ allowed, siblings, quota }: CpuFacts): boolean {
	const isNamed = [...siblings.values()].some((core) => core.length > 1);
	return !isNamed && allowed.length >= CHOICE && (quota === null || quota >= BUSY_CPUS);
}

/** Returns the first CPU that keeps off the core of the servers; the usual one where that cannot be found out. */
async function findApart({ server, generator }: Lane, allowed: readonly number[], spinner: Spinner): Promise<number> {
	const others = allowed.filter((cpu) => cpu !== server && cpu !== generator);
	try {
		for (const cpu of [generator, ...others].slice(0, MOST_TRIED)) {
			if ((await findSharedCore([server, cpu], spinner)) === null) return cpu;
		}
	} catch {
		// A probe that does not start is no reason to measure nothing.
	}
	return generator;
}
