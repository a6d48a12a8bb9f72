/** One fresh server process of one side: start it, wait until it listens, end it with everything it started. */
import { REFUSES_FLAG } from '../process/debugger.ts';
import { readTail } from '../process/logs.ts';
import { endGroup } from '../process/users/end-group.ts';
import { SAME_USER } from '../process/users/same-user.ts';
import { explainRefused } from '../text/apart.ts';
import type { CustomServer } from '../types/config.ts';
import type { Limits } from '../types/limits.ts';
import type { Fault } from '../types/round.ts';
import type { Seconds, Side } from '../types/units.ts';
import type { Affinity } from './affinity.ts';
import type { ConnectionWatch } from './connections/connection-watch.ts';
import { describeOomKill, readOomKills, watchMemory } from './memory-limit.ts';
import { findFreePort } from './ports.ts';
import { nodeOptions } from './start/node-options.ts';
import { waitUntilReady } from './start/readiness.ts';
import { runHook } from './start/run-hook.ts';
import { openPlace, type Place, type PlaceOptions } from './start/server-place.ts';
import { describeEnding, findStartReason, lastWords } from './start/start-reason.ts';
import { readTellings, type Telling } from './tell-vitals.ts';

/** As Node, and as every language that passes on the words of the C library or its own likeness of them. */
const PORT_TAKEN = /EADDRINUSE|address already in use/i;

export interface StartOptions extends PlaceOptions {
	/** When it counts as ready, and whether its start is timed. The time is also the longest that each of its hooks may take. */
	readonly ready: { readonly path?: string; readonly timeoutSeconds: Seconds; readonly isTimed?: boolean };
	/** Shell commands run before and after the process. */
	readonly hooks?: Pick<CustomServer, 'start' | 'stop'>;
	/** Port to listen on, free when it was chosen. */
	readonly port: number;
	readonly affinity: Affinity;
	/** What it may use, and how long it may take to be ready, whatever it says itself. */
	readonly limits?: Pick<Limits, 'memoryLimit' | 'readyTimeoutSeconds'>;
	/** Whether a server on Node reports garbage collection and event loop. */
	readonly vitals?: boolean;
	/** Told of the port before anybody listens there. */
	readonly connections?: ConnectionWatch;
	readonly signal: AbortSignal;
}

export interface ServerProcess extends AsyncDisposable {
	readonly side: Side;
	readonly pid: number;
	readonly origin: string;
	readonly port: number;
	/** `performance.now()` when it was spawned. */
	readonly spawnedAt: number;
	/** `NAME=value` that the environments of all its processes hold. */
	readonly mark: string;
	/** The user that runs it and nothing else; null when it is our own. */
	readonly uid: number | null;
	/** Folder of the control group of its side; null without one. */
	readonly group: string | null;
	/** Whether all processes of its side must stay on the servers' CPU. False after a command ran that may have started some elsewhere. */
	readonly held: boolean;
	/** Resolves when the process ends, however. */
	readonly exited: Promise<void>;
	/** Null while it runs; otherwise how it ended, with the last lines it printed. */
	ending(): string | null;
	/** What `stop` had to do beyond SIGTERM, for warnings. */
	readonly untidy: Untidy;
	/** Last lines it printed, empty when it printed nothing. */
	lastLines(): string;
	/** What its processes told lately of garbage collection and event loop, as far as they were asked to. */
	tellings(): readonly Telling[];
	/** What to do when it printed that it was refused something because it runs apart, else empty; begins with a semicolon. */
	refused(): string;
	/** Ends the process as `stop` does, and leaves everything else of it for that. */
	leave(): Promise<void>;
	stop(): Promise<void>;
}

export interface Untidy {
	hungOnTerm: boolean;
	/** It was still there some seconds after it was killed, and was left alone. */
	survived: boolean;
	escaped: number;
	/** How its `stop` command failed; null when it did not. Foreign text. */
	stopFailed: string | null;
}

/** A server that did not come up. */
export class StartFailure extends Error {
	readonly fault: Fault;
	constructor(fault: Fault) {
		super(fault.message);
		this.fault = fault;
	}
}

/**
 * Starts the server on its port (on another one if that was taken meanwhile) and returns it once it is ready. Throws StartFailure;
 * nothing is left running then.
 */
export async function startServer(asked: StartOptions): Promise<ServerProcess> {
	const { readyTimeoutSeconds: timeoutSeconds = asked.ready.timeoutSeconds } = asked.limits ?? {};
	const options = { ...asked, ready: { ...asked.ready, timeoutSeconds } };
	const first = await launch(options, options.port);
	const failure = await findFailure(first, options);
	if (failure === null) return first;
	const said = first.lastLines();
	await first.stop();
	// Somebody may have taken the port between our probe and the server's listen; or its command brings another Node.
	const knowsFlag = !REFUSES_FLAG.test(said);
	if ((failure.code !== 'port-taken' && knowsFlag) || options.signal.aborted) throw new StartFailure(failure);
	const second = await launch(options, await findFreePort(), knowsFlag);
	const again = await findFailure(second, options);
	if (again === null) return second;
	await second.stop();
	throw new StartFailure(again);
}

async function findFailure(server: ServerProcess, options: StartOptions): Promise<Fault | null> {
	const outcome = await waitUntilReady(server, options.ready, options.signal).catch(async (error: unknown) => {
		await server.stop();
		throw error;
	});
	if (outcome === 'ready') return null;
	const name = `the ${options.side} server ${options.server.name}`;
	if (outcome === 'exited') {
		return {
			code: PORT_TAKEN.test(server.lastLines()) ? 'port-taken' : 'exited-at-start',
			side: options.side,
			message: `${name} exited at start: ${server.ending()}`,
		};
	}
	const seconds = `${options.ready.timeoutSeconds} s`;
	if (outcome === 'unasked') {
		// As when it is asked later on. What the server printed proves nothing: it may say what it likes.
		const message = `${name} could not be asked whether it is ready within ${seconds}: no port was left on this machine for a connection to it`;
		return { code: 'no-answer', side: null, message };
	}
	const message =
		outcome === 'not-listening'
			? `${name} did not listen at ${server.origin} (its HOST and PORT) within ${seconds}`
			: `${name} listens, but ${options.ready.path} gave no status below 500 within ${seconds}: ${outcome}`;
	return { code: 'never-listened', side: options.side, message: `${message}${tail(server)}${server.refused()}` };
}

function tail(server: ServerProcess): string {
	const lines = server.lastLines();
	return lines === '' ? '' : `; it printed: ${lines}`;
}

async function launch(options: StartOptions, port: number, refusesDebugger = true): Promise<ServerProcess> {
	const { server, affinity, side } = options;
	const place = openPlace(options, port);
	const { user } = place;
	options.connections?.follow(port);
	user.listens(port);
	const held = affinity.serverCpu !== null && !server.takesAllCpus && options.hooks?.start === undefined;
	user.hold(held ? [affinity.serverCpu] : null);
	await setUp(options, place);
	const own = server.env.NODE_OPTIONS;
	const oomKills = readOomKills();
	const spawnedAt = performance.now();
	const { child, exited, logFile } = place.start(
		'server',
		'argv' in server.run ? server.run.argv : ['/bin/sh', '-c', server.run.shell],
		{
			env: nodeOptions({
				pinned: affinity.pinned,
				node: nodeOf(options),
				refusesDebugger,
				vitals: options.vitals === true,
				own,
			}),
			pin: (argv) => affinity.pin(server.takesAllCpus ? 'workers' : 'server', argv),
		},
	);
	const { memoryLimit } = options.limits ?? {};
	const memory =
		memoryLimit === undefined || child.pid === undefined
			? null
			: watchMemory(child.pid, memoryLimit, () => user.signalGroup(child.pid ?? 0, 'SIGKILL'));
	const untidy: Untidy = { hungOnTerm: false, survived: false, escaped: 0, stopFailed: null };
	let stopping: Promise<void> | null = null;
	const stop = () => {
		stopping ??= end();
		return stopping;
	};
	let leaving: Promise<void> | null = null;
	const leave = () => {
		leaving ??= (async () => {
			if (child.pid !== undefined) Object.assign(untidy, await endGroup(user, child.pid, exited));
		})();
		return leaving;
	};
	const end = async () => {
		memory?.stop();
		await leave();
		untidy.stopFailed = await tearDown(options, place);
		untidy.escaped = await place.close();
	};
	const lastLines = () => lastWords(logFile);
	const reason = () =>
		memory?.reached() ??
		describeOomKill(child, oomKills) ??
		findStartReason(readTail(logFile), { cwd: server.cwd, port });
	const refused = () => (user === SAME_USER ? '' : explainRefused(lastLines(), 'server'));
	return {
		side,
		pid: child.pid ?? 0,
		origin: `http://127.0.0.1:${port}`,
		port,
		spawnedAt,
		mark: place.mark,
		uid: user.uid,
		group: user.group,
		held,
		exited,
		untidy,
		lastLines,
		tellings: () => readTellings(readTail(logFile)),
		refused,
		ending: () => {
			const how = describeEnding(child, reason, lastLines);
			return how && `${how}${refused()}`;
		},
		leave,
		stop,
		[Symbol.asyncDispose]: stop,
	};
}

/** The Node that a side's servers run on; null when they run on something else. */
function nodeOf({ runtimes, side, server, node }: StartOptions): string | null {
	const { name = 'node', node: program = node } = server.runtime ?? runtimes?.[side] ?? {};
	return name === 'node' ? program : null;
}

/** Runs the command before the process. Throws StartFailure when it fails; nothing is left then. */
async function setUp(options: StartOptions, place: Place): Promise<void> {
	const { hooks, ready, side, server, signal } = options;
	if (hooks?.start === undefined) return;
	const hook = { name: 'start', command: hooks.start, timeoutSeconds: ready.timeoutSeconds } as const;
	let failure: string | null = 'interrupted';
	try {
		failure = await runHook(place, hook, signal);
	} finally {
		if (failure !== null) {
			await tearDown(options, place);
			await place.close();
		}
	}
	if (failure === null) return;
	const message = `the start command of the ${side} server ${server.name} failed: ${failure}`;
	throw new StartFailure({ code: 'start-failed', side, message });
}

/** Runs the command after the process, of an interrupted run too. Returns how it failed; null when it did not, or there is none. */
async function tearDown({ hooks, ready }: StartOptions, place: Place): Promise<string | null> {
	if (hooks?.stop === undefined) return null;
	return runHook(place, { name: 'stop', command: hooks.stop, timeoutSeconds: ready.timeoutSeconds });
}
