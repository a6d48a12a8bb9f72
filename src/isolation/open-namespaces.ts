import { mkdtemp, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeOwn } from '../process/users/same-user.ts';
import type { Isolation } from '../types/isolation.ts';
import type { Sides } from '../types/units.ts';
import { areReadOnly, whyExposed } from './keep-view.ts';
import { bySide, findUncovered, hideFrom, makeBoth, makeLane } from './sides/make-lane.ts';
import { type MadeNamespace, makeNamespace, type NamespacesOptions } from './sides/make-namespace.ts';
import { shareCaches } from './sides/pipe-sides.ts';
import { tryAsSide } from './try-as-side.ts';

/**
 * Opens the level `namespace`: our own user behind user, mount and process namespaces.
 *
 * @throws Error with the reason when a side cannot run its programs; everything is removed then.
 */
export async function openNamespaces(options: NamespacesOptions): Promise<Isolation> {
	// Outside the cache, because both sides see the cache.
	const root = await realpath(await mkdtemp(join(tmpdir(), 'benchgate-sides-')));
	const release = options.janitor.guardDirectory(root);
	const made: MadeNamespace[] = [];
	let closing: Promise<void> | null = null;
	const close = () => {
		closing ??= (async () => {
			await Promise.all(made.map(({ view }) => view.close()));
			await removeOwn(root);
			release();
		})();
		return closing;
	};
	const make = (first?: MadeNamespace) => makeNamespace(options, root, first);
	let first: readonly [MadeNamespace, MadeNamespace];
	try {
		first = await makeBoth(made, () => make());
		await Promise.all(made.map(({ side }) => tryAsSide(side, options, null)));
	} catch (error) {
		await close();
		throw error;
	}
	const views = first.map(({ view }) => view);
	const reason = whyExposed(views);
	const whyMoreExposed = (lane: readonly MadeNamespace[]) => {
		const whyNot = whyExposed(lane.map(({ view }) => view));
		return whyNot === reason ? null : whyNot;
	};
	const sides = bySide(first);
	let hidden: Sides<readonly string[]> = { base: [], head: [] };
	const hide = (folders: typeof hidden) => {
		hidden = folders;
		hideFrom(made, hidden);
	};
	return {
		level: 'namespace',
		reason,
		hidesProcesses: true,
		readOnly: areReadOnly(views),
		refusesRival: false,
		sides,
		whyOneLane: null,
		async openLane() {
			const lane = await makeLane(made, make, whyMoreExposed);
			hideFrom(made, hidden);
			return lane;
		},
		hide,
		reclaim: async () => {},
		shareCaches: () => shareCaches(sides),
		uncovered: () => findUncovered(made),
		close,
		[Symbol.asyncDispose]: close,
	};
}
