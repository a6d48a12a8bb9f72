/** Virtual machines may hide that two of their CPUs are threads of one core. Work on both at once shows it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { LATE, within } from '../../process/deadline.ts';
import { OWN_NODE_FLAGS } from '../../process/debugger.ts';
import type { Janitor } from '../../types/run-services.ts';
import type { Fraction } from '../../types/units.ts';

/** A CPU that keeps less of its speed while another is busy shares a core with it. Two threads of a core keep 50 to 70 % each. */
const SHARED_BELOW: Fraction = 0.85;
const SPIN_MS = 200;
/** A process that only spins is up, and done, long before. */
const PATIENCE_MS = 10_000;
/** Somebody else's work for a moment looks like a shared core; it is not there again at once. */
const TRIES = 2;

/** Turns for this many milliseconds and prints how many; without a number until it is killed, and says when it has begun. */
const SPIN = `
const due = Number(process.argv[1]);
let x = 1;
const turn = () => { for (let i = 0; i < 20000; i++) x = (x * 1103515245 + 12345) % 2147483648; };
const until = (end) => { let turns = 0; while (performance.now() < end) { turn(); turns++; } return turns; };
until(performance.now() + 50);
if (!due) { console.log('spins'); setImmediate(() => until(Infinity)); }
else console.log(until(performance.now() + due) + (x < 0 ? 1 : 0));
`;

/** A CPU that slows another one down. */
export interface SharedCore {
	readonly cpu: number;
	readonly other: number;
	/** Speed that is left to the one while the other is busy. */
	readonly ratio: Fraction;
}

/** A process that was to spin did not: its message is the end of a sentence. */
export class NoSpin extends Error {
	override readonly name = 'NoSpin';
}

/** Measures CPUs: how fast one is alone, and while another is busy. */
export interface Spinner {
	/** Returns turns of a loop on `cpu` in a fixed time, with `busy` at work as well. Throws NoSpin where a process does not start. */
	count(cpu: number, busy: number | null): Promise<number>;
}

/**
 * Returns the first of `cpus` that shares the core of the first, as its speed shows while that one is busy; null when none does. All
 * cores of a machine are alike, so one CPU stands for all.
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

/** Returns the spinner of this machine; its processes end with each count. Each may take `patience` milliseconds. */
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
	const said = await within(patience, Promise.race([once(out, 'data').then(([text]) => ({ text })), ended]));
	if (said !== LATE && 'text' in said) return String(said.text).trim();
	const why = said === LATE ? `it said nothing for ${patience / 1000} s` : said.ended;
	throw new NoSpin(
		`whether its CPUs are threads of one core could not be found out, because the process that spins on CPU ${cpu} for that (taskset -c ${cpu} node) did not start: ${why}`,
	);
}
