import { setTimeout as delay } from 'node:timers/promises';
import type { GuardedUser } from '../../types/run-services.ts';
import { readFolder, readText } from '../process-tree.ts';
import { asRoot, tryCommand } from './run-as-root.ts';

const POLL_MS = 10;
/** How long the kernel may take to bury what was killed; memory of a large process takes a while to give back. */
const BURIAL_MS = 10_000;
/** All that the user may signal but the sender itself, at one moment: nothing that forks gets away. BusyBox knows no `--`. */
const KILL_ALL = 'kill -s KILL -- -1 2>/dev/null || kill -s KILL -1 2>/dev/null';
const KILL_GROUP = 'kill -s "$0" -- "-$1" 2>/dev/null || kill -s "$0" "-$1" 2>/dev/null';

/** Returns `argv` so that it runs as the user, with no way to gain rights. The environment and the folder are the caller's. */
export function asUser({ uid, privilege, setpriv }: GuardedUser, argv: readonly string[]): string[] {
	return asRoot(privilege, [...dropTo(uid, setpriv), ...argv]);
}

/** Returns what root puts before a command so that it runs as the user, with no way to gain rights. */
export function dropTo(uid: number, setpriv: string): string[] {
	const ids = ['--reuid', String(uid), '--regid', String(uid), '--clear-groups'];
	return [setpriv, ...ids, '--no-new-privs', '--inh-caps=-all', '--'];
}

/** Returns the ids of the user's living processes, zombies left out. Empty where there is no /proc. */
export function listProcessesOf(uid: number): number[] {
	return readFolder('/proc')
		.map(Number)
		.filter((pid) => Number.isInteger(pid) && isLivingOf(pid, uid));
}

function isLivingOf(pid: number, uid: number): boolean {
	const status = readText(`/proc/${pid}/status`) ?? '';
	const [, real, effective] = /^Uid:\s+(\d+)\s+(\d+)/m.exec(status) ?? [];
	return (Number(real) === uid || Number(effective) === uid) && !/^State:\s+[ZX]/m.test(status);
}

/** Sends `signal` to the user's processes of the group led by `pid`; a group that is gone is fine. */
export function signalGroupOf(user: GuardedUser, pid: number, signal: NodeJS.Signals): void {
	const [program = '', ...args] = asUser(user, ['/bin/sh', '-c', KILL_GROUP, signal.replace(/^SIG/, ''), String(pid)]);
	tryCommand(program, args);
}

/**
 * SIGKILLs every process of the user and returns how many there were before, once all are gone.
 *
 * @throws Error when some are still there after ten seconds.
 */
export async function endUser(user: GuardedUser): Promise<number> {
	const before = listProcessesOf(user.uid);
	const due = performance.now() + BURIAL_MS;
	const [program = '', ...args] = asUser(user, ['/bin/sh', '-c', KILL_ALL]);
	tryCommand(program, args);
	for (let left = listProcessesOf(user.uid); left.length > 0; left = listProcessesOf(user.uid)) {
		if (performance.now() > due) throw new Error(`processes ${left.join(', ')} of user ${user.uid} cannot be killed`);
		await delay(POLL_MS);
	}
	return before.length;
}
