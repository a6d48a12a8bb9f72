/** Finds CPUs that share a core although the virtual machine hides it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { LATE, within } from '../../process/deadline.ts';
import { OWN_NODE_FLAGS } from '../../process/debugger.ts';
import type { Janitor } from '../../types/run-services.ts';
import type { Fraction } from '../../types/units.ts';

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

export interface SharedCore {
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
	const why = outcome === LATE ? `it said nothing for ${patience / 1000} s` : outcome.ended;
	throw new NoSpin(
		`whether its CPUs are threads of one core could not be found out, because the process that spins on CPU ${cpu} for that (taskset -c ${cpu} node) did not start: ${why}`,
	);
}
