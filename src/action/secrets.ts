import { closeSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';
import { execa } from 'execa';
import { findWithheld, GIT_SETTING, isSecretVariable, scrubEnvironment } from '../process/environment.ts';
import type { Warning } from '../types/units.ts';

interface Span {
	readonly start: number;
	readonly end: number;
}

const ASTERISK = '*'.charCodeAt(0);

/**
 * Variables of the runner's artifact and cache services. They include a token, so never log them or pass them to a
 * child.
 */
export type RuntimeVariables = Readonly<Record<string, string>>;

export interface TakenSecrets {
	readonly runtime: RuntimeVariables;
	/** The user's variables that were removed. They are named when a build fails without them. */
	readonly withheld: readonly string[];
	/** Has `environment-readable` if processes of this user can still read the initial environment. */
	readonly warnings: readonly Warning[];
}

/** Variables with the paths of the runner's command files, through which a process can change later steps. */
export const RUNNER_FILES = [
	'GITHUB_ENV',
	'GITHUB_PATH',
	'GITHUB_OUTPUT',
	'GITHUB_STEP_SUMMARY',
	'GITHUB_STATE',
] as const;

/** Does not match paths and plain words, which variables with suspicious names may have. */
const TOKEN_VALUE = /^[\w.=+-]{16,}$/;

/**
 * Removes all secrets from `process.env`, which children inherit, and from `/proc/PID/environ`, which processes of the
 * same user can read. Call it after reading the inputs and before starting any process. Returns the services' variables
 * for `withRuntimeVariables`.
 */
export function takeSecrets(): TakenSecrets {
	const environment = process.env;
	const isSecret = recogniseSecrets(environment);
	const withheld = findWithheld(environment);
	const runtime: Record<string, string> = {};
	for (const [name, value = ''] of Object.entries(environment)) {
		if (!isSecret(name, value)) continue;
		// benchgate requests no identity tokens, so it drops their variables.
		if (/^ACTIONS_(?!ID_TOKEN_)/.test(name)) runtime[name] = value;
		delete environment[name];
	}
	const isRunnerFile = (name: string) => RUNNER_FILES.some((variable) => variable === name);
	for (const name of RUNNER_FILES) {
		// The assignment moves the variable out of the initial block, which can then be overwritten.
		if (environment[name] !== undefined) environment[name] = String(environment[name]);
	}
	const warning = scrubInitialEnvironment((name, value) => isSecret(name, value) || isRunnerFile(name));
	// Any process of the same user can send SIGUSR1, and Node then opens its debugger unless there is a listener.
	process.on('SIGUSR1', () => {});
	return { runtime, withheld, warnings: warning === null ? [] : [warning] };
}

/**
 * Runs `use` with the services' variables in the environment, where their libraries read them. Call it only while no
 * code under test is alive, because children of the libraries (tar) inherit the variables. Calls must not overlap.
 */
export async function withRuntimeVariables<T>(runtime: RuntimeVariables, use: () => Promise<T>): Promise<T> {
	Object.assign(process.env, runtime);
	try {
		return await use();
	} finally {
		for (const name of Object.keys(runtime)) delete process.env[name];
	}
}

/** Also matches values that contain the token of another variable, plain or encoded as in git's header. */
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

function isSecret(name: string, value: string): boolean {
	return /^ACTIONS_/i.test(name) || isSecretVariable(name, value);
}

/**
 * Overwrites values in the initial environment, which `/proc/PID/environ` shows even after changes to `process.env`.
 * `proc` is the process's folder in procfs. Returns the warning `environment-readable` where that is impossible; else
 * null.
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
		const currentBlock = readFileSync(`${proc}/environ`);
		if (spans.every(({ start, end }) => currentBlock.subarray(start, end).every((byte) => byte === ASTERISK)))
			return null;
		return readable('overwriting them had no effect');
	} catch (error) {
		return readable(error instanceof Error ? error.message : String(error));
	}
}

/** Returns the byte ranges of the selected values in a block of NUL-terminated `NAME=value` entries. */
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
 * Returns the address of the initial environment: field 50 of `/proc/PID/stat`, see proc_pid_stat(5). Field 2 is the
 * program name in parentheses and may itself contain spaces and parentheses.
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
		const memoryBytes = Buffer.alloc(block.length);
		readSync(memory, memoryBytes, 0, memoryBytes.length, address);
		// Writing to a wrong address would be worse than leaving a secret readable.
		if (!memoryBytes.equals(block)) throw new Error('the environment is not where the kernel says');
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

/** Git prints sections and keys in lower case. */
const SETTINGS = '^(http\\..*\\.extraheader|http\\.extraheader|remote\\..*\\.(push)?url|url\\..*\\.(push)?insteadof)$';
const URL_WITH_PASSWORD = /:\/\/(?:[^/@\s]*:[^/@\s]+|[^/@\s:]{20,})@/;

/**
 * Returns the warning `credentials-kept` if git's effective configuration has a token, which the code under test can
 * read, else null.
 */
export async function findKeptCredentials(workspace: string): Promise<Warning | null> {
	const { stdout } = await execa(
		'git',
		['-c', 'safe.directory=*', '-C', workspace, 'config', '--null', '--get-regexp', SETTINGS],
		{ env: scrubEnvironment(process.env, 'build'), extendEnv: false, reject: false, stdin: 'ignore', timeout: 10_000 },
	);
	const setting = (stdout ?? '').split('\0').find(holdsCredentials);
	if (setting === undefined) return null;
	return {
		code: 'credentials-kept',
		message: `the checkout keeps a token in git's configuration (${nameOf(setting)}), where the code under test can read it; add "persist-credentials: false" under "with:" of the step actions/checkout`,
	};
}

/** `git config --null` prints key, newline, value. */
function holdsCredentials(entry: string): boolean {
	const [key = '', ...value] = entry.split('\n');
	return /extraheader$/i.test(key)
		? /authorization|token|cookie/i.test(value.join(' '))
		: URL_WITH_PASSWORD.test(entry);
}

/** Leaves out the middle of the key, which may be a URL with a password. */
function nameOf(entry: string): string {
	const [key = ''] = entry.split('\n');
	return `${key.slice(0, key.indexOf('.'))}.*.${key.slice(key.lastIndexOf('.') + 1)}`;
}
