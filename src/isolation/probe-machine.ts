import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { briefly } from '../process/users/kill-all.ts';
import { type Privilege, SYSTEM_PATH, tryAsRoot, tryCommand } from '../process/users/run-as-root.ts';
import { dropTo } from '../process/users/user-processes.ts';
import type { IsolationFacts } from './isolation-facts.ts';

/** For the trial alone, which leaves nothing behind. */
const TRIAL_USER = 65_533;
const NAMESPACES = ['--user', '--map-root-user', '--mount', '--pid', '--fork', '--mount-proc'];

/** Returns what this machine allows, each found out by doing it once. */
export function probeMachine(): IsolationFacts {
	const [setpriv, unshare, nsenter, nft] = ['setpriv', 'unshare', 'nsenter', 'nft'].map(findProgram) as (
		| string
		| null
	)[];
	const { privilege, why } = findPrivilege();
	const whyNoUser = once(() => (setpriv != null && privilege !== null ? tryUser(privilege, setpriv) : null));
	const whyNoNamespace = once(() => (unshare != null ? tryNamespaces(unshare) : null));
	return {
		platform: process.platform,
		privilege,
		whyNoPrivilege: why,
		setpriv: setpriv ?? null,
		unshare: unshare ?? null,
		nsenter: nsenter ?? null,
		nft: nft ?? null,
		setprivChangesUser: setpriv != null && !lacksOption(setpriv, '--reuid'),
		// Tried when somebody asks: each trial takes as long as a program takes to start.
		get whyNoUser() {
			return whyNoUser();
		},
		get whyNoNamespace() {
			return whyNoNamespace();
		},
	};
}

function once<T>(find: () => T): () => T {
	let found: { readonly value: T } | null = null;
	return () => {
		found ??= { value: find() };
		return found.value;
	};
}

/** Returns the path of a program on the PATH or where programs of system administration are, or null. */
function findProgram(name: string): string | null {
	for (const folder of SYSTEM_PATH.split(':')) {
		const path = join(folder, name);
		try {
			accessSync(path, constants.X_OK);
			return path;
		} catch {
			// Not in this one.
		}
	}
	return null;
}

function findPrivilege(): { privilege: Privilege | null; why: string | null } {
	if (process.getuid?.() === 0) return { privilege: 'root', why: null };
	if (findProgram('sudo') === null) return { privilege: null, why: 'this user is not root, and sudo is not installed' };
	// Not with a password that was typed a moment ago: what we start has another terminal or none, and is asked again.
	const { succeeded } = tryCommand('sudo', ['-n', '-k', '--', 'true']);
	return succeeded
		? { privilege: 'sudo', why: null }
		: { privilege: null, why: 'this user is not root, and sudo asks for a password' };
}

/** BusyBox has programs of the same names that know fewer options. */
function lacksOption(program: string, option: string): boolean {
	return !tryCommand('/bin/sh', ['-c', '"$0" --help 2>&1 | grep -q -e "$1"', program, option]).succeeded;
}

function tryUser(privilege: Privilege, setpriv: string): string | null {
	const { succeeded, lastLine } = tryAsRoot(privilege, briefly([...dropTo(TRIAL_USER, setpriv), 'true']));
	return succeeded ? null : `no process can be started as another user: ${lastLine}`;
}

function tryNamespaces(unshare: string): string | null {
	const { succeeded, lastLine } = tryCommand(unshare, [...NAMESPACES, '--', 'mount', '-t', 'tmpfs', 'none', '/mnt']);
	return succeeded ? null : `user namespaces cannot be had: ${lastLine}`;
}
