import type { Config } from '../../types/config.ts';
import { asksForOne } from '../../types/runtime.ts';
import type { Sides, Warning } from '../../types/units.ts';
import { findSides } from '../find-sides.ts';
import { laidFolders } from '../harness/harness.ts';
import type { PrepareContext } from '../prepare-context.ts';
import { inSession } from '../prepare-session.ts';
import { isSameCode, isSameRevision } from './compare-content.ts';
import { findUntouched } from './find-untouched.ts';
import { describeUnchanged, type Unchanged } from './prepare-changed.ts';

/** What two revisions come to before anything of them has run. */
export interface ComparedSources {
	/** Null where the sources differ in something that a server may read, and for one revision that somebody wants to see against itself. */
	readonly unchanged: Unchanged | null;
	/** Names of servers that read nothing that differs, while others do. */
	readonly sameCode: readonly string[];
	/** Why others are not among them, although nothing that they are said to read differs. */
	readonly warnings: readonly Warning[];
	/** Whether packing both may still show that everything that is measured is the same: no server runs in the checkout. */
	readonly mayBeUnchanged: boolean;
}

const NOTHING = { servers: [], warnings: [] } as const;
/** Of what somebody wants to see compared whatever it is. */
const DIFFERENT: ComparedSources = { unchanged: null, sameCode: [], warnings: [], mayBeUnchanged: false };

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
		if (isSameRevision(sources) || !asksForOne(config)) return DIFFERENT;
		const laid = laidFolders(harness).map(({ path }) => path);
		const same = sources.base.content === sources.head.content || (await isSameCode(session, sources, custom, laid));
		const { servers, warnings } = same ? NOTHING : await findUntouched(session, sources);
		const all = servers.length === config.servers.length;
		return {
			unchanged: same || all ? describeUnchanged(session, found) : null,
			sameCode: all ? [] : servers,
			warnings,
			mayBeUnchanged: custom.length === 0,
		};
	});
}
