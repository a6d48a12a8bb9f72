import { closeSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';
import type { Warning } from '../../types/units.ts';

/** Bytes of a value inside the block of the environment. */
interface Span {
	readonly start: number;
	readonly end: number;
}

const ASTERISK = '*'.charCodeAt(0);

/**
 * Overwrites the values of some variables in the environment this process was started with, which `/proc/PID/environ` shows
 * for as long as it lives, whatever becomes of `process.env`. They must have been removed or set anew in `process.env`
 * before. `proc` is where the kernel describes this process. Returns null when nobody can read them any more, else the warning
 * `environment-readable`: on other platforms, and where the kernel does not let a process write its own memory.
 */
export function scrubInitialEnvironment(
	isSecret: (name: string, value: string) => boolean,
	proc = '/proc/self',
): Warning | null {
	if (process.platform !== 'linux') return readable(`this cannot be prevented on ${process.platform}`);
	try {
		const block = readFileSync(`${proc}/environ`);
		const spans = findValues(block, isSecret);
		if (spans.length > 0) overwrite(proc, block, spans);
		const left = readFileSync(`${proc}/environ`);
		if (spans.every(({ start, end }) => left.subarray(start, end).every((byte) => byte === ASTERISK))) return null;
		return readable('overwriting them had no effect');
	} catch (error) {
		return readable(error instanceof Error ? error.message : String(error));
	}
}

/** Returns where the values lie that `isSecret` names, in a block of `NAME=value` entries that end in NUL. */
export function findValues(block: Buffer, isSecret: (name: string, value: string) => boolean): Span[] {
	const spans: Span[] = [];
	for (let start = 0; start < block.length; ) {
		const nul = block.indexOf(0, start);
		const end = nul === -1 ? block.length : nul;
		const equals = block.indexOf('=', start);
		if (equals !== -1 && equals < end) {
			const name = block.toString('utf8', start, equals);
			if (isSecret(name, block.toString('utf8', equals + 1, end))) spans.push({ start: equals + 1, end });
		}
		start = end + 1;
	}
	return spans;
}

/**
 * Returns where the initial environment begins in our memory: field 50 of `/proc/PID/stat`, proc_pid_stat(5). The second
 * field, the name of the program, is in parentheses and may itself hold spaces and parentheses.
 */
export function findEnvironmentStart(stat: string): number {
	const fromThird = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
	const address = Number(fromThird[50 - 3]);
	if (!Number.isSafeInteger(address) || address <= 0)
		throw new Error('the kernel does not say where the environment is');
	return address;
}

function overwrite(proc: string, block: Buffer, spans: readonly Span[]): void {
	const address = findEnvironmentStart(readFileSync(`${proc}/stat`, 'latin1'));
	const memory = openSync(`${proc}/mem`, 'r+');
	try {
		const found = Buffer.alloc(block.length);
		readSync(memory, found, 0, found.length, address);
		// Writing anywhere else would be worse than leaving a secret readable.
		if (!found.equals(block)) throw new Error('the environment is not where the kernel says');
		for (const { start, end } of spans) {
			writeSync(memory, Buffer.alloc(end - start, ASTERISK), 0, end - start, address + start);
		}
	} finally {
		closeSync(memory);
	}
}

function readable(why: string): Warning {
	return {
		code: 'environment-readable',
		message: `the code under test can read the variables this step was started with, tokens among them (${why}); give the measuring job no more than "permissions: contents: read" and no secrets`,
	};
}
