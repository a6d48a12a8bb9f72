/** A user of its own for one side: its home, its folders, and how processes are started as it. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { enterControlGroup, holdControlGroup } from '../process/users/control-group.ts';
import { asRoot, runAllAsRoot, runAsRoot, runPlain } from '../process/users/run-as-root.ts';
import { scratchIn } from '../process/users/same-user.ts';
import { dropTo, endUser, listProcessesOf, signalGroupOf } from '../process/users/user-processes.ts';
import { shellWord } from '../text/shell-word.ts';
import type { LaunchOptions, SideUser } from '../types/isolation.ts';
import type { ControlGroup, GuardedUser } from '../types/run-services.ts';

/** Managers of toolchains that look for their programs below HOME, and the variable that says where instead. */
const TOOL_HOMES: Readonly<Record<string, string>> = {
	RUSTUP_HOME: '.rustup',
	VOLTA_HOME: '.volta',
	PYENV_ROOT: '.pyenv',
	RBENV_ROOT: '.rbenv',
	NODENV_ROOT: '.nodenv',
	GOENV_ROOT: '.goenv',
	ASDF_DATA_DIR: '.asdf',
	MISE_DATA_DIR: '.local/share/mise',
	SDKMAN_DIR: '.sdkman',
};

/**
 * Threads and processes a side may have at once: more than any build needs, and less than what stops a machine. The kernel does
 * not hold root to it.
 */
const MOST_PROCESSES = 2048;
/** Shells spell it in two ways. */
const LIMIT = `{ ulimit -u ${MOST_PROCESSES} || ulimit -p ${MOST_PROCESSES}; } 2>/dev/null`;
/** Runs in the folder, with nothing in the environment but what follows. The program's own folder is found again behind a view. */
const ENTER = 'cd "$0" && exec env -i "$@"';
/** What only the owner could do with a file is done before the owner changes; a link's target is somebody else's. */
const OPEN_TO_ALL = ['!', '-type', 'l', '-exec', 'chmod', 'u+rwX,ug-s,go-w,a+rX', '{}', '+'];
const READABLE = ['!', '-type', 'l', '!', '-perm', '-0044', '-exec', 'chmod', 'a+rX', '{}', '+'];

export interface OwnUser {
	readonly user: GuardedUser;
	readonly home: string;
	readonly temporary: string;
	/** Where the side sees it. */
	readonly shownTemporary: string;
	/** Puts a command behind the side's view of the machine; as it is without one. */
	readonly enter: readonly string[];
	/** Told where the side's server is about to listen. */
	readonly listens: (port: number) => void;
	/** A group that it is in besides its own; none when absent. */
	readonly group?: number;
}

/** A side's user of its own, which is given folders. */
export interface OwnSide extends SideUser {
	/** What it was given and still has. */
	given(): readonly string[];
	/** Takes back all that it was given and still has. Nothing of it runs any more. */
	sealAll(): Promise<void>;
}

/** Returns the side's user of its own. */
export function ownUser({ user, home, temporary, shownTemporary, enter, listens, group }: OwnUser): OwnSide {
	const { uid, privilege, setpriv, group: controlGroup } = user;
	const us = `${process.getuid?.()}:${process.getgid?.()}`;
	const root = (...argv: readonly string[]) => runAsRoot(privilege, argv);
	const allow = async (folder: string, shared: boolean) => {
		// What nobody was given to build in is as our umask left it; what a side still has may be closed to us.
		const ours = ['-user', `${process.getuid?.()}`];
		await runPlain(['find', folder, '-xdev', '-type', 'd', '!', ...ours, '-prune', '-o', ...ours, ...READABLE]);
		await runAllAsRoot(privilege, [
			['chgrp', '-h', shared ? `${process.getgid?.()}` : String(uid), folder],
			['chmod', shared ? '0755' : '0750', folder],
		]);
	};
	const given = new Set<string>();
	const seal = async (folder: string) => {
		given.delete(folder);
		// Somebody who still lives could put a link in the place of a name that root is about to follow.
		if (listProcessesOf(uid).length > 0) return void (await root('chown', '-hR', us, folder));
		const own = ['find', folder, '-xdev', '-user', String(uid)];
		// Only what is the side's: a hard link to a file of somebody else's stays as it is.
		await runAllAsRoot(privilege, [
			[...own, ...OPEN_TO_ALL],
			[...own, '-exec', 'chown', '-h', us, '{}', '+'],
		]);
		await allow(folder, false);
	};
	return {
		uid,
		group: controlGroup?.path ?? null,
		hold: holder(controlGroup),
		environment: (inherited) => privateEnvironment(inherited, home, temporary, USER_NAME),
		launch: (argv, options) => ({
			argv: asRoot(privilege, [
				...(controlGroup ? enterControlGroup(controlGroup) : []),
				...enter,
				...dropTo(uid, setpriv, group),
				...enterFolder(argv, options),
			]),
			cwd: '/',
			env: { PATH: process.env.PATH ?? '' },
		}),
		scratch: (name) => scratchIn(temporary, name, (folder) => root('rm', '-rf', '--', folder), shownTemporary),
		listens,
		signalGroup: (pid, signal) => signalGroupOf(user, pid, signal),
		endAll: () => endUser(user),
		async give(folder) {
			given.add(folder);
			await root('chown', '-hR', `${uid}:${uid}`, folder);
		},
		seal,
		given: () => [...given],
		async sealAll() {
			for (const folder of given) if (existsSync(folder)) await seal(folder);
		},
		allow,
	};
}

/** Returns a function that restricts a control group to CPUs. It writes only when they change. */
export function holder(group: ControlGroup | undefined): SideUser['hold'] {
	let held: string | null = null;
	return (cpus) => {
		const wanted = cpus?.join(',') ?? null;
		if (group === undefined || wanted === held) return;
		held = wanted;
		holdControlGroup(group, cpus);
	};
}

/**
 * Returns the command that goes to the folder and starts `argv` there with that environment alone. The number of processes is limited,
 * unless the kernel would count those of others too.
 */
export function enterFolder(
	argv: readonly string[],
	{ cwd, env, makes = [] }: LaunchOptions,
	isLimited = true,
): string[] {
	// A name that begins like an option would be taken for one.
	const assigned = Object.entries(env).filter(([name]) => !name.startsWith('-'));
	const make = makes.length === 0 ? '' : `mkdir -p -m 0700 ${makes.map(shellWord).join(' ')} && `;
	const script = `umask 022; ${isLimited ? `${LIMIT}; ` : ''}${make}${ENTER}`;
	return ['/bin/sh', '-c', script, cwd, ...assigned.map(([name, value]) => `${name}=${value}`), ...argv];
}

/** Folders of ours that caches, settings and tools are looked for in; without them each tool takes its place below HOME. */
const OUR_FOLDERS =
	/^(XDG_.*|TMP|TEMP|TEMPDIR|(npm_config_|NPM_CONFIG_)(cache|userconfig|prefix|tmp|store_dir)|YARN_.*FOLDER|PNPM_HOME|BUN_INSTALL.*|COREPACK_HOME|GOPATH|GOCACHE|GOMODCACHE|GOTMPDIR|CARGO_HOME|CARGO_TARGET_DIR|PIP_CACHE_DIR|GRADLE_USER_HOME|SSH_AUTH_SOCK|DBUS_SESSION_BUS_ADDRESS|DOCKER_HOST|SUDO_.*|MAIL|OLDPWD|PWD)$/;
/** The same on both sides: a name must not tell which one it is. */
export const USER_NAME = 'app';

/** Returns `inherited` with these folders in place of ours, and with the user's name where it is another user. */
export function privateEnvironment(
	inherited: Readonly<Record<string, string>>,
	home: string,
	temporary: string,
	name: string | null,
): Record<string, string> {
	const kept = Object.entries(inherited).filter(([key]) => !OUR_FOLDERS.test(key));
	const named = name === null ? {} : { USER: name, LOGNAME: name, SHELL: '/bin/sh' };
	return { ...findToolHomes(), ...Object.fromEntries(kept), HOME: home, TMPDIR: temporary, ...named };
}

// Where toolchains lie that look for their programs below HOME.

/**
 * Returns where toolchains of ours are, by the variable that tells a program of another user, who has a home of its own: what we
 * say already, else its place in our home when there is something.
 */
export function findToolHomes(environment: NodeJS.ProcessEnv = process.env, home = homedir()): Record<string, string> {
	const found = Object.entries(TOOL_HOMES).flatMap(([name, place]) => {
		const folder = environment[name] || join(home, place);
		return existsSync(folder) ? [[name, folder] as const] : [];
	});
	return Object.fromEntries(found);
}
