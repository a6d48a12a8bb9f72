/** Records resources of a run for the watchdogs, which remove them. */
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

const CLOSE_MS = 120_000;

/** Variable that marks every process of a run. It does not mention benchgate, so no server can recognise it. */
export const MARKER_NAME = 'SESSION_MARK';
/** Distinguishes the processes of different servers. */
export const PROCESS_MARKER_NAME = 'PROCESS_MARK';

/**
 * Starts two watchdogs and returns the janitor that talks to them. Only they remove resources, so a normal end and a
 * kill take the same path. The second acts if the first was killed.
 */
export async function startJanitor(): Promise<Janitor> {
	const standby = startWatchdog([STANDS_BY], 'pipe');
	const line = standby.stdio[3] as Socket;
	const watchdogs = [startWatchdog([], line), standby];
	await Promise.all(watchdogs.map((watchdog) => once(watchdog, 'spawn')));
	// From now on, only the first watchdog holds this end.
	line.destroy();
	const exited = Promise.all(watchdogs.map((watchdog) => once(watchdog, 'exit')));
	// A run continues if a watchdog died.
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
			if ((await within(CLOSE_MS, exited)) === LATE) for (const watchdog of watchdogs) watchdog.unref();
		},
	};
}

function startWatchdog(args: readonly string[], line: 'pipe' | Socket): ChildProcess {
	return spawn(process.execPath, [...OWN_NODE_FLAGS, ENTRIES.watchdog, ...args], {
		detached: true,
		stdio: ['pipe', 'ignore', 'inherit', line],
		// No marker, because a watchdog kills marked processes, and no NODE_OPTIONS of a debugger.
		env: { PATH: process.env.PATH ?? '', ...ownVariables(process.env) },
	});
}
