import type { GuardedUser } from '../../types/run-services.ts';
import { FIRST, readFolder, readStat, readText } from '../process-tree.ts';
import { killControlGroup } from './control-group.ts';
import { briefly, endDoomed, KILL_ALL, KILL_ALL_AT_ONCE } from './kill-all.ts';
import { type Privilege, tryAsRoot } from './run-as-root.ts';

const [STATE, GROUP, THREADS] = [3 - FIRST, 5 - FIRST, 20 - FIRST] as const;
const KILL_GROUP = 'kill -s "$0" -- "-$1" 2>/dev/null || kill -s "$0" "-$1" 2>/dev/null';

/**
 * Returns the prefix with which root runs a command as the user, with no group except `also` and no way to gain
 * privileges.
 */
export function dropTo(uid: number, setpriv: string, also?: number): string[] {
	const groups = also === undefined ? ['--clear-groups'] : ['--groups', String(also)];
	const ids = ['--reuid', String(uid), '--regid', String(uid), ...groups];
	return [setpriv, ...ids, '--no-new-privs', '--inh-caps=-all', '--'];
}

/** Returns the user's processes except zombies; empty without /proc. */
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

/**
 * Signals the user's processes in the group led by `pid`, which may be gone. If our child leads it, SIGKILL goes to the
 * whole group: a sudo belongs to root, waits forever for a stopped process, and stops with it.
 */
export function signalGroupOf({ uid, privilege, setpriv }: GuardedUser, pid: number, signal: NodeJS.Signals): void {
	if (signal === 'SIGKILL' && groupIsDead(pid)) return;
	const isOurs = isChild(pid);
	// Without sudo, the whole group belongs to the user.
	if (isOurs && privilege === 'root' && isSent(pid, signal)) return;
	if (isOurs && signal === 'SIGKILL') killGroupAsRoot(privilege, pid);
	else tryAsRoot(privilege, briefly([...dropTo(uid, setpriv), ...toGroup(pid, signal)]));
}

/** The id of a child is not reused until we reap it. */
function isChild(pid: number): boolean {
	return Number(/^PPid:\s+(\d+)/m.exec(readText(`/proc/${pid}/status`) ?? '')?.[1]) === process.pid;
}

/**
 * Whether only zombies are left, so no kill program must start. A process whose first thread ended looks like a zombie
 * too, but has more threads.
 */
function groupIsDead(leader: number): boolean {
	const members = readFolder('/proc').flatMap((name) => {
		const fields = /^\d+$/.test(name) ? readStat(`/proc/${name}`) : [];
		return Number(fields[GROUP]) === leader ? [fields] : [];
	});
	return (
		members.length > 0 && members.every((fields) => /^[ZX]$/.test(fields[STATE] ?? '') && Number(fields[THREADS]) <= 1)
	);
}

export function killGroupAsRoot(privilege: Privilege, pid: number): void {
	if (privilege !== 'root' || !isSent(pid, 'SIGKILL')) tryAsRoot(privilege, toGroup(pid, 'SIGKILL'));
}

/** Returns false when not permitted, because root of a container may lack the right. */
function isSent(pid: number, signal: NodeJS.Signals): boolean {
	try {
		process.kill(-pid, signal);
		return true;
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === 'ESRCH';
	}
}

function toGroup(pid: number, signal: NodeJS.Signals): string[] {
	return ['/bin/sh', '-c', KILL_GROUP, signal.replace(/^SIG/, ''), String(pid)];
}

/** Ends the user's processes like `endDoomed`. */
export function endUser({ uid, privilege, setpriv, group }: GuardedUser): Promise<number> {
	const run = (argv: readonly string[]) => tryAsRoot(privilege, briefly(argv)).lastLine;
	return endDoomed({
		name: `user ${uid}`,
		list: () => listProcessesOf(uid),
		send() {
			if (group) killControlGroup(group);
			return run([...dropTo(uid, setpriv), ...KILL_ALL]);
		},
		insist: () => run([process.execPath, '-e', KILL_ALL_AT_ONCE, String(uid)]),
	});
}
