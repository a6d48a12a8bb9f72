/** Ends a server and everything it started. */
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { SideUser } from '../../types/isolation.ts';
import { LATE, within } from '../deadline.ts';
import { listTree } from '../process-tree.ts';
import { groupIsAlive } from '../processes.ts';

const STOP_GRACE_MS = 2_000;
/** A killed process that waits for a device dies only after that wait. */
const KILL_MS = 5_000;
const BURIAL_MS = 500;
const POLL_MS = 5;

/**
 * Ends a group with SIGTERM, then SIGKILL. Returns whether SIGKILL was needed, and whether the group survived it. The
 * whole group gets the grace period: a shell that leads it ends at once while its server still shuts down.
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
	// A killed process lives on for a moment, and would look like an escaped process.
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
