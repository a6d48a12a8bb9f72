import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, realpath, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { removeRemains } from '../process/users/remove-remains.ts';
import { type ReservedUser, reserveUser } from '../process/users/reserve-user.ts';
import { asRoot, runAsRoot } from '../process/users/run-as-root.ts';
import { endUser, killGroupAsRoot } from '../process/users/user-processes.ts';
import type { Isolation, SideUser } from '../types/isolation.ts';
import type { GuardedUser } from '../types/run-services.ts';
import { otherSide, SIDES, type Side, type Sides } from '../types/units.ts';
import { describeAccount } from './account.ts';
import { canHideProcesses, collectViewFacts } from './collect-view-facts.ts';
import { openPortGuard, type PortGuard } from './guard-ports.ts';
import type { IsolationFacts } from './isolation-facts.ts';
import type { IsolationOptions } from './isolation-options.ts';
import { areReadOnly, type KeptView, keepView, whyExposed } from './keep-view.ts';
import { planView, shownTemporary } from './plan-view.ts';
import { fillHome, maskGitConfig } from './private-files.ts';
import { shareCaches } from './share-caches.ts';
import { type OwnSide, ownUser } from './side-user.ts';
import { tryAsSide } from './try-as-side.ts';

export interface UsersOptions extends IsolationOptions {
	readonly facts: IsolationFacts;
}

/** One side's user with all that was made for it. */
interface Made {
	readonly user: GuardedUser;
	readonly reserved: ReservedUser;
	readonly view: KeptView | null;
	/** Why there is no view; null when there is. */
	readonly whyNoView: string | null;
	readonly side: OwnSide;
	close(): Promise<void>;
}

/**
 * Returns both sides as users of their own.
 *
 * @throws Error with the reason when one of them cannot run what it needs; nothing is left then.
 */
export async function openUsers(options: UsersOptions): Promise<Isolation> {
	const root = await makeRoot(options);
	const release = options.janitor.guardDirectory(root);
	const made: Made[] = [];
	let guard: PortGuard | null = null;
	let guarding: Promise<PortGuard | null> | null = null;
	const refuseRivalOf = (side: Side) => (port: number) => {
		const rival = made[SIDES.indexOf(otherSide(side))];
		if (rival !== undefined) guard?.refuse(rival.user.uid, port);
	};
	const closeAll = async () => {
		// What one side does against its end must not save the other.
		const ends = await Promise.allSettled(made.map((one) => one.close()));
		await (await guarding)?.close();
		await runAsRoot(privilegeOf(options), ['rm', '-rf', '--', root]);
		await rm(root, { recursive: true, force: true });
		release();
		for (const end of ends) if (end.status === 'rejected') throw end.reason;
	};
	try {
		const makes = await Promise.allSettled(SIDES.map((side) => makeUser(options, root, refuseRivalOf(side))));
		for (const make of makes) if (make.status === 'fulfilled') made.push(make.value);
		for (const make of makes) if (make.status === 'rejected') throw make.reason;
		guarding = openPortGuard(options.facts.nft, privilegeOf(options), `benchgate_${made[0]?.user.uid}`);
		await Promise.all(made.map(({ side, whyNoView }) => tryAsSide(side, options, whyNoView)));
		guard = await guarding;
	} catch (error) {
		await closeAll();
		throw error;
	}
	const [base, head] = made as [Made, Made];
	const close = once(closeAll);
	const views = made.flatMap(({ view }) => view ?? []);
	const sides: Sides<SideUser> = { base: base.side, head: head.side };
	return {
		level: 'users',
		reason: whyReachable(made),
		hidesProcesses:
			canHideProcesses() && views.length === made.length && views.every(({ showsProcesses }) => !showsProcesses),
		readOnly: views.length === made.length && areReadOnly(views),
		refusesRival: guard !== null,
		sides,
		async reclaim(folder) {
			const us = `${process.getuid?.()}:${process.getgid?.()}`;
			if (existsSync(folder)) await runAsRoot(privilegeOf(options), ['chown', '-hR', us, folder]);
		},
		shareCaches: () => shareCaches(sides),
		close,
		[Symbol.asyncDispose]: close,
	};
}

/** Why the sides reach more of the machine than they need; null when they do not. */
function whyReachable(made: readonly Made[]): string | null {
	const without = made.find(({ view }) => view === null);
	if (without !== undefined) return `without a view of its own: ${without.whyNoView}`;
	return whyExposed(made.flatMap(({ view }) => view ?? []));
}

async function makeRoot(options: UsersOptions): Promise<string> {
	const real = await realpath(options.folder);
	const parent = join(real, 'sides');
	await mkdir(parent, { recursive: true });
	await letPass(real);
	for (const name of options.passed ?? []) await letPass(join(real, name));
	await chmod(parent, 0o711);
	await removeRemains(parent, privilegeOf(options));
	const root = await mkdtemp(join(parent, 'run-'));
	await chmod(root, 0o711);
	return root;
}

/** Lets the sides' users pass through. A folder of somebody else's is left as it is: the trial tells whether it does. */
async function letPass(folder: string): Promise<void> {
	const { mode, uid } = await stat(folder);
	if (uid === process.getuid?.()) await chmod(folder, (mode & 0o7777) | 0o011);
}

function privilegeOf({ facts }: UsersOptions) {
	if (facts.privilege === null) throw new Error('the level users needs root');
	return facts.privilege;
}

async function makeUser(options: UsersOptions, root: string, listens: (port: number) => void): Promise<Made> {
	const { facts, janitor } = options;
	const reserved = await reserveUser();
	if (reserved === null) throw new Error('no user id is free');
	const user: GuardedUser = { uid: reserved.uid, privilege: privilegeOf(options), setpriv: facts.setpriv ?? 'setpriv' };
	const release = janitor.guardUser(user);
	const folder = join(root, String(user.uid));
	const home = join(folder, 'home');
	const temporary = join(folder, 'temporary');
	await mkdir(folder);
	for (const path of [home, temporary]) {
		await mkdir(path);
		// While it is still ours, and whatever our umask is.
		await chmod(path, 0o700);
	}
	await letPass(folder);
	const account = await describeAccount(folder, home, user.uid);
	await fillHome(home);
	const masks = [...account, ...(await maskGitConfig(options.repository, folder))];
	await runAsRoot(user.privilege, ['chown', '-hR', `${user.uid}:${user.uid}`, home, temporary]);
	const { view, whyNoView, shown } = await tryView(options, temporary, masks);
	const enter = view === null ? [] : [facts.nsenter ?? 'nsenter', '--target', String(view.pid), '--mount', '--'];
	const side = ownUser({ user, home, temporary, shownTemporary: shown, enter, listens });
	return {
		user,
		reserved,
		view,
		whyNoView,
		side,
		async close() {
			try {
				await endUser(user);
				await side.sealAll();
				release();
				reserved.release();
			} finally {
				await view?.close();
			}
		},
	};
}

const OWN_MOUNTS = ['--mount', '--propagation', 'private', '--'];

async function tryView(
	options: UsersOptions,
	temporary: string,
	masks: readonly { path: string; by: string }[],
): Promise<{ view: KeptView | null; whyNoView: string | null; shown: string }> {
	const { facts } = options;
	const privilege = privilegeOf(options);
	const without = (whyNoView: string) => ({ view: null, whyNoView, shown: temporary });
	if (facts.unshare === null || facts.nsenter === null) return without('unshare or nsenter is missing');
	const plan = planView(
		collectViewFacts({ ...options, temporary, masks, writable: [options.folder], processes: 'shared' }),
	);
	if (plan === null) return without('there is no folder to build a view in');
	try {
		return {
			view: await keepView(asRoot(privilege, [facts.unshare, ...OWN_MOUNTS]), plan, (pid) =>
				killGroupAsRoot(privilege, pid),
			),
			whyNoView: null,
			shown: shownTemporary(plan, temporary),
		};
	} catch (error) {
		return without((error as Error).message);
	}
}

/** Closing twice is closing once. */
function once(work: () => Promise<void>): () => Promise<void> {
	let done: Promise<void> | null = null;
	return () => {
		done ??= work();
		return done;
	};
}
