import { REFUSES_FLAG } from '../process/debugger.ts';
import { readTail } from '../process/logs.ts';
import { listTree, readResident, readText } from '../process/process-tree.ts';
import { endGroup } from '../process/users/end-group.ts';
import { SAME_USER } from '../process/users/same-user.ts';
import { explainRefused } from '../text/apart.ts';
import { formatPair } from '../text/numbers.ts';
import type { CustomServer, Limits } from '../types/config.ts';
import type { Fault } from '../types/round.ts';
import type { Bytes, Seconds, Side } from '../types/units.ts';
import type { Affinity } from './affinity.ts';
import { findProtocol } from './answers/find-protocol.ts';
import type { ConnectionWatch } from './connections/connection-watch.ts';
import { findFreePort } from './ports.ts';
import { nodeOptions } from './start/node-options.ts';
import { waitUntilReady } from './start/readiness.ts';
import { runHook } from './start/run-hook.ts';
import { openPlace, type Place, type PlaceOptions } from './start/server-place.ts';
import { describeEnding, findStartReason, lastWords } from './start/start-reason.ts';
import { readTellings, type Telling } from './vitals.ts';

const PORT_TAKEN = /EADDRINUSE|address already in use/i;

export interface StartOptions extends PlaceOptions {
	/** The time limit also applies to each hook. */
	readonly ready: { readonly path?: string; readonly timeoutSeconds: Seconds; readonly isTimed?: boolean };
	readonly hooks?: Pick<CustomServer, 'start' | 'stop'>;
	readonly port: number;
	readonly affinity: Affinity;
	/** Override the server's own settings. */
	readonly limits?: Pick<Limits, 'memoryLimit' | 'readyTimeoutSeconds'>;
	readonly vitals?: boolean;
	/** Node option that loads the coverage probe. */
	readonly probe?: string;
	readonly connections?: ConnectionWatch;
	readonly signal: AbortSignal;
}

export interface ServerProcess extends AsyncDisposable {
	readonly side: Side;
	readonly pid: number;
	readonly origin: string;
	readonly port: number;
	/** `performance.now()` at spawn. */
	readonly spawnedAt: number;
	/** `NAME=value` in the environment of its processes. */
	readonly mark: string;
	/** Its dedicated user; null for our own. */
	readonly uid: number | null;
	/** Control group folder of its side. */
	readonly group: string | null;
	/**
	 * Whether all its processes must stay on the servers' CPU; false after a start command, which may have started some
	 * elsewhere.
	 */
	readonly held: boolean;
	readonly exited: Promise<void>;
	/** Null while it runs; then how it ended, with its last lines. */
	ending(): string | null;
	readonly untidy: Untidy;
	lastLines(): string;
	tellings(): readonly Telling[];
	/** Advice if the isolation refused something, else empty. Begins with a semicolon. */
	refused(): string;
	/** Ends only the process; `stop` does the rest. */
	leave(): Promise<void>;
	stop(): Promise<void>;
}

export interface Untidy {
	hungOnTerm: boolean;
	/** Still alive some seconds after SIGKILL. */
	survived: boolean;
	escaped: number;
	/** Failure of its `stop` command: untrusted text. */
	stopFailed: string | null;
}

export class StartFailure extends Error {
	readonly fault: Fault;
	constructor(fault: Fault) {
		super(fault.message);
		this.fault = fault;
	}
}

/**
 * Starts the server and waits until it is ready. Retries on another port if its own was taken. Throws StartFailure and
 * leaves nothing running.
 */
export async function startServer(startOptions: StartOptions): Promise<ServerProcess> {
	const { readyTimeoutSeconds: timeoutSeconds = startOptions.ready.timeoutSeconds } = startOptions.limits ?? {};
	const options = { ...startOptions, ready: { ...startOptions.ready, timeoutSeconds } };
	const first = await launch(options, options.port);
	const failure = await findFailure(first, options);
	if (failure === null) return first;
	const lastOutput = first.lastLines();
	await first.stop();
	// Another process took the port meanwhile, or the command uses a Node that refuses our flag.
	const knowsFlag = !REFUSES_FLAG.test(lastOutput);
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
		// As in a turn, neither side is at fault.
		const message = `${name} could not be asked whether it is ready within ${seconds}: no port was left on this machine for a connection to it`;
		return { code: 'no-answer', side: null, message };
	}
	const protocol = outcome === 'not-listening' ? null : await findProtocol(server.port);
	if (protocol !== null) {
		const message = `${name} does not speak plain HTTP/1.1: its port speaks ${protocol}`;
		return { code: 'wrong-protocol', side: options.side, message };
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
	const serverOptions = server.env.NODE_OPTIONS;
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
				probe: options.probe,
				own: serverOptions,
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

/** Null for another runtime. */
function nodeOf({ runtimes, side, server, node }: StartOptions): string | null {
	const { name = 'node', node: program = node } = server.runtime ?? runtimes?.[side] ?? {};
	return name === 'node' ? program : null;
}

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

/** Also runs after an interrupt. Returns its failure. */
async function tearDown({ hooks, ready }: StartOptions, place: Place): Promise<string | null> {
	if (hooks?.stop === undefined) return null;
	return runHook(place, { name: 'stop', command: hooks.stop, timeoutSeconds: ready.timeoutSeconds });
}

/** Exit code of a shell whose program was killed by SIGKILL. */
const KILLED_IN_SHELL = 128 + 9;

/** By then a process that allocates at full speed exceeds its limit by a few dozen MB. */
const LOOK_MS = 50;
/** Every tenth check also lists the process tree, which takes longer. */
const LIST_EVERY = 10;

interface MemoryWatch {
	/** The kill, as part of a sentence about the server. */
	reached(): string | null;
	stop(): void;
}

/**
 * Calls `kill` once a process tree's resident memory exceeds `limit` (shared memory counts once per process). Does
 * nothing where the figure is missing. Source: docs/decisions/0054-limits-are-watched.md.
 */
function watchMemory(pid: number, limit: Bytes, kill: () => void): MemoryWatch {
	let tree: readonly number[] = [pid];
	let looks = 0;
	let killedAt: Bytes | null = null;
	const look = () => {
		if (looks++ % LIST_EVERY === 0) tree = listTree(pid);
		const used = readResident(tree);
		if (used === null || used <= limit) return;
		killedAt = used;
		clearInterval(timer);
		kill();
	};
	const timer = setInterval(look, LOOK_MS).unref();
	return {
		reached() {
			if (killedAt === null) return null;
			const { base: used, head: most, unit } = formatPair(killedAt / 1e6, limit / 1e6, 'MB');
			return `used ${used} ${unit} of memory, more than the limit of ${most} ${unit} (memory-limit), and was killed`;
		},
		stop: () => clearInterval(timer),
	};
}

function readOomKills(): number | null {
	const count = /^oom_kill (\d+)$/m.exec(readText('/proc/vmstat') ?? '')?.[1];
	return count === undefined ? null : Number(count);
}

/**
 * Returns part of a sentence that blames the kernel's OOM killer if its count rose above `since`, else null. Its
 * victims need not have used the memory.
 */
export function describeOomKill(
	{ exitCode, signalCode }: { readonly exitCode: number | null; readonly signalCode: string | null },
	since: number | null,
	now: number | null = readOomKills(),
): string | null {
	const killed = signalCode === 'SIGKILL' || exitCode === KILLED_IN_SHELL;
	if (!killed || since === null || now === null || now <= since) return null;
	return 'was killed while the kernel ended processes because memory ran out';
}
