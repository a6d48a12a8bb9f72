/** What a server process shares with the commands run before and after it: user, folders, variables, and the mark they are found by. */

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
import { noteLiving } from '../connections/living-servers.ts';

/** More than anybody reads of what one server prints; beyond it, and what is printed between two looks, its log is cut. */
const LARGEST_LOG: Bytes = 8 * 1024 * 1024;

const LOG_LOOK_MS = 200;

export interface Spawned {
	readonly child: ChildProcess;
	/** Resolves when it ends, however. */
	readonly exited: Promise<void>;
	readonly logFile: string;
	/** Whether its group was let go of. */
	released(): boolean;
	/** Removes the log and lets go of the group, of which nothing is left. Twice is once. */
	release(): void;
}

export interface PlaceOptions {
	readonly side: Side;
	readonly server: PreparedServer;
	/** Name of the side's place in the pair, which the other side's process has not. */
	readonly slot: string;
	readonly janitor: Janitor;
	/** Who the code of both sides runs as; our own user when absent. */
	readonly users?: Sides<SideUser>;
	/** Node binary both sides run on; its folder comes first on PATH. */
	readonly node: string;
	/** What each side runs on instead; its folder comes before that. */
	readonly runtimes?: Sides<Runtime>;
	/** Folder for the output of processes, which is kept only while they run. */
	readonly logFolder: string;
}

export interface Place {
	readonly user: SideUser;
	/** `NAME=value` that the environments of all its processes hold. */
	readonly mark: string;
	readonly port: number;
	/** Absolute folder everything starts in. */
	readonly cwd: string;
	/** Starts `argv` in a process group of its own; `what` names its log, `env` is added to the variables, `pin` to the command. */
	start(what: string, argv: readonly string[], options?: StartIn): Spawned;
	/** Ends what was started here and what that started, removes folders and logs; returns how many processes had to be killed. */
	close(): Promise<number>;
}

export interface StartIn {
	readonly env?: Readonly<Record<string, string>>;
	readonly pin?: (argv: readonly string[]) => string[];
}

/** What commands and variables of a config name as `${port}`, `${slot}` and `${data}`. */
type Own = Readonly<Record<'port' | 'slot' | 'data', string>>;

let serial = 0;

/** Returns a fresh place for one process that will listen on `port`. */
export function openPlace(options: PlaceOptions, port: number): Place {
	const { side, server, slot, janitor, users, node, runtimes, logFolder } = options;
	const runtime = server.runtime ?? runtimes?.[side];
	const number = String(++serial).padStart(6, '0');
	const marker = `${janitor.marker.value}.${number}`;
	const mark = `${PROCESS_MARKER_NAME}=${marker}`;
	const user = users?.[side] ?? SAME_USER;
	const scratch = user.scratch(number);
	const releaseScratch = janitor.guardDirectory(scratch.folder);
	const own = { port: String(port), slot, data: scratch.data };
	const inherited = user.environment(scrubEnvironment(process.env, 'serve'));
	const variables = {
		...inherited,
		PATH: [...(runtime ? [dirname(runtime.node)] : []), dirname(node), inherited.PATH ?? ''].join(delimiter),
		NODE_ENV: 'production',
		TMPDIR: scratch.temporary,
		...fillAll(server.env, own),
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
			const run = user.launch(argv, { cwd: server.cwd, makes, env: { ...namedIn(argv, own), ...variables, ...env } });
			const spawned = spawnLogged({ ...run, argv: pin(run.argv) }, join(logFolder, `${what}-${marker}.log`), janitor);
			started.push(spawned);
			return spawned;
		},
		async close() {
			// What is found by its mark is counted. The group is for platforms that do not tell.
			const marked = killMarked(mark);
			for (const { child, released } of started) {
				if (child.pid !== undefined && !released() && groupIsAlive(child.pid)) user.signalGroup(child.pid, 'SIGKILL');
			}
			// A user of its own runs nothing else; what was killed by its mark may still be dying.
			const escaped = Math.max(marked, await user.endAll());
			forget();
			for (const { release } of started) release();
			// What somebody else wrote there, with more rights than ours, stays.
			await scratch.remove().then(releaseScratch, () => {});
			return escaped;
		},
	};
}

/** Returns the variables with the texts themselves. */
function fillAll(env: Readonly<Record<string, string>>, own: Own): Record<string, string> {
	const fill = (text: string) => text.replace(/\$\{(port|slot|data)\}/g, (_, name: keyof Own) => own[name]);
	return Object.fromEntries(Object.entries(env).map(([name, value]) => [name, fill(value)]));
}

/** A command that has one is given a variable of that name, for its shell. What the config names itself is the config's. */
function namedIn(argv: readonly string[], own: Own): Record<string, string> {
	return Object.fromEntries(Object.entries(own).filter(([name]) => argv.some((text) => text.includes(`\${${name}}`))));
}

// A process in a group of its own whose output goes to a log that is kept while it is of use.

/** Starts the process, guarded by the janitor. */
function spawnLogged({ argv, cwd, env }: Launch, logFile: string, janitor: Janitor): Spawned {
	const [program = '', ...rest] = argv;
	const log = openLog(logFile);
	const child = spawn(program, rest, { cwd, detached: true, stdio: ['ignore', log, log], env });
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
