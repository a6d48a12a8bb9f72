/** Makes both sides of a lane, the first or a further one, at whatever level. */

import { join } from 'node:path';
import { shellWord } from '../../text/shell-word.ts';
import type { SideUser } from '../../types/isolation.ts';
import { SIDES, type Sides } from '../../types/units.ts';
import type { KeptView } from '../keep-view.ts';
import { isBelow, type View } from '../view-script.ts';
import type { Mender } from './mend-view.ts';
import { pipeSides } from './pipe-sides.ts';

/** Copying goes at hundreds of megabytes a second: no home that is of use takes longer. */
const PATIENCE_MS = 300_000;

/** One side of one lane, with what was made for it. */
export interface MadeSide {
	readonly side: SideUser;
	/** Null where none could be made. */
	readonly view: KeptView | null;
	/** Looks after the view; null where there is none. */
	readonly mender: Mender | null;
	/** As the side sees it. */
	readonly home: string;
	/** What it sees in place of folders of the first lane's. */
	readonly swaps: View['swaps'];
	/** Folders that it was given and still has. */
	given(): readonly string[];
}

/** Makes base and head at once and adds them to `made`, whatever becomes of the other; rejects when one could not be made. */
export async function makeBoth<T>(made: T[], make: (at: number) => Promise<T>): Promise<readonly [T, T]> {
	const makes = await Promise.allSettled(SIDES.map((_, at) => make(at)));
	const both = makes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
	made.push(...both);
	for (const one of makes) if (one.status === 'rejected') throw one.reason;
	return both as unknown as readonly [T, T];
}

/**
 * Returns both sides of a further lane, made like `made`'s first two and with copies of what these may write. `whyNot` says what such
 * a lane lacks; null when nothing.
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

/** Hides the folders of each side's servers from the other side, in every lane. Does nothing without views. */
export function hideFrom(made: readonly MadeSide[], folders: Sides<readonly string[]>): void {
	for (const [at, { mender }] of made.entries()) mender?.hide(folders[SIDES[at % SIDES.length] ?? 'base']);
}

/** Looks after the views of all, and returns what was ever found uncovered. */
export function findUncovered(made: readonly MadeSide[]): readonly string[] {
	const menders = made.flatMap(({ mender }) => mender ?? []);
	for (const mender of menders) {
		try {
			mender.mend();
		} catch {
			// It is among those that were found.
		}
	}
	return [...new Set(menders.flatMap(({ uncovered }) => [...uncovered]))];
}

/** Returns who two that were made run as. */
export function bySide([base, head]: readonly [MadeSide, MadeSide]): Sides<SideUser> {
	return { base: base.side, head: head.side };
}

// What a side's builds have left where it may write, copied for the servers of a further lane, which find it at the
// same places.

/** Returns a folder of its own below `own` in place of each of `paths`; one inside of another goes with that. */
export function swapsFor(paths: readonly string[], own: string): View['swaps'] {
	const outermost = [...new Set(paths)].filter((path) => !paths.some((other) => isBelow(path, other)));
	return outermost.map((path, index) => ({ path, by: join(own, `copy-${index + 1}`) }));
}

/**
 * Copies the folders from what `from` sees to what `to` sees at the same paths, with the rights of either, so that no link leads
 * anywhere else. Nothing of `from` runs. What it may not read itself is left out, and so are sockets.
 *
 * @throws Error when `to` could not write all; it has nothing then, so that the disk is not full because of it.
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
