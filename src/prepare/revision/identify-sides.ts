import type { Config } from '../../types/config.ts';
import type { PlannedSide, PlannedSides } from '../../types/shards.ts';
import type { Sides } from '../../types/units.ts';
import type { PrepareContext } from '../prepare-context.ts';
import { inSession } from '../prepare-session.ts';
import { resolveRevisions } from './resolve-revision.ts';
import type { Source } from './source.ts';

/** Returns what both revisions are now, without making anything of them. Throws as `resolveRevisions` does. */
export async function identifySides(
	config: Config,
	specs: Sides<string>,
	context: PrepareContext,
): Promise<PlannedSides> {
	return inSession(config, context, async (session) => {
		const { base, head } = await resolveRevisions(session, specs);
		return { base: identityOf(base, context.labels?.base), head: identityOf(head, context.labels?.head) };
	});
}

function identityOf(source: Source, label = source.label): PlannedSide {
	const { revision, kind, content } = source;
	return { revision, kind, label, content, ...(source.kind === 'git' && { sha: source.sha }) };
}
