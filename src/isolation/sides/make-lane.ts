/** Makes both sides of a lane, the first or a further one, at whatever level. */
import type { SideUser } from '../../types/isolation.ts';
import { SIDES, type Sides } from '../../types/units.ts';
import type { KeptView } from '../keep-view.ts';
import type { View } from '../view-script.ts';
import { copyBuilt } from './copy-built.ts';
import type { Mender } from './mend-view.ts';

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
