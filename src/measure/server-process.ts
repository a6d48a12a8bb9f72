/** One fresh server process of one side: start it, wait until it listens, end it with everything it started. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, rmSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { REFUSES_FLAG } from '../process/debugger.ts';
import { scrubEnvironment } from '../process/environment.ts';
import { PROCESS_MARKER_NAME } from '../process/janitor.ts';
import { cutLog } from '../process/logs/cut-log.ts';
import { readTail } from '../process/logs/file-tail.ts';
import { openLog } from '../process/private-log.ts';
import { killMarked } from '../process/processes.ts';
import { endGroup } from '../process/users/end-group.ts';
import { SAME_USER } from '../process/users/same-user.ts';
import { explainRefused } from '../text/apart.ts';
import type { SideUser } from '../types/isolation.ts';
import type { PreparedServer } from '../types/prepared.ts';
import type { Fault } from '../types/round.ts';
import type { Janitor } from '../types/run-services.ts';
import type { Bytes, Seconds, Side, Sides } from '../types/units.ts';
import type { Affinity } from './affinity.ts';
import type { ConnectionWatch } from './connections/connection-watch.ts';
import { describeEnding, lastWords } from './last-words.ts';
import { nodeOptions } from './node-options.ts';
import { findFreePort } from './ports.ts';
import { waitUntilReady } from './readiness.ts';
import { findStartReason } from './start-reason.ts';

/** More than anybody reads of what one server prints; beyond it, and what is printed between two looks, its log is cut. */
const LARGEST_LOG: Bytes = 8 * 1024 * 1024;
const LOG_LOOK_MS = 200;
/** As Node, and as every language that passes on the words of the C library or its own likeness of them. */
const PORT_TAKEN = /EADDRINUSE|address already in use/i;

/** How commands and variables of a config name the folder that is the process's own. */
const DATA = '${data}';

export interface StartOptions {
	readonly side: Side;
	readonly server: PreparedServer;
	readonly ready: { readonly path?: string; readonly timeoutSeconds: Seconds };
	/** Port to listen on, free when it was chosen. */
	readonly port: number;
	readonly affinity: Affinity;
	readonly janitor: Janitor;
	/** Who the code of both sides runs as; our own user when absent. */
	readonly users?: Sides<SideUser>;
	/** Told of the port before anybody listens there. */
	readonly connections?: ConnectionWatch;
	/** Node binary both sides run on; its folder comes first on PATH. */
	readonly node: string;
	/** Folder for the server's output, which is kept only while it runs. */
	readonly logFolder: string;
	readonly signal: AbortSignal;
}

export interface ServerProcess extends AsyncDisposable {
	readonly side: Side;
	readonly pid: number;
	readonly origin: string;
	readonly port: number;
	/** `NAME=value` that the environments of all its processes hold. */
	readonly mark: string;
	/** The user that runs it and nothing else; null when it is our own. */
	readonly uid: number | null;
	/** Resolves when the process ends, however. */
	readonly exited: Promise<void>;
	/** Null while it runs; otherwise how it ended, with the last lines it printed. */
	ending(): string | null;
	/** What `stop` had to do beyond SIGTERM, for warnings. */
	readonly untidy: Untidy;
	/** Last lines it printed, empty when it printed nothing. */
	lastLines(): string;
	/** What to do when it printed that it was refused something because it runs apart, else empty; begins with a semicolon. */
	refused(): string;
	stop(): Promise<void>;
}

export interface Untidy {
	hungOnTerm: boolean;
	/** It was still there some seconds after it was killed, and was left alone. */
	survived: boolean;
	escaped: number;
}

/** A server that did not come up. */
export class StartFailure extends Error {
	readonly fault: Fault;
	constructor(fault: Fault) {
		super(fault.message);
		this.fault = fault;
	}
}

let serial = 0;

/** Starts the server on its port (on another one if that was taken meanwhile) and returns it once it is ready. Throws StartFailure; nothing is left running then. */
export async function startServer(options: StartOptions): Promise<ServerProcess> {
	const first = launch(options, options.port);
	const failure = await findFailure(first, options);
	if (failure === null) return first;
	const said = first.lastLines();
	await first.stop();
	// Somebody may have taken the port between our probe and the server's listen; or its command brings another Node.
	const knowsFlag = !REFUSES_FLAG.test(said);
	if ((failure.code !== 'port-taken' && knowsFlag) || options.signal.aborted) throw new StartFailure(failure);
	const second = launch(options, await findFreePort(), knowsFlag);
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
	const message =
		outcome === 'not-listening'
			? `${name} did not listen at ${server.origin} (its HOST and PORT) within ${seconds}`
			: `${name} listens, but ${options.ready.path} gave no status below 500 within ${seconds}: ${outcome}`;
	return {
		code: 'never-listened',
		side: options.side,
		message: `${message}${tail(server)}${server.refused()}`,
	};
}

function tail(server: ServerProcess): string {
	const lines = server.lastLines();
	return lines === '' ? '' : `; it printed: ${lines}`;
}

function launch(options: StartOptions, port: number, refusesDebugger = true): ServerProcess {
	const { server, janitor, affinity, side } = options;
	const number = String(++serial).padStart(6, '0');
	const marker = `${janitor.marker.value}.${number}`;
	options.connections?.follow(port);
	const logFile = join(options.logFolder, `server-${marker}.log`);
	const argv = 'argv' in server.run ? server.run.argv : ['/bin/sh', '-c', server.run.shell];
	const user = options.users?.[side] ?? SAME_USER;
	user.listens(port);
	const scratch = user.scratch(number);
	const releaseScratch = janitor.guardDirectory(scratch.folder);
	const inherited = user.environment(scrubEnvironment(process.env, 'serve'));
	const run = user.launch(argv, {
		cwd: server.cwd,
		makes: [scratch.temporary, scratch.data],
		env: {
			...inherited,
			PATH: `${dirname(options.node)}${delimiter}${inherited.PATH ?? ''}`,
			NODE_ENV: 'production',
			TMPDIR: scratch.temporary,
			...withData(server, scratch.data),
			...nodeOptions({ pinned: affinity.pinned, node: options.node, refusesDebugger, own: server.env.NODE_OPTIONS }),
			HOST: '127.0.0.1',
			PORT: String(port),
			[janitor.marker.name]: janitor.marker.value,
			[PROCESS_MARKER_NAME]: marker,
		},
	});
	const [program = '', ...rest] = affinity.pin('server', run.argv);
	const log = openLog(logFile);
	const child = spawn(program, rest, { cwd: run.cwd, detached: true, stdio: ['ignore', log, log], env: run.env });
	const cutting = setInterval(() => cutLog(log, LARGEST_LOG), LOG_LOOK_MS).unref();
	const release = child.pid === undefined ? () => {} : janitor.guardGroup(child.pid);
	const untidy: Untidy = { hungOnTerm: false, survived: false, escaped: 0 };
	const exited = exitOf(child);
	let stopping: Promise<void> | null = null;
	const stop = () => {
		stopping ??= end();
		return stopping;
	};
	const end = async () => {
		if (child.pid !== undefined) Object.assign(untidy, await endGroup(user, child.pid, exited));
		// A user of its own runs nothing else; what was killed by its mark may still be dying.
		untidy.escaped = Math.max(killMarked(`${PROCESS_MARKER_NAME}=${marker}`), await user.endAll());
		release();
		clearInterval(cutting);
		closeSync(log);
		// What somebody else wrote there, with more rights than ours, stays.
		await scratch.remove().then(releaseScratch, () => {});
		rmSync(logFile, { force: true });
	};
	const lastLines = () => lastWords(logFile);
	const refused = () => (user === SAME_USER ? '' : explainRefused(lastLines(), 'server'));
	return {
		side,
		pid: child.pid ?? 0,
		origin: `http://127.0.0.1:${port}`,
		port,
		mark: `${PROCESS_MARKER_NAME}=${marker}`,
		uid: user.uid,
		exited,
		untidy,
		lastLines,
		refused,
		ending: () => {
			const how = describeEnding(child, () => findStartReason(readTail(logFile), { cwd: server.cwd, port }), lastLines);
			return how && `${how}${refused()}`;
		},
		stop,
		[Symbol.asyncDispose]: stop,
	};
}

/** `${data}` in variables is the folder itself; a command that has it is given a variable of that name, for its shell. */
function withData({ env, run }: PreparedServer, folder: string): Record<string, string> {
	const replaced = Object.entries(env).map(([name, value]) => [name, value.replaceAll(DATA, folder)] as const);
	return { ...Object.fromEntries(replaced), ...('shell' in run && run.shell.includes(DATA) && { data: folder }) };
}

function exitOf(child: ChildProcess): Promise<void> {
	return new Promise((resolve) => {
		child.once('exit', () => resolve());
		child.once('error', () => resolve());
	});
}
