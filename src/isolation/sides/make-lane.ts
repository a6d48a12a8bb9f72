/** Makes both sides of a lane, at any level. */

import { join } from 'node:path';
import { shellWord } from '../../text/escape.ts';
import type { SideUser } from '../../types/isolation.ts';
import { SIDES, type Sides } from '../../types/units.ts';
import type { KeptView } from '../keep-view.ts';
import { isBelow, type View } from '../view-script.ts';
import type { Mender } from './mend-view.ts';
import { pipeSides } from './pipe-sides.ts';

/** At hundreds of MB/s, the copy of a useful home takes less. */
const PATIENCE_MS = 300_000;

export interface MadeSide {
	readonly side: SideUser;
	readonly view: KeptView | null;
	readonly mender: Mender | null;
	/** Home as the side sees it. */
	readonly home: string;
	/** Replacements for folders of the first lane. */
	readonly swaps: View['swaps'];
	/** Returns the folders that the side was given and still has. */
	given(): readonly string[];
}

/** Makes base and head concurrently and adds those that succeed to `made`. Rejects when one fails. */
export async function makeBoth<T>(made: T[], make: (at: number) => Promise<T>): Promise<readonly [T, T]> {
	const makes = await Promise.allSettled(SIDES.map((_, at) => make(at)));
	const both = makes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
	made.push(...both);
	for (const one of makes) if (one.status === 'rejected') throw one.reason;
	return both as unknown as readonly [T, T];
}

/**
 * Returns both sides of a further lane, with copies of the folders that the first lane may write. Rejects with
 * `whyNot`'s reason.
 */
export async function makeLane<T extends MadeSide>(
	made: T[],
	make: (first: T) => Promise<T>,
	whyNot: (lane: readonly T[]) => string | null,
): Promise<Sides<SideUser>> {
	const firsts = made.slice(0, SIDES.length);
	const lane = await makeBoth(made, (at) => make(firsts[at] as T));
	const lacking = whyNot(lane);
	if (lacking !== null) throw new Error(lacking);
	const paths = ({ swaps }: T) => swaps.map(({ path }) => path);
	await Promise.all(lane.map((one, at) => copyBuilt((firsts[at] as T).side, one.side, paths(one))));
	return bySide(lane);
}

/** Hides each side's server folders from the other side in every lane with views. */
export function hideFrom(made: readonly MadeSide[], folders: Sides<readonly string[]>): void {
	for (const [at, { mender }] of made.entries()) mender?.hide(folders[SIDES[at % SIDES.length] ?? 'base']);
}

/** Mends all views and returns every path ever found uncovered. */
export function findUncovered(made: readonly MadeSide[]): readonly string[] {
	const menders = made.flatMap(({ mender }) => mender ?? []);
	for (const mender of menders) {
		try {
			mender.mend();
		} catch {
			// Its path is then in `uncovered`.
		}
	}
	return [...new Set(menders.flatMap(({ uncovered }) => [...uncovered]))];
}

export function bySide([base, head]: readonly [MadeSide, MadeSide]): Sides<SideUser> {
	return { base: base.side, head: head.side };
}

/** Returns replacements below `folder` for `paths`. Nested paths are replaced together with the outer path. */
export function swapsFor(paths: readonly string[], folder: string): View['swaps'] {
	const outermost = [...new Set(paths)].filter((path) => !paths.some((other) => isBelow(path, other)));
	return outermost.map((path, index) => ({ path, by: join(folder, `copy-${index + 1}`) }));
}

/**
 * Copies folders from one side's view to the same paths of the other's, with each side's own rights, so no link leads
 * elsewhere. Runs no code of `from`. Skips sockets and unreadable files.
 *
 * @throws Error when `to` could not write everything; the copy is removed to free the disk.
 */
async function copyBuilt(from: SideUser, to: SideUser, paths: readonly string[]): Promise<void> {
	const names = paths.map((path) => shellWord(`.${path}`)).join(' ');
	const pack = { user: from, script: `cd / && exec tar -cf - ${names} 2>/dev/null` };
	const unpack = { user: to, script: 'cd / && exec tar -xpf - 2>/dev/null' };
	if (await pipeSides(pack, unpack, PATIENCE_MS)) return;
	const remove = { user: to, script: `cd / && find ${names} -mindepth 1 -delete 2>/dev/null` };
	await pipeSides({ user: from, script: 'exit' }, remove, PATIENCE_MS);
	throw new Error('what its build left in HOME and in writable folders could not be copied (is the disk full?)');
}
