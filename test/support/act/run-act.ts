/** Runs a workflow under act in a scratch copy of a repository, against a double of GitHub's API. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ensureTool } from '../../../scripts/tools.ts';
import type { Call, Double } from '../github/types.ts';
import { REPOSITORY } from './events.ts';
import { type ActLog, readActLog } from './log.ts';
import { endProcesses, type FoundProcess, findProcesses, killProcesses } from './processes.ts';
import { makeScratch, type Scope, type Scratch, type ScratchContent } from './scratch.ts';

const LONGEST_SECONDS = 600;
const LONGEST_END_SECONDS = 30;

export interface ActOptions extends ScratchContent {
	readonly event: string;
	readonly double: Pick<Double, 'url' | 'calls'>;
	/** `owner/name@ref` → folder of an action or of reusable workflows. */
	readonly actions: Readonly<Record<string, string>>;
	readonly runId?: number;
	readonly ref?: string;
	readonly actor?: string;
	readonly env?: Readonly<Record<string, string>>;
	/** Shared cache service. */
	readonly cacheFolder?: string;
	/** Default: 600. */
	readonly timeoutSeconds?: number;
	/** For its processes to exit; default: 30. */
	readonly endSeconds?: number;
}

export interface ActRun extends ActLog, Pick<Scratch, 'token' | 'readHome'> {
	/** 0: jobs passed or were skipped; 1: one failed; null: timeout. */
	readonly exitCode: number | null;
	/** By name, as zip. */
	readonly artifacts: Readonly<Record<string, Buffer>>;
	readonly apiCalls: readonly Call[];
	readonly seconds: number;
}

export interface RunningAct {
	readonly ended: Promise<ActRun>;
	readonly processes: () => FoundProcess[];
	/** Waits for a command line; fails if the run ends first. */
	readonly waitFor: (command: RegExp) => Promise<FoundProcess>;
	/** Fails if the run ends first. */
	readonly says: (pattern: RegExp) => Promise<void>;
}

/** Fails if a process is left. */
export async function runAct(scope: Scope, options: ActOptions): Promise<ActRun> {
	return (await startAct(scope, options)).ended;
}

/** Starts a workflow. Writes only to its scratch folder. */
export async function startAct(scope: Scope, options: ActOptions): Promise<RunningAct> {
	const act = await ensureTool('act');
	const scratch = makeScratch(scope, options);
	const { root, repository, environment } = scratch;
	const callsBefore = options.double.calls.length;
	const startedAt = performance.now();
	const child = spawn(act, argumentsOf(root, options), {
		cwd: repository,
		env: environment,
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	const output = collect(child);
	const timeout = setTimeout(() => killProcesses(root), (options.timeoutSeconds ?? LONGEST_SECONDS) * 1000);
	const ended = once(child, 'close').then(async ([exitCode]): Promise<ActRun> => {
		clearTimeout(timeout);
		const seconds = (performance.now() - startedAt) / 1000;
		const survivors = await endProcesses(root, options.endSeconds ?? LONGEST_END_SECONDS);
		const log = readActLog(output());
		assert.deepEqual(survivors, [], `processes outlived the run:\n${log.text}`);
		const { token, readHome } = scratch;
		const apiCalls = options.double.calls.slice(callsBefore);
		return { ...log, token, readHome, exitCode, seconds, apiCalls, artifacts: scratch.artifacts() };
	});
	const until = async <T>(what: string, look: () => T | undefined): Promise<T> => {
		for (;;) {
			const value = look();
			if (value !== undefined) return value;
			if ((child.exitCode ?? child.signalCode) !== null)
				assert.fail(`the run ended without ${what}:\n${readActLog(output()).text}`);
			await delay(25);
		}
	};
	return {
		ended,
		processes: () => findProcesses(root),
		waitFor: (command) =>
			until(`a process ${command}`, () => findProcesses(root).find((process) => command.test(process.command))),
		says: async (pattern) => {
			await until(`saying ${pattern}`, () => pattern.exec(readActLog(output()).text) ?? undefined);
		},
	};
}

function argumentsOf(root: string, options: ActOptions): string[] {
	const { event, double, actions, runId = 1000, ref, actor, env = {}, cacheFolder } = options;
	const variables = {
		GITHUB_API_URL: double.url,
		GITHUB_REPOSITORY: REPOSITORY,
		GITHUB_RUN_ID: String(runId),
		...(ref === undefined ? {} : { GITHUB_REF: ref }),
		...env,
	};
	const cache =
		cacheFolder === undefined
			? ['--no-cache-server']
			: ['--cache-server-addr', '127.0.0.1', '--cache-server-path', cacheFolder];
	return [
		event,
		...['--json', '--pull=false', '--no-recurse', ...cache],
		...(actor === undefined ? [] : ['--actor', actor]),
		...['-P', 'ubuntu-latest=-self-hosted'],
		...['-W', join(root, 'workflow.yml')],
		...['-e', join(root, 'event.json')],
		...['--secret-file', join(root, 'secrets')],
		...Object.entries(variables).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
		...Object.entries(actions).flatMap(([name, folder]) => ['--local-repository', `${name}=${folder}`]),
	];
}

function collect(child: ChildProcess): () => string {
	let text = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream?.setEncoding('utf8').on('data', (more: string) => {
			text += more;
		});
	}
	return () => text;
}
