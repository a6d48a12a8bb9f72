import type { Config } from '../../types/config.ts';
import type { PlannedSide, PlannedSides } from '../../types/shards.ts';
import type { Sides } from '../../types/units.ts';
import type { PrepareContext } from '../prepare-context.ts';
import { inSession } from '../prepare-session.ts';
import { resolveRevision } from './resolve-revision.ts';
import type { Source } from './source.ts';

/** Returns what both revisions are now, without making anything of them. Throws as `resolveRevision` does. */
export async function identifySides(
	config: Config,
	specs: Sides<string>,
	context: PrepareContext,
): Promise<PlannedSides> {
	return inSession(config, context, async (session) => ({
		base: identityOf(await resolveRevision(session, 'base', specs.base), context.labels?.base),
		head: identityOf(await resolveRevision(session, 'head', specs.head), context.labels?.head),
	}));
}

function identityOf(source: Source, label = source.label): PlannedSide {
	const { revision, kind, content } = source;
	return { revision, kind, label, content, ...(source.kind === 'git' && { sha: source.sha }) };
}
