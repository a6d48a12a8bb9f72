/** What runs as another user: how it is started, listed and signalled. */
import type { GuardedUser } from '../../types/run-services.ts';
import { readFolder, readText } from '../process-tree.ts';
import { killControlGroup } from './control-group.ts';
import { briefly, endDoomed, KILL_ALL, KILL_ALL_AT_ONCE } from './kill-all.ts';
import { type Privilege, tryAsRoot } from './run-as-root.ts';

/** Places of what proc_pid_stat(5) lists behind the name of a process. */
const [STATE, GROUP, THREADS] = [0, 2, 17] as const;
const KILL_GROUP = 'kill -s "$0" -- "-$1" 2>/dev/null || kill -s "$0" "-$1" 2>/dev/null';

/** Returns what root puts before a command so that it runs as the user, in no other group but `also`, with no way to gain rights. */
export function dropTo(uid: number, setpriv: string, also?: number): string[] {
	const groups = also === undefined ? ['--clear-groups'] : ['--groups', String(also)];
	const ids = ['--reuid', String(uid), '--regid', String(uid), ...groups];
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

/**
 * Sends `signal` to the user's processes of the group led by `pid`; a group that is gone is fine. SIGKILL is sent to all of a
 * group that a child of ours leads: a sudo is root's, waits for ever for a process that is stopped, and stops itself with it.
 */
export function signalGroupOf({ uid, privilege, setpriv }: GuardedUser, pid: number, signal: NodeJS.Signals): void {
	if (signal === 'SIGKILL' && groupIsDead(pid)) return;
	const isOurs = isChild(pid);
	// Without a sudo in it, the group is all the user's.
	if (isOurs && privilege === 'root' && isSent(pid, signal)) return;
	if (isOurs && signal === 'SIGKILL') killGroupAsRoot(privilege, pid);
	else tryAsRoot(privilege, briefly([...dropTo(uid, setpriv), ...toGroup(pid, signal)]));
}

/** As long as we have not heard of a child's end its number is nobody else's. */
function isChild(pid: number): boolean {
	return Number(/^PPid:\s+(\d+)/m.exec(readText(`/proc/${pid}/status`) ?? '')?.[1]) === process.pid;
}

/**
 * Whether all that is left of a group is waiting to be buried: no program has to be started to kill it. False where that is not to
 * be seen. A process whose first thread has ended looks dead too, but has more than one.
 */
function groupIsDead(leader: number): boolean {
	const members = readFolder('/proc').flatMap((name) => {
		const stat = /^\d+$/.test(name) ? readText(`/proc/${name}/stat`) : null;
		// The name in parentheses may contain anything, so fields are counted from its end.
		const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
		return Number(fields[GROUP]) === leader ? [fields] : [];
	});
	return (
		members.length > 0 && members.every((fields) => /^[ZX]$/.test(fields[STATE] ?? '') && Number(fields[THREADS]) <= 1)
	);
}

/** SIGKILLs the group led by `pid`, whoever its processes belong to. */
export function killGroupAsRoot(privilege: Privilege, pid: number): void {
	if (privilege !== 'root' || !isSent(pid, 'SIGKILL')) tryAsRoot(privilege, toGroup(pid, 'SIGKILL'));
}

/** Sends a signal to a group, and returns false where we may not: a container's root need not have the right to. */
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

/**
 * SIGKILLs every process of the user and returns how many there were before, once all are gone.
 *
 * @throws Error when some are still there after half a minute of trying.
 */
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
