/** The janitor: remembers what must not outlive a run, and starts the watchdog. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { Janitor, Release } from '../types/run-services.ts';
import { LATE, within } from './deadline.ts';
import { OWN_NODE_FLAGS } from './debugger.ts';
import { ENTRIES } from './entries.ts';
import { ownVariables } from './environment.ts';
import { type Guarded, STANDS_BY, type WatchdogLine } from './watchdog-lines.ts';

/** How long the watchdogs may take to remove everything. */
const CLOSE_MS = 120_000;

/** Name of the variable every process of a run carries. It says nothing of who started it: a server that knows may act. */
export const MARKER_NAME = 'SESSION_MARK';
/** Name of the variable that tells the processes of one server apart from those of another. */
export const PROCESS_MARKER_NAME = 'PROCESS_MARK';

/**
 * Starts two watchdogs and returns the janitor that talks to them. What is guarded is removed by a watchdog alone, so that
 * the normal end and the kill of this process take the same path. The second acts when the first was killed, too.
 */
export async function startJanitor(): Promise<Janitor> {
	const standby = startWatchdog([STANDS_BY], 'pipe');
	const line = standby.stdio[3] as Socket;
	const watchdogs = [startWatchdog([], line), standby];
	await Promise.all(watchdogs.map((watchdog) => once(watchdog, 'spawn')));
	// From here on only the first holds that end.
	line.destroy();
	const exited = Promise.all(watchdogs.map((watchdog) => once(watchdog, 'exit')));
	// A watchdog that died leaves a broken pipe: the run goes on without it.
	for (const { stdin } of watchdogs) stdin?.on('error', () => {});
	const marker = { name: MARKER_NAME, value: randomBytes(8).toString('hex') };
	let next = 0;
	const send = (line: WatchdogLine) => {
		for (const { stdin } of watchdogs) stdin?.write(`${JSON.stringify(line)}\n`);
	};
	const guard = (what: Guarded): Release => {
		const id = next++;
		send({ add: id, what });
		return () => send({ remove: id });
	};
	guard({ kind: 'marker', entry: `${marker.name}=${marker.value}` });
	return {
		marker,
		guardDirectory: (path) => guard({ kind: 'directory', path }),
		guardLock: (path) => guard({ kind: 'lock', path }),
		guardWorktree: (repository, path) => guard({ kind: 'worktree', repository, path }),
		guardUser: (user) => guard({ kind: 'user', ...user }),
		guardControlGroup: (group) => guard({ kind: 'control-group', ...group }),
		guardGroup: (pid) => guard({ kind: 'group', pid }),
		async close() {
			send({ closing: true });
			for (const { stdin } of watchdogs) stdin?.end();
			// They stop looking for processes after a minute; whatever else they are at by then must not hold up the run.
			if ((await within(CLOSE_MS, exited)) === LATE) for (const watchdog of watchdogs) watchdog.unref();
		},
	};
}

function startWatchdog(args: readonly string[], line: 'pipe' | Socket): ChildProcess {
	return spawn(process.execPath, [...OWN_NODE_FLAGS, ENTRIES.watchdog, ...args], {
		detached: true,
		stdio: ['pipe', 'ignore', 'inherit', line],
		// A watchdog must survive the marker it kills by, and NODE_OPTIONS of a debugger.
		env: { PATH: process.env.PATH ?? '', ...ownVariables(process.env) },
	});
}
