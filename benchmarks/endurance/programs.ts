/** The two programs under test: the command line, and the committed action between a runner and GitHub's API. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseRaw } from '../../src/formats/raw/raw-file.ts';
import { within } from '../../src/process/deadline.ts';
import type { IsolationLevel } from '../../src/types/isolation.ts';
import { unzip } from '../../test/support/act/artifact.ts';
import { NUMBER, pullRequestEvent, REPOSITORY } from '../../test/support/act/events.ts';
import { CONFIG, type Head, type TinyFramework } from '../../test/support/act/tiny-framework.ts';
import { startDouble } from '../../test/support/github/double.ts';
import type { DoubleState } from '../../test/support/github/types.ts';
import type { Enclosure } from './enclosure.ts';
import type { RunFolder } from './run-folder.ts';

export const PROGRAMS = ['compare', 'action'] as const;
export type ProgramName = (typeof PROGRAMS)[number];

const dist = (name: string) => fileURLToPath(new URL(`../../dist/${name}`, import.meta.url));
/** Time that a runner leaves a cancelled step until SIGTERM and until SIGKILL. */
const CANCELLED_MS = [7_500, 10_000] as const;
/** A longer run hangs. */
const LONGEST_MS = 150_000;
/** Output that only a bug causes. */
const BUG = /^\s+at .*:\d+:\d+\)?$|bug (?:in|of) benchgate|node:internal|UnhandledPromise/m;

/** The commits of a repository with pull request 12. */
export type Commits = Pick<TinyFramework, 'folder' | 'base' | 'tip' | 'heads' | 'merges'>;

export interface Job {
	readonly folder: RunFolder;
	readonly tiny: Commits;
	readonly head: Head;
	readonly level: IsolationLevel;
	readonly enclosure: Enclosure;
	/** Additional variables. */
	readonly env: Readonly<Record<string, string>>;
	readonly id: number;
	/** Receives the started process. */
	readonly onStart: (child: ChildProcess) => void;
}

export interface Ended {
	/** Exit code or signal. */
	readonly exit: string;
	/** Incomplete files, unfinished checks and comments, and signs of a bug. */
	readonly broken: readonly string[];
}

export const RUNNERS: Readonly<Record<ProgramName, (job: Job) => Promise<Ended>>> = { compare, action };

async function compare(job: Job): Promise<Ended> {
	const { tiny, head, level, folder } = job;
	const raw = join(folder.out, 'raw.json');
	const flags = ['--isolation', level, '--raw', raw, '--json', join(folder.out, 'result.json')];
	const sides = ['--base', tiny.base, '--head', tiny.heads[head]];
	const { code, signal, stdout, stderr } = await start(job, [dist('cli.js'), 'compare', ...sides, ...flags]);
	const broken = [...checkFiles(folder), ...findBug(job, stderr)];
	if (stdout !== '' && code !== 2 && existsSync(raw)) {
		const judged = await start({ ...job, onStart: () => {} }, [dist('cli.js'), 'judge', raw]);
		if (judged.stdout !== stdout) broken.push('the report printed is not the one of the raw file');
	}
	return { exit: String(code ?? signal), broken };
}

/** Each output file must be complete or absent. */
function checkFiles({ out }: RunFolder): string[] {
	return readdirSync(out).flatMap((name) => {
		if (!name.endsWith('.json')) return [];
		return checkJson(name, readFileSync(join(out, name), 'utf8'));
	});
}

function checkJson(name: string, text: string): string[] {
	try {
		if (name === 'raw.json') parseRaw(text);
		else JSON.parse(text);
		return [];
	} catch (error) {
		return [`${name}: ${(error as Error).message}`];
	}
}

/** Characters quoted of a bug. */
const SHOWN = 600;

/** The failing heads print stacks of their own, which reports quote. */
function findBug({ head }: Job, text: string): string[] {
	if (head === 'unbuildable' || head === 'crashing') return [];
	const match = BUG.exec(text);
	return match === null ? [] : [`said "${text.slice(match.index, match.index + SHOWN).trim()}"`];
}

async function action(job: Job): Promise<Ended> {
	const { tiny, head, folder } = job;
	const double = await startDouble(knownToGithub(tiny, head));
	const env = { ...job.env, ...runnerVariables(job, double.url) };
	const main = await start({ ...job, env, onStart: (child) => job.onStart(hurry(child)) }, [dist('action.js')]);
	const state = readState(join(folder.runner, 'state'));
	const post = await start({ ...job, env: { ...env, ...state }, onStart: () => {} }, [dist('action-post.js')]);
	const broken = [...findBug(job, main.stdout + main.stderr), ...findBug(job, post.stdout + post.stderr)];
	for (const { status } of double.state.checkRuns) if (status !== 'completed') broken.push(`the check is ${status}`);
	for (const { body } of double.state.comments) {
		if (!/ state=final -->/.test(body)) broken.push('a comment says measuring');
		if (/bug in benchgate/.test(body)) broken.push('a comment tells of a bug');
	}
	if (double.state.checkRuns.length > 1 || double.state.comments.length > 1) broken.push('there is more than one');
	for (const name of readdirSync(folder.out).filter((one) => one.endsWith('.zip')))
		broken.push(...(await checkArtifact(join(folder.out, name))));
	await double.close().catch((error: Error) => broken.push(error.message));
	return { exit: String(main.code ?? main.signal), broken };
}

/** Returns GitHub's state with pull request 12. */
export function knownToGithub(tiny: Commits, head: Head): Partial<DoubleState> {
	const pull = {
		...{ number: NUMBER, headSha: tiny.heads[head], baseSha: tiny.tip, headRepository: REPOSITORY },
		...{ headRef: 'feature', baseRef: 'main', author: 'o' },
	};
	const content = { refs: { 'heads/main': tiny.tip }, contents: { 'benchgate.yml': CONFIG } };
	return { repository: REPOSITORY, pulls: [pull], ...content };
}

/** Gives a cancelled step the time that a runner would. */
function hurry(child: ChildProcess): ChildProcess {
	const kill = child.kill.bind(child);
	child.kill = (signal) => {
		if (signal === 'SIGINT') {
			setTimeout(() => kill('SIGTERM'), CANCELLED_MS[0]).unref();
			setTimeout(() => kill('SIGKILL'), CANCELLED_MS[1]).unref();
		}
		return kill(signal);
	};
	return child;
}

async function checkArtifact(path: string): Promise<string[]> {
	try {
		const files = await unzip(readFileSync(path));
		return Object.entries(files).flatMap(([name, text]) => (name.endsWith('.json') ? checkJson(name, text) : []));
	} catch (error) {
		return [`${path}: ${(error as Error).message}`];
	}
}

/** Returns the variables that a runner sets for the action on pull request 12, and creates their files. */
export function runnerVariables(
	{ folder, tiny, head, level, id }: Pick<Job, 'folder' | 'tiny' | 'head' | 'level' | 'id'>,
	api: string,
): Record<string, string> {
	const file = (name: string, text = '') => {
		const path = join(folder.runner, name);
		writeFileSync(path, text);
		return path;
	};
	const event = JSON.stringify(pullRequestEvent(tiny.tip, tiny.heads[head]));
	return {
		...{ GITHUB_ACTIONS: 'true', GITHUB_EVENT_NAME: 'pull_request', GITHUB_EVENT_PATH: file('event.json', event) },
		...{ GITHUB_REPOSITORY: REPOSITORY, GITHUB_RUN_ID: String(1000 + id), GITHUB_RUN_ATTEMPT: '1' },
		...{ GITHUB_SERVER_URL: 'https://github.com', GITHUB_API_URL: api, GITHUB_WORKSPACE: folder.work },
		...{ GITHUB_SHA: tiny.merges[head], GITHUB_REF: 'refs/pull/12/merge', RUNNER_TEMP: folder.runner },
		...{ GITHUB_OUTPUT: file('output'), GITHUB_STATE: file('state'), GITHUB_ENV: file('env') },
		...{ GITHUB_PATH: file('path'), GITHUB_STEP_SUMMARY: file('summary.md') },
		...{ BENCHGATE_ARTIFACT_DIR: folder.out, 'INPUT_GITHUB-TOKEN': `ghs_${'0'.repeat(36)}`, INPUT_ISOLATION: level },
	};
}

/** Returns the state that the step saved for its post step, as the runner passes it on. */
function readState(path: string): Record<string, string> {
	const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
	const entries = [...text.matchAll(/^(\w+)<<(\S+)\n([\s\S]*?)\n\2$/gm)];
	return Object.fromEntries(entries.map(([, name, , value = '']) => [`STATE_${name}`, value]));
}

interface Output {
	readonly code: number | null;
	readonly signal: string | null;
	readonly stdout: string;
	readonly stderr: string;
}

async function start(job: Job, args: readonly string[]): Promise<Output> {
	const { folder, enclosure } = job;
	const [program = '', ...rest] = enclosure.wrap([process.execPath, ...args]);
	const child = spawn(program, rest, {
		cwd: folder.work,
		stdio: ['ignore', 'pipe', 'pipe'],
		env: {
			PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
			...{ HOME: folder.home, TMPDIR: folder.temporary, LANG: 'C.UTF-8', BENCHGATE_CACHE: folder.cache },
			...job.env,
		},
	});
	const output = { stdout: '', stderr: '' };
	for (const name of ['stdout', 'stderr'] as const)
		child[name].setEncoding('utf8').on('data', (text: string) => {
			output[name] += text;
		});
	const exited = once(child, 'exit') as Promise<[number | null, string | null]>;
	const closed = once(child, 'close');
	job.onStart(child);
	const timer = setTimeout(() => child.kill('SIGKILL'), LONGEST_MS);
	const [code, signal] = await exited;
	clearTimeout(timer);
	// A surviving descendant may hold the pipes; the enclosure finds it.
	await within(1_000, closed);
	child.stdout.destroy();
	child.stderr.destroy();
	return { code, signal, ...output };
}
