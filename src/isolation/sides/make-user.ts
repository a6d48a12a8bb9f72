import { chmod, mkdir, readFile, realpath, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openControlGroup, removeControlGroup } from '../../process/users/control-group.ts';
import { reserveUser } from '../../process/users/reserve-user.ts';
import { asRoot, runAsRoot, tryAsRoot } from '../../process/users/run-as-root.ts';
import { endUser, killGroupAsRoot } from '../../process/users/user-processes.ts';
import type { SideUser } from '../../types/isolation.ts';
import type { GuardedUser } from '../../types/run-services.ts';
import { collectViewFacts } from '../collect-view-facts.ts';
import type { IsolationFacts, IsolationOptions } from '../isolation-facts.ts';
import { type KeptView, keepView } from '../keep-view.ts';
import { planView, shownTemporary } from '../plan-view.ts';
import { fillHome, maskGitConfig, maskSecretFiles } from '../private-files.ts';
import { ownUser, USER_NAME } from '../side-user.ts';
import type { View } from '../view-script.ts';
import { type MadeSide, swapsFor } from './make-lane.ts';
import { type Mender, mendView } from './mend-view.ts';

export interface UsersOptions extends IsolationOptions {
	readonly facts: IsolationFacts;
}

export interface MadeUser extends MadeSide {
	readonly user: GuardedUser;
	readonly whyNoView: string | null;
	readonly repositoryMasks: View['masks'];
	close(): Promise<void>;
}

export interface UserPlace {
	readonly root: string;
	readonly listens: (uid: number, port: number) => void;
	/** User whose home and writable folders are replaced by copies. */
	readonly first?: MadeUser;
}

/** Makes a side's user. The copies are made later. */
export async function makeUser(options: UsersOptions, place: UserPlace): Promise<MadeUser> {
	const held = await holdUser(options);
	try {
		return await furnish(options, place, held);
	} catch (error) {
		await held.letGo().catch(() => {});
		throw error;
	}
}

interface HeldUser {
	readonly user: GuardedUser;
	letGo(): Promise<void>;
}

async function holdUser(options: UsersOptions): Promise<HeldUser> {
	const { facts, janitor } = options;
	const privilege = privilegeOf(options);
	const reserved = await reserveUser();
	if (reserved === null) throw new Error('no user id is free');
	const group = await openControlGroup(privilege);
	const releaseGroup = group === null ? () => {} : janitor.guardControlGroup(group);
	const user: GuardedUser = {
		...{ uid: reserved.uid, privilege, setpriv: facts.setpriv ?? 'setpriv' },
		...(group && { group }),
	};
	const release = janitor.guardUser(user);
	return {
		user,
		async letGo() {
			release();
			if (group !== null) await removeControlGroup(group);
			releaseGroup();
			reserved.release();
		},
	};
}

async function furnish(
	options: UsersOptions,
	{ root, listens, first }: UserPlace,
	{ user, letGo }: HeldUser,
): Promise<MadeUser> {
	const { uid } = user;
	const folder = join(root, String(uid));
	const home = first?.home ?? join(folder, 'home');
	const temporary = join(folder, 'temporary');
	// A copy may be open to all users, like its original.
	const copies = join(folder, 'copies');
	const swaps = first === undefined ? [] : swapsFor([home, ...first.given()], copies);
	const folders = [temporary, ...(first === undefined ? [home] : [copies, ...swaps.map(({ by }) => by)])];
	await mkdir(folder);
	for (const path of folders) {
		await mkdir(path);
		// Done while the folder is ours. The mode must not depend on our umask.
		await chmod(path, 0o700);
	}
	await letPass(folder);
	const account = await describeAccount(folder, home, uid);
	if (first === undefined) await fillHome(home);
	const repositoryMasks = first?.repositoryMasks ?? (await maskRepository(options, folder));
	await runAsRoot(user.privilege, ['chown', '-hR', `${uid}:${uid}`, ...folders]);
	const masks = [...account, ...repositoryMasks];
	const { view, mender, whyNoView, shown } = await tryView(options, temporary, { masks, swaps });
	const enter = view === null ? [] : enterView(options, view);
	const ownSide = ownUser({
		...{ user, home, temporary, enter },
		shownTemporary: shown,
		listens: (port) => listens(uid, port),
		// A side's checkout is readable for the group of the first lane's user.
		...(first && { group: first.user.uid }),
	});
	const side: SideUser = {
		...ownSide,
		launch(argv, launchOptions) {
			mender?.mend();
			return ownSide.launch(argv, launchOptions);
		},
	};
	return {
		...{ user, view, mender, whyNoView, side, home, repositoryMasks, swaps },
		given: ownSide.given,
		async close() {
			try {
				await endUser(user);
				await ownSide.sealAll();
				await letGo();
			} finally {
				await view?.close();
			}
		},
	};
}

async function maskRepository(options: UsersOptions, folder: string): Promise<View['masks']> {
	const { repository, folder: cache } = options;
	return [...(await maskGitConfig(repository, folder)), ...(await maskSecretFiles(repository, folder, cache))];
}

/** Lets the sides' users pass `folder` if it is ours. Otherwise a trial shows whether they can pass. */
export async function letPass(folder: string): Promise<void> {
	const { mode, uid } = await stat(folder);
	if (uid === process.getuid?.()) await chmod(folder, (mode & 0o7777) | 0o011);
}

export function privilegeOf({ facts }: Pick<UsersOptions, 'facts'>) {
	if (facts.privilege === null) throw new Error('the level users needs root');
	return facts.privilege;
}

function enterView({ facts }: Pick<UsersOptions, 'facts'>, { pid }: Pick<KeptView, 'pid'>): string[] {
	return [facts.nsenter ?? 'nsenter', '--target', String(pid), '--mount', '--ipc', '--'];
}

/** System V memory outlives processes. */
const OWN_NAMESPACES = ['--mount', '--propagation', 'private', '--ipc', '--'];

async function tryView(
	options: UsersOptions,
	temporary: string,
	seen: Pick<View, 'masks' | 'swaps'>,
): Promise<{ view: KeptView | null; mender: Mender | null; whyNoView: string | null; shown: string }> {
	const { facts } = options;
	const privilege = privilegeOf(options);
	const without = (whyNoView: string) => ({ view: null, mender: null, whyNoView, shown: temporary });
	if (facts.unshare === null || facts.nsenter === null) return without('unshare or nsenter is missing');
	const request = { ...options, ...seen, temporary, writable: [options.folder], processes: 'shared' } as const;
	const plan = planView(collectViewFacts(request));
	if (plan === null) return without('there is no folder to build a view in');
	try {
		const kill = (pid: number) => killGroupAsRoot(privilege, pid);
		const view = await keepView(asRoot(privilege, [facts.unshare, ...OWN_NAMESPACES]), plan, kill);
		const run = (script: string) => tryAsRoot(privilege, [...enterView(options, view), '/bin/sh', '-c', script]);
		return {
			view,
			mender: mendView(plan, { keeper: view.pid, run }),
			whyNoView: null,
			shown: shownTemporary(plan, temporary),
		};
	} catch (error) {
		return without((error as Error).message);
	}
}

/** Adds the side's user to copies of /etc/passwd and /etc/group. */
async function describeAccount(folder: string, home: string, uid: number): Promise<{ path: string; by: string }[]> {
	const entries = {
		'/etc/passwd': `${USER_NAME}:x:${uid}:${uid}::${home}:/bin/sh`,
		'/etc/group': `${USER_NAME}:x:${uid}:`,
	};
	const masks: { path: string; by: string }[] = [];
	for (const [path, entry] of Object.entries(entries)) {
		const text = await readFile(path, 'utf8').catch(() => null);
		if (text === null) continue;
		const others = text.split('\n').filter((line) => line !== '' && !line.startsWith(`${USER_NAME}:`));
		const by = join(folder, path.slice('/etc/'.length));
		await writeFile(by, `${[...others, entry].join('\n')}\n`);
		await chmod(by, 0o644);
		masks.push({ path: await realpath(path), by });
	}
	return masks;
}
