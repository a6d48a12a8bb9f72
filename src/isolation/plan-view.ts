import type { View } from './view-script.ts';
import { isBelow } from './view-script.ts';

/** Facts from which a view is planned. Paths are absolute, without links. */
export interface ViewFacts {
	/** Private folders, such as our home. */
	readonly hidden: readonly string[];
	/** Paths that a side needs to build and serve: the cache, Node, programs on PATH. */
	readonly needed: readonly string[];
	/** Ancestors of needed paths that other users cannot enter. */
	readonly closed: readonly string[];
	/** Paths that are writable as far as permissions allow. */
	readonly writable: readonly string[];
	/** The side's temporary folder, which replaces all `temporaryPlaces`. */
	readonly temporary: string;
	readonly temporaryPlaces: readonly string[];
	/** Places for files in memory. The side gets an empty folder there. */
	readonly memoryPlaces: readonly string[];
	readonly masks: View['masks'];
	readonly swaps: View['swaps'];
	/** Candidates for the view's `stage`. The first suitable one is taken. */
	readonly stages: readonly string[];
	readonly processes: View['processes'];
}

export function shownTemporary({ covers }: View, temporary: string): string {
	const paths = covers.flatMap(({ path, by }) => (by === temporary ? [path] : []));
	return paths.reduce((shortest, path) => (path.length < shortest.length ? path : shortest), temporary);
}

/** Returns null without a suitable stage. */
export function planView(facts: ViewFacts): View | null {
	const wanted = [...facts.needed, ...facts.writable];
	// Needed folders, and folders inside them, cannot be hidden.
	const coverable = (path: string) => !wanted.some((shown) => shown === path || isBelow(path, shown));
	// The cover of an outer place hides the nested places too.
	const temporary = facts.temporaryPlaces.filter(
		(path) => coverable(path) && !facts.temporaryPlaces.some((other) => isBelow(path, other) && coverable(other)),
	);
	const plain = [...new Set([...facts.hidden, ...facts.closed])].filter(
		(path) => coverable(path) && !temporary.some((place) => place === path || isBelow(path, place)),
	);
	const outermost = plain.filter((path) => !plain.some((other) => isBelow(path, other)));
	const covers = [
		...temporary.map((path) => ({ path, mode: '1777', by: facts.temporary })),
		...facts.memoryPlaces.filter(coverable).map((path) => ({ path, mode: '1777' })),
		...outermost.map((path) => ({ path, mode: '0755' })),
	];
	const used = [
		...wanted,
		...covers.map(({ path }) => path),
		...[...facts.masks, ...facts.swaps].map(({ path }) => path),
	];
	const stage = facts.stages.find((path) => !used.some((other) => other === path || isBelow(other, path)));
	if (stage === undefined) return null;
	const shown = facts.needed.filter((path) => !wanted.some((other) => isBelow(path, other)));
	const { swaps, writable, processes } = facts;
	// A covered folder already hides the files below it, so they need no mask.
	const within = (path: string, folders: readonly string[]) => folders.some((folder) => isBelow(path, folder));
	const coverPaths = covers.map(({ path }) => path);
	const masks = facts.masks.filter(({ path }) => !within(path, coverPaths) || within(path, wanted));
	return { covers, shown, stage, masks, swaps, writable, processes };
}
