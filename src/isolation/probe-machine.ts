/** Tries each kind of isolation once on this machine. */
import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { readText } from '../process/process-tree.ts';
import { briefly } from '../process/users/kill-all.ts';
import { type Privilege, SYSTEM_PATH, tryAsRoot, tryCommand } from '../process/users/run-as-root.ts';
import { dropTo } from '../process/users/user-processes.ts';
import type { IsolationFacts } from './isolation-facts.ts';

/** Used only for the trial, which leaves nothing behind. */
const TRIAL_USER = 65_533;
const NAMESPACES = ['--user', '--map-root-user', '--mount', '--ipc', '--pid', '--fork', '--mount-proc'];

/** Tries each fact at its first use. */
export function probeMachine(): IsolationFacts {
	const [setpriv = null, unshare = null, nsenter = null, nft = null] = ['setpriv', 'unshare', 'nsenter', 'nft'].map(
		findProgram,
	);
	const { privilege, why, changesUser } = findPrivilege(setpriv);
	const whyNoUser = once(() => {
		if (setpriv === null || privilege === null) return null;
		return whyUnseen(privilege) ?? (changesUser ? null : tryUser(privilege, setpriv));
	});
	const whyNoNamespace = once(() => (unshare === null ? null : tryNamespaces(unshare)));
	return {
		platform: process.platform,
		privilege,
		whyNoPrivilege: why,
		...{ setpriv, unshare, nsenter, nft },
		get setprivChangesUser() {
			if (setpriv === null) return false;
			return (privilege !== null && whyNoUser() === null) || !lacksOption(setpriv, '--reuid');
		},
		get whyNoUser() {
			return whyNoUser();
		},
		get whyNoNamespace() {
			return whyNoNamespace();
		},
	};
}

function once<T>(find: () => T): () => T {
	let cache: { readonly value: T } | null = null;
	return () => {
		cache ??= { value: find() };
		return cache.value;
	};
}

function findProgram(name: string): string | null {
	for (const folder of SYSTEM_PATH.split(':')) {
		const path = join(folder, name);
		try {
			accessSync(path, constants.X_OK);
			return path;
		} catch {
			// Try the next one.
		}
	}
	return null;
}

/** `changesUser` is true if root was seen to start a process as another user. */
function findPrivilege(setpriv: string | null): {
	readonly privilege: Privilege | null;
	readonly why: string | null;
	readonly changesUser: boolean;
} {
	const without = (why: string) => ({ privilege: null, why: `this user is not root, and ${why}`, changesUser: false });
	if (process.getuid?.() === 0) return { privilege: 'root', why: null, changesUser: false };
	if (findProgram('sudo') === null) return without('sudo is not installed');
	// `-k` ignores a password typed a moment ago. Our processes have another terminal or no terminal, and
	// would be prompted again.
	const can = (argv: readonly string[]) => tryCommand('sudo', ['-n', '-k', '--', ...argv]).succeeded;
	const changesUser = setpriv !== null && can(asTrialUser(setpriv));
	if (changesUser || can(['true'])) return { privilege: 'sudo', why: null, changesUser };
	return without('sudo asks for a password');
}

/** BusyBox programs have fewer options. */
function lacksOption(program: string, option: string): boolean {
	return !tryCommand('/bin/sh', ['-c', '"$0" --help 2>&1 | grep -q -e "$1"', program, option]).succeeded;
}

function asTrialUser(setpriv: string): string[] {
	return briefly([...dropTo(TRIAL_USER, setpriv), 'true']);
}

function tryUser(privilege: Privilege, setpriv: string): string | null {
	const { succeeded, lastLine } = tryAsRoot(privilege, asTrialUser(setpriv));
	return succeeded ? null : `no process can be started as another user: ${lastLine}`;
}

/** Null if we can watch and end other users' servers. Root sees all. */
function whyUnseen(privilege: Privilege): string | null {
	if (privilege === 'root') return null;
	const groups = [process.getegid?.() ?? [], process.getgroups?.() ?? []].flat();
	if (!hidesOtherUsers(readText('/proc/self/mounts') ?? '', groups)) return null;
	return '/proc hides the processes of other users here (hidepid), so servers that run as such could not be watched';
}

/**
 * Whether /proc hides other users' processes (`hidepid`) from these groups. `mounts` is the text of /proc/self/mounts.
 */
export function hidesOtherUsers(mounts: string, groups: readonly number[]): boolean {
	const options = mounts.split('\n').flatMap((line) => {
		const [, place, type, all = ''] = line.split(' ');
		return place === '/proc' && type === 'proc' ? [new Map(all.split(',').map(splitOption))] : [];
	});
	// The last mount covers earlier ones.
	const last = options.at(-1);
	const hidden = last?.get('hidepid') ?? 'off';
	if (['off', '0'].includes(hidden)) return false;
	// `ptraceable` checks only ptrace rights; the other kinds exempt one group, by default root's.
	return ['ptraceable', '4'].includes(hidden) || !groups.includes(Number(last?.get('gid') ?? 0));
}

function splitOption(option: string): [string, string] {
	const [name = '', value = ''] = option.split('=', 2);
	return [name, value];
}

function tryNamespaces(unshare: string): string | null {
	if (lacksOption(unshare, '--kill-child')) {
		return "this unshare is BusyBox's and cannot end what it started (install util-linux)";
	}
	const { succeeded, lastLine } = tryCommand(unshare, [...NAMESPACES, '--', 'mount', '-t', 'tmpfs', 'none', '/mnt']);
	return succeeded ? null : `user namespaces are not available: ${lastLine}`;
}
