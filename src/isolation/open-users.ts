import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { removeRemains } from '../process/users/reserve-user.ts';
import { runAsRoot } from '../process/users/run-as-root.ts';
import type { Isolation } from '../types/isolation.ts';
import type { Sides } from '../types/units.ts';
import { canHideProcesses } from './collect-view-facts.ts';
import { openPortGuard, type PortGuard } from './guard-ports.ts';
import { areReadOnly, whyExposed } from './keep-view.ts';
import { bySide, findUncovered, hideFrom, makeBoth, makeLane } from './sides/make-lane.ts';
import { letPass, type MadeUser, makeUser, privilegeOf, type UsersOptions } from './sides/make-user.ts';
import { shareCaches } from './sides/pipe-sides.ts';
import { tryAsSide } from './try-as-side.ts';

/**
 * Opens the level `users`.
 *
 * @throws Error with the reason when a side cannot run its programs; everything is removed then.
 */
export async function openUsers(options: UsersOptions): Promise<Isolation> {
	const root = await makeRoot(options);
	const release = options.janitor.guardDirectory(root);
	const made: MadeUser[] = [];
	let guard: PortGuard | null = null;
	let guarding: Promise<PortGuard | null> | null = null;
	const listens = (uid: number, port: number) => {
		const others = made.map(({ user }) => user.uid).filter((other) => other !== uid);
		guard?.refuse(others, port);
	};
	const closeAll = async () => {
		// A failure of one side must not prevent the end of the other.
		const ends = await Promise.allSettled(made.map((one) => one.close()));
		await (await guarding)?.close();
		await runAsRoot(privilegeOf(options), ['rm', '-rf', '--', root]);
		await rm(root, { recursive: true, force: true });
		release();
		for (const end of ends) if (end.status === 'rejected') throw end.reason;
	};
	const make = (first?: MadeUser) => makeUser(options, { root, listens, ...(first && { first }) });
	let first: readonly [MadeUser, MadeUser];
	try {
		first = await makeBoth(made, () => make());
		guarding = openPortGuard(options.facts.nft, privilegeOf(options), `benchgate_${first[0].user.uid}`);
		await Promise.all(made.map(({ side, whyNoView }) => tryAsSide(side, options, whyNoView)));
		guard = await guarding;
	} catch (error) {
		await closeAll();
		throw error;
	}
	const close = once(closeAll);
	const views = first.flatMap(({ view }) => view ?? []);
	const reason = whyReachable(first);
	const sides = bySide(first);
	let hidden: Sides<readonly string[]> = { base: [], head: [] };
	const hide = (folders: typeof hidden) => {
		hidden = folders;
		hideFrom(made, hidden);
	};
	return {
		level: 'users',
		reason,
		hidesProcesses:
			canHideProcesses() && views.length === first.length && views.every(({ showsProcesses }) => !showsProcesses),
		readOnly: views.length === first.length && areReadOnly(views),
		refusesRival: guard !== null,
		sides,
		whyOneLane: whyOneLane(first),
		async openLane() {
			const lane = await makeLane(made, make, (one) => whyOneLane(one) ?? whyMoreExposed(one, reason));
			hideFrom(made, hidden);
			return lane;
		},
		hide,
		async reclaim(folder) {
			const us = `${process.getuid?.()}:${process.getgid?.()}`;
			if (existsSync(folder)) await runAsRoot(privilegeOf(options), ['chown', '-hR', us, folder]);
		},
		shareCaches: () => shareCaches(sides),
		uncovered: () => findUncovered(made),
		close,
		[Symbol.asyncDispose]: close,
	};
}

function whyReachable(made: readonly MadeUser[]): string | null {
	const without = made.find(({ view }) => view === null);
	if (without !== undefined) return `without a view of its own: ${without.whyNoView}`;
	return whyExposed(made.flatMap(({ view }) => view ?? []));
}

/** A further lane needs a view, because only a view shows its folders at the paths of the first lane. */
function whyOneLane(made: readonly MadeUser[]): string | null {
	const without = made.find(({ view }) => view === null);
	if (without === undefined) return null;
	return `the isolation is users without a view of its own (${without.whyNoView}), so the servers of two lanes would write into the same folders`;
}

function whyMoreExposed(lane: readonly MadeUser[], knownReason: string | null): string | null {
	const reason = whyReachable(lane);
	return reason === knownReason ? null : `its users would reach more of the machine: ${reason}`;
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

function once(work: () => Promise<void>): () => Promise<void> {
	let done: Promise<void> | null = null;
	return () => {
		done ??= work();
		return done;
	};
}
