/** A side's own user, its folders, and how its processes start. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { enterControlGroup, holdControlGroup } from '../process/users/control-group.ts';
import { asRoot, runAllAsRoot, runAsRoot, runPlain } from '../process/users/run-as-root.ts';
import { scratchIn } from '../process/users/same-user.ts';
import { dropTo, endUser, listProcessesOf, signalGroupOf } from '../process/users/user-processes.ts';
import { shellWord } from '../text/escape.ts';
import type { LaunchOptions, SideUser } from '../types/isolation.ts';
import type { ControlGroup, GuardedUser } from '../types/run-services.ts';

/** Toolchain managers that look below HOME, and the variable that redirects them. */
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

/** More than any build needs, too few to stop a machine. The kernel does not limit root. */
const MOST_PROCESSES = 2048;
/** Shells differ in the name of the option. */
const LIMIT = `{ ulimit -u ${MOST_PROCESSES} || ulimit -p ${MOST_PROCESSES}; } 2>/dev/null`;
/** Starts the program with only this environment. `cd` resolves the folder again behind a view. */
const ENTER = 'cd "$0" && exec env -i "$@"';
/** Permissions change before the owner. Links are skipped: their targets may belong to others. */
const OPEN_TO_ALL = ['!', '-type', 'l', '-exec', 'chmod', 'u+rwX,ug-s,go-w,a+rX', '{}', '+'];
const READABLE = ['!', '-type', 'l', '!', '-perm', '-0044', '-exec', 'chmod', 'a+rX', '{}', '+'];

export interface OwnUser {
	readonly user: GuardedUser;
	readonly home: string;
	readonly temporary: string;
	/** Path of `temporary` as the side sees it. */
	readonly shownTemporary: string;
	/** Prefix for commands behind the side's view. */
	readonly enter: readonly string[];
	/** Called when the side's server is about to listen. */
	readonly listens: (port: number) => void;
	readonly group?: number;
}

export interface OwnSide extends SideUser {
	given(): readonly string[];
	/** Takes back all folders, once no process of the side runs. */
	sealAll(): Promise<void>;
}

export function ownUser({ user, home, temporary, shownTemporary, enter, listens, group }: OwnUser): OwnSide {
	const { uid, privilege, setpriv, group: controlGroup } = user;
	const us = `${process.getuid?.()}:${process.getgid?.()}`;
	const root = (...argv: readonly string[]) => runAsRoot(privilege, argv);
	const allow = async (folder: string, shared: boolean) => {
		// Our files follow our umask, so they are made readable. Folders of a side are skipped, because they may be
		// closed to us.
		const ours = ['-user', `${process.getuid?.()}`];
		await runPlain(['find', folder, '-xdev', '-type', 'd', '!', ...ours, '-prune', '-o', ...ours, ...READABLE]);
		await runAllAsRoot(privilege, [
			['chgrp', '-h', shared ? `${process.getgid?.()}` : String(uid), folder],
			['chmod', shared ? '0755' : '0750', folder],
		]);
	};
	const sideFolders = new Set<string>();
	const seal = async (folder: string) => {
		sideFolders.delete(folder);
		// A living process could put a link in place of a name that root is about to follow.
		if (listProcessesOf(uid).length > 0) return void (await root('chown', '-hR', us, folder));
		const findCommand = ['find', folder, '-xdev', '-user', String(uid)];
		// A hard link to a foreign file stays unchanged.
		await runAllAsRoot(privilege, [
			[...findCommand, ...OPEN_TO_ALL],
			[...findCommand, '-exec', 'chown', '-h', us, '{}', '+'],
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
			sideFolders.add(folder);
			await root('chown', '-hR', `${uid}:${uid}`, folder);
		},
		seal,
		given: () => [...sideFolders],
		async sealAll() {
			for (const folder of sideFolders) if (existsSync(folder)) await seal(folder);
		},
		allow,
	};
}

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
 * Returns the command that starts `argv` in `cwd` with only the variables `env`. Limits the number of processes, unless
 * the kernel would count foreign ones too.
 */
export function enterFolder(
	argv: readonly string[],
	{ cwd, env, makes = [] }: LaunchOptions,
	isLimited = true,
): string[] {
	// `env` would take such a name for an option.
	const assigned = Object.entries(env).filter(([name]) => !name.startsWith('-'));
	const make = makes.length === 0 ? '' : `mkdir -p -m 0700 ${makes.map(shellWord).join(' ')} && `;
	const script = `umask 022; ${isLimited ? `${LIMIT}; ` : ''}${make}${ENTER}`;
	return ['/bin/sh', '-c', script, cwd, ...assigned.map(([name, value]) => `${name}=${value}`), ...argv];
}

/** Variables for our caches, settings and tools. Without them, tools have defaults below HOME. */
const OUR_FOLDERS =
	/^(XDG_.*|TMP|TEMP|TEMPDIR|(npm_config_|NPM_CONFIG_)(cache|userconfig|prefix|tmp|store_dir)|YARN_.*FOLDER|PNPM_HOME|BUN_INSTALL.*|COREPACK_HOME|GOPATH|GOCACHE|GOMODCACHE|GOTMPDIR|CARGO_HOME|CARGO_TARGET_DIR|PIP_CACHE_DIR|GRADLE_USER_HOME|SSH_AUTH_SOCK|DBUS_SESSION_BUS_ADDRESS|DOCKER_HOST|SUDO_.*|MAIL|OLDPWD|PWD)$/;
/** Equal on both sides, so it does not reveal the side. */
export const USER_NAME = 'app';

/** Returns `inherited` with these folders instead of ours, and with the name of another user. */
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

/**
 * Returns variables that point another user's toolchain managers to our toolchains, by our environment, else in our
 * home.
 */
export function findToolHomes(environment: NodeJS.ProcessEnv = process.env, home = homedir()): Record<string, string> {
	const toolHomes = Object.entries(TOOL_HOMES).flatMap(([name, place]) => {
		const folder = environment[name] || join(home, place);
		return existsSync(folder) ? [[name, folder] as const] : [];
	});
	return Object.fromEntries(toolHomes);
}
