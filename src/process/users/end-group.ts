/** The end of a server and everything it started. */
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { SideUser } from '../../types/isolation.ts';
import { LATE, within } from '../deadline.ts';
import { listTree } from '../process-tree.ts';
import { groupIsAlive } from '../processes.ts';

/** How long a server may take to exit after SIGTERM before it is killed. */
const STOP_GRACE_MS = 2_000;
/** How long what was killed may take to end: a process that waits for a device can be killed only once it has what it waits for. */
const KILL_MS = 5_000;
/** How long the kernel may take to bury what was killed. */
const BURIAL_MS = 500;
const POLL_MS = 5;

/**
 * Ends a group with SIGTERM, after a grace with SIGKILL; returns whether the kill was needed, and did not help. The leader may be a shell,
 * which ends at once while the server it started is still shutting down: all of the group get the same grace.
 */
export async function endGroup(
	user: SideUser,
	pid: number,
	exited: Promise<void>,
): Promise<{ hungOnTerm: boolean; survived: boolean }> {
	user.signalGroup(pid, 'SIGTERM');
	const hungOnTerm = !(await isGoneWithin(STOP_GRACE_MS, pid, exited));
	if (groupIsAlive(pid)) user.signalGroup(pid, 'SIGKILL');
	const survived = (await within(KILL_MS, exited)) === LATE;
	// What was killed lives on for a moment, and would be taken for something that escaped.
	if (hungOnTerm) await isGoneWithin(BURIAL_MS, pid, exited);
	return { hungOnTerm, survived };
}

async function isGoneWithin(milliseconds: number, pid: number, exited: Promise<void>): Promise<boolean> {
	const late = AbortSignal.timeout(milliseconds);
	await Promise.race([exited, once(late, 'abort')]);
	while (listTree(pid).length > 0) {
		if (late.aborted) return false;
		await delay(POLL_MS);
	}
	return true;
}
