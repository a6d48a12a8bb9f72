/** Runs the bundled command line in a temporary folder. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	realpathSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { CellResult, Result } from '../../src/types/result.ts';

export const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const FIXTURES = fileURLToPath(new URL('../fixtures/', import.meta.url));
/** Kept between test runs, to install packages once. */
export const SHARED_CACHE = fileURLToPath(new URL('../../node_modules/.cache/benchgate-tests/cache', import.meta.url));

/** A longer run hangs. */
const LONGEST_MS = 600_000;
/** Generous for a loaded machine; waits end as soon as the condition holds. */
const PATIENCE_MS = 60_000;

/** By path; values that are not text are written as JSON, which is also YAML. */
export type Files = Readonly<Record<string, unknown>>;

export interface CliRun {
	readonly code: number | null;
	readonly signal: NodeJS.Signals | null;
	readonly stdout: string;
	readonly stderr: string;
}

export interface Running {
	readonly process: ChildProcess;
	stderr(): string;
	/** Resolves once stderr matches; fails if the run ends first. */
	says(pattern: RegExp): Promise<void>;
	readonly ended: Promise<CliRun>;
}

export interface RunOptions {
	readonly env?: Readonly<Record<string, string>>;
	/** Prefix of the command line: `taskset -c 0`. */
	readonly through?: readonly string[];
	readonly cli?: string;
}

/** A test's context, or `node:test` for the whole file. */
export interface Scope {
	after(work: () => void): void;
}

export interface Comparison {
	readonly run: CliRun;
	readonly result: Result;
	readonly row: CellResult;
}

export interface Playground {
	/** Working directory; the cache is beside it. */
	readonly folder: string;
	readonly root: string;
	write(files: Files): void;
	read(path: string): string;
	start(args: readonly string[], options?: RunOptions): Running;
	run(args: readonly string[], options?: RunOptions): Promise<CliRun>;
	/** Command lines of its living processes. */
	processes(): string[];
}

/** Returns a fresh folder with `files`. The end of the scope kills its processes and removes it. */
export function makePlayground(scope: Scope, files: Files = {}): Playground {
	const root = realpathSync(mkdtempSync(join(tmpdir(), 'benchgate-e2e-')));
	const folder = join(root, 'work');
	mkdirSync(folder);
	scope.after(() => {
		for (const { pid } of processesOf(root)) process.kill(pid, 'SIGKILL');
		rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
	});
	const playground: Playground = {
		folder,
		root,
		write: (more) => writeFiles(folder, more),
		read: (path) => readFileSync(join(folder, path), 'utf8'),
		start: (args, options = {}) => start(playground, args, options),
		run: (args, options) => playground.start(args, options).ended,
		processes: () => processesOf(root).map(({ command }) => command),
	};
	playground.write(files);
	return playground;
}

/**
 * Returns a config of custom servers that answer `{"ok":true}`. The warm-up is short: small servers gain little from
 * more, and tests look for large differences.
 */
export function configOf(servers: readonly Readonly<Record<string, unknown>>[], more: Files = {}): Files {
	const ok = {
		name: 'ok',
		request: { method: 'GET', path: '/' },
		expect: { status: 200, json: { ok: true } },
		load: { connections: 4, pipelining: 1 },
	};
	return { servers, scenarios: [ok], warmup: '200ms', ...more };
}

/** Waits before each answer, to leave CPUs to concurrent tests where speed is irrelevant. */
export const WAITING = { env: { WAIT_MS: '2' } } as const;

/** The server follows its side's file `behaviour-NAME`. */
export function behavingServer(name: string, more: Files = {}): Readonly<Record<string, unknown>> {
	return {
		name,
		command: `BEHAVIOUR="$(cat behaviour-${name})" node behaviour.mjs`,
		ready: { timeout: '30s' },
		...more,
	};
}

/** Returns a correct base, and head with these behaviours by server. */
export function behavingSides(behaviours: Readonly<Record<string, string>>): Files {
	const fixture = readFileSync(join(FIXTURES, 'servers/behaviour.mjs'), 'utf8');
	const files: Record<string, string> = { 'base/behaviour.mjs': fixture, 'head/behaviour.mjs': fixture };
	for (const [name, behaviour] of Object.entries(behaviours)) {
		files[`base/behaviour-${name}`] = '';
		files[`head/behaviour-${name}`] = behaviour;
	}
	return files;
}

/** Compares the folders base and head in three rounds with a fixed seed, without explaining; requires a config with one cell. */
export async function compareSides(scope: Scope, files: Files, budget: string): Promise<Comparison> {
	const playground = makePlayground(scope, files);
	const flags =
		`--rounds 3 --seed 7 --warmup 200ms --skip-unaffected false --explain never --budget ${budget} --json result.json`.split(
			' ',
		);
	const run = await playground.run(['compare', '--base', 'dir:base', '--head', 'dir:head', ...flags]);
	const result = JSON.parse(playground.read('result.json')) as Result;
	const [row, ...others] = result.cells;
	assert.ok(row !== undefined && others.length === 0);
	return { run, result, row };
}

export function readFixture(path: string): string {
	return readFileSync(join(FIXTURES, path), 'utf8');
}

/** Fails after a minute. */
export async function until(what: string, holds: () => boolean): Promise<void> {
	const due = performance.now() + PATIENCE_MS;
	while (!holds()) {
		assert.ok(performance.now() < due, `waited too long for ${what}`);
		await delay(25);
	}
}

/** Killed processes live on for a moment. */
export async function assertNoProcess(playground: Playground): Promise<void> {
	await until('the end of all processes', () => playground.processes().length === 0);
}

/** Asserts a message for users, without a stack. */
export function assertExit(run: CliRun, code: number): void {
	assert.equal(run.code, code, `exit code ${run.code ?? run.signal}\n${run.stdout}\n${run.stderr}`);
	assert.doesNotMatch(run.stderr, /^\s+at .*:\d+:\d+\)?$|bug of benchgate|node:internal|UnhandledPromise/m);
}

/** Returns stderr without progress lines. */
export function complaint(run: CliRun): string {
	const from = run.stderr.search(/^benchgate: /m);
	return from < 0 ? run.stderr : run.stderr.slice(from);
}

function writeFiles(folder: string, files: Files): void {
	for (const [path, content] of Object.entries(files)) {
		mkdirSync(dirname(join(folder, path)), { recursive: true });
		writeFileSync(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content, null, 2));
	}
}

function start(
	playground: Playground,
	args: readonly string[],
	{ env = {}, through = [], cli = CLI }: RunOptions,
): Running {
	const [program = '', ...words] = [...through, process.execPath, cli, ...args];
	const child = spawn(program, words, {
		cwd: playground.folder,
		stdio: ['ignore', 'pipe', 'pipe'],
		timeout: LONGEST_MS,
		env: { ...plainEnvironment(), BENCHGATE_CACHE: join(playground.root, 'cache'), ...env },
	});
	const printed = { stdout: '', stderr: '' };
	for (const name of ['stdout', 'stderr'] as const) {
		child[name].setEncoding('utf8').on('data', (text: string) => {
			printed[name] += text;
		});
	}
	const ended = once(child, 'close').then(([code, signal]): CliRun => ({ code, signal, ...printed }));
	return {
		process: child,
		stderr: () => printed.stderr,
		ended,
		async says(pattern) {
			while (!pattern.test(printed.stderr)) {
				const over = await Promise.race([once(child.stderr, 'data').then(() => null), ended]);
				assert.equal(over, null, `it ended without saying ${pattern}: ${printed.stderr}`);
			}
		},
	};
}

/** Without the test runner's variables, with this Node first on PATH. */
function plainEnvironment(): NodeJS.ProcessEnv {
	const { NODE_OPTIONS, NODE_TEST_CONTEXT, FORCE_COLOR, NO_COLOR, ...env } = process.env;
	return { ...env, PATH: `${dirname(process.execPath)}${delimiter}${env.PATH}` };
}

/** Processes with `root` as working directory, or in command line or environment. */
function processesOf(root: string): { pid: number; command: string }[] {
	return readdirSync('/proc').flatMap((name) => {
		const pid = Number(name);
		if (!Number.isInteger(pid) || pid === process.pid) return [];
		try {
			const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
			const traces = [command, readFileSync(`/proc/${pid}/environ`, 'latin1'), readlinkSync(`/proc/${pid}/cwd`)];
			return traces.some((trace) => trace.includes(root)) ? [{ pid, command }] : [];
		} catch {
			// Already exited, or a zombie.
			return [];
		}
	});
}
