import type * as ChildProcess from 'node:child_process';
import type * as Crypto from 'node:crypto';
import type * as Diagnostics from 'node:diagnostics_channel';
import type * as Fs from 'node:fs';
import type * as Inspector from 'node:inspector';
import type * as Module from 'node:module';
import type * as Net from 'node:net';
import type * as Path from 'node:path';
import type * as Timers from 'node:timers';
import type * as Url from 'node:url';
import type * as V8 from 'node:v8';
import type * as Threads from 'node:worker_threads';
import type { CpuProfile, ProfileMode } from '../../types/explain/profile.ts';
import type { ProbedScript, ProbedWork, ProbeGreeting, ProbeReport } from '../../types/probe.ts';

export interface ProbeSetting {
	readonly port: number;
	/** With a final slash. */
	readonly root: string;
	/** Counts work besides calls. Disables optimisation, so allocation is exact. */
	readonly countsWork?: boolean;
	/** Profiles instead. */
	readonly profiles?: ProfileMode;
}

/** Returns a data URL for Node, because the server may not be allowed to read our files. */
export function probeFlag(setting: ProbeSetting): string {
	const program = `(${runProbe})(${JSON.stringify(setting)})`;
	return `--import=data:text/javascript,${encodeURIComponent(program)}`;
}

/** Its text is the program. */
function runProbe({ port, root, countsWork = false, profiles }: ProbeSetting): void {
	const builtin = process.getBuiltinModule as ((name: string) => unknown) | undefined;
	if (builtin === undefined) return;
	const inspector = builtin('node:inspector') as typeof Inspector;
	const session = new inspector.Session();
	session.connect();
	// Callbacks run before `post` returns.
	const post = (method: string, params: object = {}): unknown => {
		let answer: unknown;
		session.post(method, params, (error: Error | null, result?: object) => {
			if (error) throw new Error(`${method}: ${error.message}`);
			answer = result;
		});
		return answer;
	};
	const { createHash } = builtin('node:crypto') as typeof Crypto;
	const childProcess = builtin('node:child_process') as typeof ChildProcess;
	const diagnostics = builtin('node:diagnostics_channel') as typeof Diagnostics;
	const fs = builtin('node:fs') as typeof Fs;
	const { syncBuiltinESMExports } = builtin('node:module') as typeof Module;
	const net = builtin('node:net') as typeof Net;
	const { resolve } = builtin('node:path') as typeof Path;
	const { fileURLToPath } = builtin('node:url') as typeof Url;
	const timers = builtin('node:timers') as typeof Timers;
	const { threadId } = builtin('node:worker_threads') as typeof Threads;
	const v8 = builtin('node:v8') as typeof V8;
	const readText = fs.readFileSync;
	const threads: number[] = [];
	process.on('worker', (worker: Threads.Worker) => threads.push(worker.threadId));
	type Prepare = (next: () => void, isLoaded: boolean) => void;
	const answer = (take: () => ProbeReport, onSent = () => {}, prepare: Prepare = (next) => next()) => {
		const socket = net.connect(port, '127.0.0.1');
		socket.on('error', () => {});
		const send = () => socket.write(`${JSON.stringify(take())}\n`, onSent);
		socket.on('data', (data) => {
			for (const letter of data.toString('latin1')) prepare(send, letter === 'l');
		});
		socket.write(`${JSON.stringify({ pid: process.pid, thread: threadId } satisfies ProbeGreeting)}\n`);
		socket.unref();
	};
	if (profiles !== undefined) {
		const flags = profiles === 'flat' ? ['--no-turbo-inlining', '--no-maglev-inlining'] : [];
		for (const flag of flags) v8.setFlagsFromString(flag);
		post('Profiler.enable');
		post('Profiler.setSamplingInterval', { interval: 500 });
		// Without a profile meanwhile, the next counts code that V8 replaced on the stack (OSR) for its caller.
		console.profile('all');
		const nothing = { work: null, scripts: [], requests: 0, reads: [], addons: [], wasm: 0, texts: [], foreign: [] };
		const rest = { ...nothing, children: [], programs: [], threads };
		post('Profiler.start');
		answer(() => {
			const { profile } = post('Profiler.stop') as { readonly profile: { readonly nodes: CpuProfile } };
			post('Profiler.start');
			const lean = profile.nodes.map(({ id, callFrame, hitCount, children = [] }) => ({
				...{ id, callFrame, hitCount, children },
			}));
			return { ...rest, profile: lean };
		});
		return;
	}

	let promises = 0;
	if (countsWork) {
		for (const flag of ['--no-opt', '--no-maglev', '--no-sparkplug']) v8.setFlagsFromString(flag);
		v8.promiseHooks.onInit(() => {
			promises++;
		});
	}
	const readCalls = (): ProbedWork['calls'] => {
		try {
			const text = readText('/proc/self/io', 'utf8');
			const numberOf = (name: string) => Number(text.match(`${name}: (\\d+)`)?.[1]);
			return { reads: numberOf('syscr'), writes: numberOf('syscw') };
		} catch {
			return null;
		}
	};
	let mark: { calls: ProbedWork['calls']; profiler: V8.GCProfiler; used: number } | null = null;
	const markWork = () => {
		const profiler = new v8.GCProfiler();
		const calls = readCalls();
		profiler.start();
		promises = 0;
		mark = { calls, profiler, used: v8.getHeapStatistics().used_heap_size };
	};
	const readWork = (): ProbedWork | null => {
		const used = v8.getHeapStatistics().used_heap_size;
		if (mark === null) return null;
		const made = promises;
		const statistics = mark.profiler.stop()?.statistics ?? [];
		const calls = readCalls();
		const freed = statistics.reduce(
			(sum, { beforeGC, afterGC }) => sum + beforeGC.heapStatistics.usedHeapSize - afterGC.heapStatistics.usedHeapSize,
			0,
		);
		return {
			bytes: used - mark.used + freed,
			promises: made,
			collections: statistics.length,
			calls: calls && mark.calls && { reads: calls.reads - mark.calls.reads, writes: calls.writes - mark.calls.writes },
		};
	};

	const paths = new Map<string, string>();
	const foreign = new Set<string>();
	let [wasm, isEarly] = [0, true];
	const pathOf = (url: string): string | null => {
		try {
			return url.startsWith('file:') ? fileURLToPath(url.replace(/[?#].*$/, '')) : null;
		} catch {
			return null;
		}
	};
	session.on('Debugger.scriptParsed', ({ params }) => {
		const { scriptId, url, scriptLanguage } = params as typeof params & { readonly scriptLanguage?: string };
		const path = pathOf(url);
		if (scriptLanguage === 'WebAssembly') wasm++;
		else if (path !== null) {
			if (path.startsWith(root)) paths.set(scriptId, path);
			if (isEarly || !path.startsWith(root)) foreign.add(path);
		}
	});
	post('Debugger.enable');
	post('Debugger.setSkipAllPauses', { skip: true });
	isEarly = false;
	post('Profiler.enable');
	post('Profiler.startPreciseCoverage', { callCount: true, detailed: false, allowTriggeredUpdates: false });

	const reads = new Set<string>();
	const isLoading = (path: string, below: (...args: never[]) => unknown): boolean => {
		if (path.endsWith('.json')) return false;
		const { prepareStackTrace, stackTraceLimit } = Error;
		try {
			Error.stackTraceLimit = 1;
			Error.prepareStackTrace = (_, sites) => sites[0]?.getFileName();
			const holder: { stack?: unknown } = {};
			Error.captureStackTrace(holder, below);
			// Of nested calls in node:fs, the outer one is noted.
			return /^node:(?:fs$|internal\/modules\/)/.test(String(holder.stack));
		} finally {
			Error.stackTraceLimit = stackTraceLimit;
			Error.prepareStackTrace = prepareStackTrace;
		}
	};
	const noteRead = (place: unknown, isFolder: boolean, below: (...args: never[]) => unknown): void => {
		try {
			const text = place instanceof URL ? fileURLToPath(place) : String(place);
			const path = `${resolve(text)}${isFolder ? '/' : ''}`;
			if (reads.has(path) || !path.startsWith(root) || isLoading(path, below)) return;
			reads.add(path);
		} catch {}
	};
	type Callable = (this: unknown, ...args: unknown[]) => unknown;
	type Note = (args: unknown[], below: Callable, outcome: unknown) => void;
	const hook = (owner: object, name: string, note: Note): void => {
		const table = owner as Record<string, Callable>;
		const original = table[name];
		if (typeof original !== 'function') return;
		const hooked: Callable = function (...args) {
			let outcome: unknown;
			try {
				outcome = Reflect.apply(original, this, args);
			} finally {
				note(args, hooked, outcome);
			}
			return outcome;
		};
		for (const key of Reflect.ownKeys(original)) {
			const descriptor = Object.getOwnPropertyDescriptor(original, key);
			if (key !== 'prototype' && descriptor) Object.defineProperty(hooked, key, descriptor);
		}
		table[name] = hooked;
	};
	const READERS = [
		'readFile',
		'open',
		'readdir',
		'opendir',
		'stat',
		'lstat',
		'access',
		'exists',
		'cp',
		'copyFile',
		'openAsBlob',
	];
	for (const name of READERS) {
		for (const [owner, each] of [
			[fs, name],
			[fs, `${name}Sync`],
			[fs.promises, name],
		] as const)
			hook(owner, each, ([place], below) => noteRead(place, name.endsWith('dir'), below));
	}

	hook(process, 'loadEnvFile', ([place = '.env'], below) => noteRead(place, false, below));

	const addons: string[] = [];
	hook(process, 'dlopen', ([, file]) => addons.push(String(file)));
	const texts = new Set<string>();
	hook(Function.prototype, 'toString', (_args, _below, text) => texts.add(String(text)));

	const children: { readonly pid: number; readonly file: string }[] = [];
	const programs: string[] = [];
	const prototype = childProcess.ChildProcess.prototype as unknown as { spawn: Callable };
	const { spawn } = prototype;
	prototype.spawn = function (this: unknown, ...args) {
		const outcome = Reflect.apply(spawn, this, args);
		const { pid = 0, spawnfile = '' } = this as ChildProcess.ChildProcess;
		children.push({ pid, file: spawnfile });
		return outcome;
	};
	for (const name of ['spawnSync', 'execSync', 'execFileSync'])
		hook(childProcess, name, ([file]) => programs.push(String(file)));
	const LONGEST_DELAY_MS = 300_000;
	const TIMER_TASKS_MS = 50;
	const MOST_TIMERS = 10_000;
	const pending = new Map<{ readonly _destroyed?: boolean }, () => unknown>();
	let kept = MOST_TIMERS;
	const noteTimer: Note = ([callback, delay, ...args], _below, timer) => {
		if (typeof callback !== 'function' || !(Number(delay) <= LONGEST_DELAY_MS)) return;
		if (pending.size > kept) {
			for (const each of pending.keys()) if (each._destroyed) pending.delete(each);
			kept = 2 * pending.size + MOST_TIMERS;
		}
		pending.set(timer as object, () => Reflect.apply(callback, timer, args));
	};
	const { setTimeout: wait } = timers;
	// A round lasts longer than the load that is covered.
	const runTimers = (next: () => void) => {
		const { exit } = process;
		const ignore = () => {};
		process.on('uncaughtException', ignore).on('unhandledRejection', ignore);
		process.exit = ignore as typeof exit;
		// Without those that they start.
		for (const [timer, run] of [...pending]) {
			try {
				if (!timer._destroyed) run();
			} catch {}
		}
		wait(() => {
			process.exit = exit;
			next();
		}, TIMER_TASKS_MS);
	};
	if (!countsWork) {
		for (const name of ['setTimeout', 'setInterval'] as const) {
			hook(timers, name, noteTimer);
			Reflect.set(globalThis, name, timers[name]);
		}
	}
	const prepare: Prepare = (next, isLoaded) => (isLoaded && !countsWork ? runTimers(next) : next());
	let requests = 0;
	diagnostics.subscribe('http.server.request.start', () => {
		requests++;
	});
	syncBuiltinESMExports();

	type Counted = { readonly startOffset: number; readonly endOffset: number; readonly count: number };
	interface Taken {
		readonly result: readonly {
			readonly scriptId: string;
			readonly functions: readonly { readonly functionName: string; readonly ranges: readonly [Counted] }[];
		}[];
	}
	const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
	const sources = new Map<string, { readonly hash: string; readonly isFile: boolean }>();
	const readSource = (scriptId: string, path: string) => {
		const known = sources.get(scriptId);
		if (known) return known;
		const { scriptSource } = post('Debugger.getScriptSource', { scriptId }) as { readonly scriptSource: string };
		let isFile = false;
		try {
			isFile = readText(path, 'utf8').replace(/^\uFEFF/, '') === scriptSource;
		} catch {}
		const source = { hash: hashOf(scriptSource), isFile };
		sources.set(scriptId, source);
		return source;
	};
	const take = (): ProbeReport => {
		const work = readWork();
		const { result } = post('Profiler.takePreciseCoverage') as Taken;
		const counted = new Map(result.map(({ scriptId, functions }) => [scriptId, functions]));
		const scripts = [...paths].map(([scriptId, path]): ProbedScript => {
			const functions = (counted.get(scriptId) ?? []).flatMap(({ functionName, ranges: [range] }) =>
				range.count > 0 ? [[range.startOffset, range.endOffset, functionName, range.count] as const] : [],
			);
			return { path, ...readSource(scriptId, path), functions };
		});
		const facts = { reads: [...reads], addons, wasm, texts: [...texts].map(hashOf), foreign: [...foreign] };
		const report = { work, profile: null, scripts, requests, ...facts, children, programs, threads };
		requests = 0;
		return report;
	};
	answer(take, () => countsWork && markWork(), prepare);
}
