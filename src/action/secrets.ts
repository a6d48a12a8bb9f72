import { closeSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';
import { findWithheld, GIT_SETTING, isSecretVariable } from '../process/environment.ts';
import type { Warning } from '../types/units.ts';

/** Bytes of a value inside the block of the environment. */
interface Span {
	readonly start: number;
	readonly end: number;
}

const ASTERISK = '*'.charCodeAt(0);

/** Variables of the runner's artifact and cache services, by name. Holds a token: never logged, never given to a child. */
export type RuntimeVariables = Readonly<Record<string, string>>;

export interface TakenSecrets {
	readonly runtime: RuntimeVariables;
	/** Names of the user's own variables that were taken, so that a build that fails without them can say so. */
	readonly withheld: readonly string[];
	/** `environment-readable` when other processes of this user can still read what we were started with. */
	readonly warnings: readonly Warning[];
}

/** Paths of files through which a step speaks to the runner: whoever writes to them changes later steps. */
export const RUNNER_FILES = [
	'GITHUB_ENV',
	'GITHUB_PATH',
	'GITHUB_OUTPUT',
	'GITHUB_STEP_SUMMARY',
	'GITHUB_STATE',
] as const;

/** A token, as opposed to a path or a word that happens to stand in a variable with a suspicious name. */
const TOKEN_VALUE = /^[\w.=+-]{16,}$/;

/**
 * Takes every secret out of this process, to be called before anything else is started and after the inputs are read: from
 * `process.env`, so that no child inherits it, and from the block of memory that `/proc/PID/environ` shows to every other
 * process of the same user. The paths in RUNNER_FILES stay in `process.env`, where the toolkit needs them, but leave that
 * block too. The debugger, through which the memory of a Node process can be read, no longer opens on request. Returns what
 * artifact and cache services need, for `withRuntimeVariables`.
 */
export function takeSecrets(): TakenSecrets {
	const environment = process.env;
	const isSecret = recogniseSecrets(environment);
	const withheld = findWithheld(environment);
	const runtime: Record<string, string> = {};
	for (const [name, value = ''] of Object.entries(environment)) {
		if (!isSecret(name, value)) continue;
		// Identity tokens are asked for by nothing of ours, so that nobody needs to get them back.
		if (/^ACTIONS_(?!ID_TOKEN_)/.test(name)) runtime[name] = value;
		delete environment[name];
	}
	const isRunnerFile = (name: string) => RUNNER_FILES.some((known) => known === name);
	for (const name of RUNNER_FILES) {
		// Setting a variable moves it out of the initial block, which may then be overwritten.
		if (environment[name] !== undefined) environment[name] = String(environment[name]);
	}
	const warning = scrubInitialEnvironment((name, value) => isSecret(name, value) || isRunnerFile(name));
	// Any process of the same user can send SIGUSR1, and without a listener it opens Node's debugger to all of them.
	process.on('SIGUSR1', () => {});
	return { runtime, withheld, warnings: warning === null ? [] : [warning] };
}

/**
 * Returns what `use` returns, with the variables of the runner's services set while it runs: its libraries read them from
 * the environment. To be called only while no process of the code under test is alive: children that the libraries start
 * (tar) inherit them. Calls must not overlap.
 */
export async function withRuntimeVariables<T>(runtime: RuntimeVariables, use: () => Promise<T>): Promise<T> {
	Object.assign(process.env, runtime);
	try {
		return await use();
	} finally {
		for (const name of Object.keys(runtime)) delete process.env[name];
	}
}

/**
 * Returns what tells secrets apart: by the name, as for children, everything of the runner's services, and every variable
 * with a token of another one inside, plain or as git's header has it.
 */
function recogniseSecrets(environment: NodeJS.ProcessEnv): (name: string, value: string) => boolean {
	const tokens = Object.entries(environment).flatMap(([name, value = '']) =>
		isSecret(name, value) && TOKEN_VALUE.test(value)
			? [value, Buffer.from(`x-access-token:${value}`).toString('base64')]
			: [],
	);
	const holdsToken = (value: string) => tokens.some((token) => value.includes(token));
	const gitSettings = Object.entries(environment).some(
		([name, value = '']) => GIT_SETTING.test(name) && holdsToken(value),
	);
	return (name, value) => isSecret(name, value) || holdsToken(value) || (gitSettings && GIT_SETTING.test(name));
}

/** One rule for us and for children, but that not everything of the platform's is a secret. */
function isSecret(name: string, value: string): boolean {
	return /^ACTIONS_/i.test(name) || isSecretVariable(name, value);
}

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
