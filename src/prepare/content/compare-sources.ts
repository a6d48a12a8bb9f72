import type { Config } from '../../types/config.ts';
import type { Sides } from '../../types/units.ts';
import { findSides } from '../find-sides.ts';
import { laidFolders } from '../harness/harness.ts';
import type { PrepareContext } from '../prepare-context.ts';
import { inSession } from '../prepare-session.ts';
import { describeUnchanged, type Unchanged } from '../prepare-sides.ts';
import { isSameCode, isSameRevision } from './compare-content.ts';

/** What two revisions come to before anything of them has run. */
export interface ComparedSources {
	/** Null where the sources differ in more than documents, and for one revision that somebody wants to see against itself. */
	readonly unchanged: Unchanged | null;
	/** Whether packing both may still show that everything that is measured is the same: no server runs in the checkout. */
	readonly mayBeUnchanged: boolean;
}

/**
 * Compares two revisions by their sources alone, so that it takes a second and needs nobody to run as: what `prepareChanged` finds
 * before it builds, and no more. Throws a UserError for revisions that cannot be found.
 */
export async function compareSources(
	config: Config,
	specs: Sides<string>,
	context: PrepareContext,
): Promise<ComparedSources> {
	return inSession(config, context, async (session) => {
		const found = await findSides(session, specs);
		const { sources, harness, custom } = found;
		if (isSameRevision(sources)) return { unchanged: null, mayBeUnchanged: false };
		const laid = laidFolders(harness).map(({ path }) => path);
		const same = sources.base.content === sources.head.content || (await isSameCode(session, sources, custom, laid));
		return { unchanged: same ? describeUnchanged(session, found) : null, mayBeUnchanged: custom.length === 0 };
	});
}
