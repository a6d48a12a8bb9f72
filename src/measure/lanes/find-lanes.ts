/** Lanes that fit the request, the machine and a probe. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { LATE, within } from '../../process/deadline.ts';
import { OWN_NODE_FLAGS } from '../../process/debugger.ts';
import type { LanesWish } from '../../types/config.ts';
import { UserError } from '../../types/errors.ts';
import type { Janitor } from '../../types/run-services.ts';
import type { Fraction, Warning } from '../../types/units.ts';
import { type Affinity, affinityOn, findAffinity } from '../affinity.ts';
import { chooseLanes, type Lane, orchestratorCpus } from './choose-lanes.ts';
import { type CpuFacts, readCpuFacts } from './cpu-facts.ts';

/** With fewer CPUs no other can be chosen. */
const CHOICE = 3;

const BUSY_CPUS = 2;

/** A core has two threads, so at most one CPU should be rejected; otherwise the machine is busy. */
const MOST_TRIED = 3;

interface OneLaneOptions {
	readonly janitor: Janitor;
	readonly facts?: CpuFacts;
	readonly spinner?: Spinner;
	/** Default: `affinityOn`. */
	readonly hold?: (lane: Lane, beside: boolean) => Affinity;
}

const TASKSET_MS = 10_000;

export interface FoundLanes {
	readonly lanes: readonly [Affinity, ...Affinity[]];
	/** CPUs of our own process; null with one lane. */
	readonly orchestrator: readonly number[] | null;
	/** Why there are fewer lanes than requested. */
	readonly warnings: readonly Warning[];
}

export interface LanesOptions {
	readonly wish: LanesWish;
	readonly janitor: Janitor;
	/** Obstacle to a second lane, as the end of a sentence. */
	readonly obstacle?: string | null;
	readonly facts?: CpuFacts;
	readonly spinner?: Spinner;
	/** Default: `affinityOn`. */
	readonly hold?: (lane: Lane, beside: boolean) => Affinity;
}

/**
 * Returns as many lanes as fit for `auto`, at least one. A warning names any other obstacle. Several lanes are probed
 * for hidden shared cores (one lane: `findOneLane`).
 *
 * @throws UserError `lanes` if a number does not fit, or `smt` finds no core with two threads.
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

/** `why` ends the sentence of the warning. */
export function warnOfOneLane(wish: LanesWish, why: string): Warning {
	return { code: 'one-lane', message: `Cells were measured in one lane although lanes is ${wish}: ${why}.` };
}

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
	const speedPercent = Math.round(100 * ratio);
	return `CPU ${cpu} keeps ${speedPercent} % of its speed while CPU ${other} is busy, so both are threads of one core, which this machine does not report`;
}

function refusal(wish: LanesWish, laneCount: number, why: string): UserError {
	const has = laneCount === 0 ? 'this machine has none' : `this machine has ${laneCount === 1 ? 'one' : laneCount}`;
	return new UserError({
		code: 'lanes',
		message: `lanes: ${wish} was requested, but ${has}: ${why}`,
		remedy: 'set lanes to auto for as many as there is room for, or leave it out for one',
	});
}

/**
 * Pins this process, its threads and later children to `cpus`, away from servers, if permitted. Children already pinned
 * stay. Returns an undo function.
 */
export function holdOrchestrator(cpus: readonly number[]): () => void {
	const { allowed } = readCpuFacts();
	const moveTo = (list: readonly number[]) => {
		const argv = ['-a', '-p', '-c', list.join(','), String(process.pid)];
		return spawnSync('taskset', argv, { stdio: 'ignore', timeout: TASKSET_MS }).status === 0;
	};
	return moveTo(cpus) ? () => void moveTo(allowed) : () => {};
}

/**
 * Returns the CPUs of the only lane. If the kernel reports no shared cores (virtual machines hide them), a probe keeps
 * the generator off the servers' core.
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

async function findApart({ server, generator }: Lane, allowed: readonly number[], spinner: Spinner): Promise<number> {
	const others = allowed.filter((cpu) => cpu !== server && cpu !== generator);
	try {
		for (const cpu of [generator, ...others].slice(0, MOST_TRIED)) {
			if ((await findSharedCore([server, cpu], spinner)) === null) return cpu;
		}
	} catch {
		// A failed probe must not prevent measuring.
	}
	return generator;
}

/** Two threads of a core keep 50 to 70 % of their speed when both are busy. */
const SHARED_BELOW: Fraction = 0.85;
const SPIN_MS = 200;
const PATIENCE_MS = 10_000;
/** A short load of another program looks like a shared core once, but not twice. */
const TRIES = 2;

/** Prints its turns in the given milliseconds; without a number, prints once it spins, until killed. */
const SPIN = `
const due = Number(process.argv[1]);
let x = 1;
const turn = () => { for (let i = 0; i < 20000; i++) x = (x * 1103515245 + 12345) % 2147483648; };
const until = (end) => { let turns = 0; while (performance.now() < end) { turn(); turns++; } return turns; };
until(performance.now() + 50);
if (!due) { console.log('spins'); setImmediate(() => until(Infinity)); }
else console.log(until(performance.now() + due) + (x < 0 ? 1 : 0));
`;

interface SharedCore {
	readonly cpu: number;
	readonly other: number;
	/** Speed of `cpu` while `other` is busy. */
	readonly ratio: Fraction;
}

/** The message is the end of a sentence. */
export class NoSpin extends Error {
	override readonly name = 'NoSpin';
}

export interface Spinner {
	/** Returns how many turns `cpu` makes in a fixed time while `busy` spins. Throws NoSpin. */
	count(cpu: number, busy: number | null): Promise<number>;
}

/**
 * Returns the first CPU that shares the core of `cpus[0]`, or null. One CPU represents all, because a machine's cores
 * are alike.
 */
export async function findSharedCore(cpus: readonly number[], spinner: Spinner): Promise<SharedCore | null> {
	const [cpu, ...others] = cpus;
	if (cpu === undefined || others.length === 0) return null;
	let alone = await spinner.count(cpu, null);
	for (const other of others) {
		let ratio = 0;
		for (let attempt = 0; attempt < TRIES && ratio < SHARED_BELOW; attempt++) {
			if (attempt > 0) alone = Math.min(alone, await spinner.count(cpu, null));
			ratio = Math.max(ratio, (await spinner.count(cpu, other)) / alone);
		}
		if (ratio < SHARED_BELOW) return { cpu, other, ratio };
	}
	return null;
}

/** `patience` is milliseconds per process. */
export function createSpinner(janitor: Janitor, patience = PATIENCE_MS): Spinner {
	return {
		async count(cpu, busy) {
			const beside = busy === null ? null : start(busy, 0, janitor);
			try {
				if (beside !== null) await firstLine(beside, patience);
				const spinning = start(cpu, SPIN_MS, janitor);
				try {
					return Number(await firstLine(spinning, patience));
				} finally {
					await spinning.end();
				}
			} finally {
				await beside?.end();
			}
		},
	};
}

function start(cpu: number, milliseconds: number, janitor: Janitor) {
	const argv = ['-c', String(cpu), process.execPath, ...OWN_NODE_FLAGS, '-e', SPIN, String(milliseconds)];
	const child = spawn('taskset', argv, {
		detached: true,
		stdio: ['ignore', 'pipe', 'ignore'],
		env: { PATH: process.env.PATH ?? '' },
	});
	const release = child.pid === undefined ? () => {} : janitor.guardGroup(child.pid);
	const exited = once(child, 'exit').catch(() => {});
	return {
		child,
		cpu,
		async end() {
			child.kill('SIGKILL');
			await within(PATIENCE_MS, exited);
			release();
		},
	};
}

interface Spinning {
	readonly child: ChildProcess;
	readonly cpu: number;
}

async function firstLine({ child, cpu }: Spinning, patience: number): Promise<string> {
	const out = child.stdout as NodeJS.ReadableStream;
	out.setEncoding('utf8');
	const ended = once(child, 'exit').then(
		([code, signal]) => ({ ended: signal === null ? `it ended with exit code ${code}` : `${signal} ended it` }),
		(error: Error) => ({ ended: error.message }),
	);
	const outcome = await within(patience, Promise.race([once(out, 'data').then(([text]) => ({ text })), ended]));
	if (outcome !== LATE && 'text' in outcome) return String(outcome.text).trim();
	const why = outcome === LATE ? `it printed nothing for ${patience / 1000} s` : outcome.ended;
	throw new NoSpin(
		`whether its CPUs are threads of one core could not be found out, because the process that spins on CPU ${cpu} for that (taskset -c ${cpu} node) did not start: ${why}`,
	);
}
