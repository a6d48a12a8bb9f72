/** User, folders, variables and marker shared by a server process and its hooks. */

import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, rmSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { scrubEnvironment } from '../../process/environment.ts';
import { PROCESS_MARKER_NAME } from '../../process/janitor.ts';
import { cutLog, openLog } from '../../process/logs.ts';
import { groupIsAlive, killMarked } from '../../process/processes.ts';
import { SAME_USER } from '../../process/users/same-user.ts';
import type { Launch, SideUser } from '../../types/isolation.ts';
import type { PreparedServer } from '../../types/prepared.ts';
import type { Janitor } from '../../types/run-services.ts';
import type { Runtime } from '../../types/runtime.ts';
import type { Bytes, Side, Sides } from '../../types/units.ts';
import { noteLiving } from '../connections/live-connections.ts';

/** Larger logs are cut; between two checks they may exceed it. */
const LARGEST_LOG: Bytes = 8 * 1024 * 1024;

const LOG_LOOK_MS = 200;

export interface Spawned {
	readonly child: ChildProcess;
	readonly exited: Promise<void>;
	readonly logFile: string;
	released(): boolean;
	/** The process group must be empty. Idempotent. */
	release(): void;
}

export interface PlaceOptions {
	readonly side: Side;
	readonly server: PreparedServer;
	readonly slot: string;
	readonly janitor: Janitor;
	/** Default: our own user. */
	readonly users?: Sides<SideUser>;
	/** Its folder comes early on PATH. */
	readonly node: string;
	/** Their folders precede that of `node` on PATH. */
	readonly runtimes?: Sides<Runtime>;
	/** Output is kept only while processes run. */
	readonly logFolder: string;
}

export interface Place {
	readonly user: SideUser;
	readonly mark: string;
	readonly port: number;
	/** Absolute path. */
	readonly cwd: string;
	/** Starts `argv` in a new process group; `what` names its log. */
	start(what: string, argv: readonly string[], options?: StartIn): Spawned;
	/** Ends everything started here, with descendants; returns how many processes had to be killed. */
	close(): Promise<number>;
}

export interface StartIn {
	readonly env?: Readonly<Record<string, string>>;
	readonly pin?: (argv: readonly string[]) => string[];
}

type Own = Readonly<Record<'port' | 'slot' | 'data', string>>;

let serial = 0;

export function openPlace(options: PlaceOptions, port: number): Place {
	const { side, server, slot, janitor, users, node, runtimes, logFolder } = options;
	const runtime = server.runtime ?? runtimes?.[side];
	const number = String(++serial).padStart(6, '0');
	const marker = `${janitor.marker.value}.${number}`;
	const mark = `${PROCESS_MARKER_NAME}=${marker}`;
	const user = users?.[side] ?? SAME_USER;
	const scratch = user.scratch(number);
	const releaseScratch = janitor.guardDirectory(scratch.folder);
	const placeValues = { port: String(port), slot, data: scratch.data };
	const inherited = user.environment(scrubEnvironment(process.env, 'serve'));
	const variables = {
		...inherited,
		PATH: [...(runtime ? [dirname(runtime.node)] : []), dirname(node), inherited.PATH ?? ''].join(delimiter),
		NODE_ENV: 'production',
		TMPDIR: scratch.temporary,
		...fillAll(server.env, placeValues),
		HOST: '127.0.0.1',
		PORT: String(port),
		[janitor.marker.name]: janitor.marker.value,
		[PROCESS_MARKER_NAME]: marker,
	};
	const started: Spawned[] = [];
	const pids = () => started.flatMap(({ child, released }) => (released() ? [] : (child.pid ?? [])));
	const forget = noteLiving({ side, port, mark, uid: user.uid, pids });
	return {
		user,
		mark,
		port,
		cwd: server.cwd,
		start(what, argv, { env = {}, pin = (command) => [...command] }: StartIn = {}) {
			const makes = [scratch.temporary, scratch.data];
			const run = user.launch(argv, {
				cwd: server.cwd,
				makes,
				env: { ...namedIn(argv, placeValues), ...variables, ...env },
			});
			const spawned = spawnLogged({ ...run, argv: pin(run.argv) }, join(logFolder, `${what}-${marker}.log`), janitor);
			started.push(spawned);
			return spawned;
		},
		async close() {
			// Marked processes are counted. The group covers platforms without visible markers.
			const marked = killMarked(mark);
			for (const { child, released } of started) {
				if (child.pid !== undefined && !released() && groupIsAlive(child.pid)) user.signalGroup(child.pid, 'SIGKILL');
			}
			// A dedicated user runs nothing else. Processes killed by marker may still be dying, so the numbers are not
			// added.
			const escaped = Math.max(marked, await user.endAll());
			forget();
			for (const { release } of started) release();
			// Files written there with more rights stay.
			await scratch.remove().then(releaseScratch, () => {});
			return escaped;
		},
	};
}

function fillAll(env: Readonly<Record<string, string>>, placeValues: Own): Record<string, string> {
	const fill = (text: string) => text.replace(/\$\{(port|slot|data)\}/g, (_, name: keyof Own) => placeValues[name]);
	return Object.fromEntries(Object.entries(env).map(([name, value]) => [name, fill(value)]));
}

/** Exports each placeholder of a command as a variable to its shell. Variables of the config take precedence. */
function namedIn(argv: readonly string[], placeValues: Own): Record<string, string> {
	return Object.fromEntries(
		Object.entries(placeValues).filter(([name]) => argv.some((text) => text.includes(`\${${name}}`))),
	);
}

function spawnLogged({ argv, cwd, env }: Launch, logFile: string, janitor: Janitor): Spawned {
	const [program = '', ...args] = argv;
	const log = openLog(logFile);
	const child = spawn(program, args, { cwd, detached: true, stdio: ['ignore', log, log], env });
	const cutting = setInterval(() => cutLog(log, LARGEST_LOG), LOG_LOOK_MS).unref();
	const forget = child.pid === undefined ? () => {} : janitor.guardGroup(child.pid);
	let released = false;
	return {
		child,
		exited: exitOf(child),
		logFile,
		released: () => released,
		release() {
			if (released) return;
			released = true;
			forget();
			clearInterval(cutting);
			closeSync(log);
			rmSync(logFile, { force: true });
		},
	};
}

function exitOf(child: ChildProcess): Promise<void> {
	return new Promise((resolve) => {
		child.once('exit', () => resolve());
		child.once('error', () => resolve());
	});
}
