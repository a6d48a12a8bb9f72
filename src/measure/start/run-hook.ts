/** Commands of a config around each server process. */
import { once } from 'node:events';
import { within } from '../../process/deadline.ts';
import { readTail } from '../../process/logs.ts';
import { groupIsAlive } from '../../process/processes.ts';
import { endGroup } from '../../process/users/end-group.ts';
import { SAME_USER } from '../../process/users/same-user.ts';
import { explainRefused } from '../../text/apart.ts';
import type { Seconds } from '../../types/units.ts';
import type { Place, Spawned } from './server-place.ts';
import { describeEnding, findStartReason, lastWords } from './start-reason.ts';

/** Longest delay of a Node timer. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export interface Hook {
	readonly name: 'start' | 'stop';
	/** For `sh -e`, so the first failing line ends it. */
	readonly command: string;
	readonly timeoutSeconds: Seconds;
}

/**
 * Runs a command like the server process (same user, folder, variables), but on any CPU. Returns null on success, else
 * the failure with its last lines, which are untrusted. Leftover processes live until the place is closed. Throws the
 * abort reason after ending the command.
 */
export async function runHook(place: Place, hook: Hook, signal?: AbortSignal): Promise<string | null> {
	signal?.throwIfAborted();
	const spawned = place.start(hook.name, ['/bin/sh', '-ec', hook.command]);
	const { child, exited } = spawned;
	await waitForEnd(spawned, hook.timeoutSeconds, signal);
	const ending = describeEnd(place, spawned);
	if (ending === null && child.pid !== undefined) await endGroup(place.user, child.pid, exited);
	const failure = ending ?? `did not end within ${hook.timeoutSeconds} s${tailOf(spawned)}`;
	const succeeded = child.exitCode === 0 && ending !== null;
	// Processes it left behind keep their group and log.
	if (child.pid === undefined || !groupIsAlive(child.pid)) spawned.release();
	if (ending === null) signal?.throwIfAborted();
	return succeeded ? null : `${failure}${refusedOf(place, failure)}`;
}

async function waitForEnd({ exited }: Spawned, seconds: Seconds, signal?: AbortSignal): Promise<void> {
	const done = new AbortController();
	const aborted = signal === undefined ? [] : [once(signal, 'abort', { signal: done.signal }).catch(() => {})];
	await within(Math.min(seconds * 1000, LONGEST_TIMER_MS), Promise.race<unknown>([exited, ...aborted]));
	done.abort();
}

function describeEnd({ cwd, port }: Place, { child, logFile }: Spawned): string | null {
	const reason = () => findStartReason(readTail(logFile), { cwd, port });
	return describeEnding(child, reason, () => lastWords(logFile));
}

function tailOf({ logFile }: Spawned): string {
	const lines = lastWords(logFile);
	return lines === '' ? '' : `; it printed: ${lines}`;
}

function refusedOf({ user }: Place, output: string): string {
	return user === SAME_USER ? '' : explainRefused(output, 'server');
}
