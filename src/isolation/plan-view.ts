import type { View } from './view-script.ts';
import { isBelow } from './view-script.ts';

/** What is known about the machine when a view is planned. All paths are absolute, without links. */
export interface ViewFacts {
	/** Folders that hold what is none of the side's business: our home, temporary files. */
	readonly hidden: readonly string[];
	/** What is needed to build and serve: the cache, Node, programs on PATH. */
	readonly needed: readonly string[];
	/** Ancestors of what is needed that other users cannot enter. */
	readonly closed: readonly string[];
	/** Folders the side may write, as far as their permissions let it. */
	readonly writable: readonly string[];
	/** Seen at every place for temporary files. */
	readonly temporary: string;
	/** Those places. */
	readonly temporaryPlaces: readonly string[];
	/** Places for files in memory; the side gets an empty one of its own. */
	readonly memoryPlaces: readonly string[];
	readonly masks: View['masks'];
	readonly swaps: View['swaps'];
	/** Empty folders that exist, the first suitable one is built in. */
	readonly stages: readonly string[];
	readonly processes: View['processes'];
}

/** Returns the shortest path that the side's temporary files have behind the view. */
export function shownTemporary({ covers }: View, temporary: string): string {
	const paths = covers.flatMap(({ path, by }) => (by === temporary ? [path] : []));
	return paths.reduce((shortest, path) => (path.length < shortest.length ? path : shortest), temporary);
}

/** Returns the view of these facts: what is hidden is covered, and what is needed shows through. Null without a stage. */
export function planView(facts: ViewFacts): View | null {
	const wanted = [...facts.needed, ...facts.writable];
	// A place that is needed itself, or lies in one that is, cannot be hidden.
	const coverable = (path: string) => !wanted.some((shown) => shown === path || isBelow(path, shown));
	// One inside of another is gone once that is covered.
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
	// What is covered with all that is around it is not there to be masked.
	const within = (path: string, folders: readonly string[]) => folders.some((folder) => isBelow(path, folder));
	const coverPaths = covers.map(({ path }) => path);
	const masks = facts.masks.filter(({ path }) => !within(path, coverPaths) || within(path, wanted));
	return { covers, shown, stage, masks, swaps, writable, processes };
}
