import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Janitor, Release } from '../types/run-services.ts';
import { LATE, within } from './deadline.ts';
import { OWN_NODE_FLAGS } from './debugger.ts';
import { ENTRIES } from './entries.ts';
import type { Guarded, WatchdogLine } from './watchdog.ts';

/** How long the watchdog may take to remove everything. */
const CLOSE_MS = 120_000;

/** Name of the variable every process of a run carries. It says nothing of who started it: a server that knows may act. */
export const MARKER_NAME = 'SESSION_MARK';
/** Name of the variable that tells the processes of one server apart from those of another. */
export const PROCESS_MARKER_NAME = 'PROCESS_MARK';

/**
 * Starts the watchdog and returns the janitor that talks to it. What is guarded is removed by the watchdog alone, so
 * that the normal end and the kill of this process take the same path.
 */
export async function startJanitor(): Promise<Janitor> {
	const watchdog = spawn(process.execPath, [...OWN_NODE_FLAGS, ENTRIES.watchdog], {
		detached: true,
		stdio: ['pipe', 'ignore', 'inherit'],
		// The watchdog must survive the marker it kills by, and NODE_OPTIONS of a debugger.
		env: { PATH: process.env.PATH ?? '' },
	});
	await once(watchdog, 'spawn');
	const exited = once(watchdog, 'exit');
	// A watchdog that died leaves a broken pipe: the run goes on without it.
	watchdog.stdin.on('error', () => {});
	const marker = { name: MARKER_NAME, value: randomBytes(8).toString('hex') };
	let next = 0;
	const send = (line: WatchdogLine) => watchdog.stdin.write(`${JSON.stringify(line)}\n`);
	const guard = (what: Guarded): Release => {
		const id = next++;
		send({ add: id, what });
		return () => void send({ remove: id });
	};
	guard({ kind: 'marker', entry: `${marker.name}=${marker.value}` });
	return {
		marker,
		guardDirectory: (path) => guard({ kind: 'directory', path }),
		guardWorktree: (repository, path) => guard({ kind: 'worktree', repository, path }),
		guardUser: (user) => guard({ kind: 'user', ...user }),
		guardGroup: (pid) => guard({ kind: 'group', pid }),
		async close() {
			send({ closing: true });
			watchdog.stdin.end();
			// It stops looking for processes after a minute; whatever else it is at by then must not hold up the run.
			if ((await within(CLOSE_MS, exited)) === LATE) watchdog.unref();
		},
	};
}
