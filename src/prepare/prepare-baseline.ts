import type { Config } from '../types/config.ts';
import type { Prepared } from '../types/prepared.ts';
import type { Sides } from '../types/units.ts';
import { digestCode } from './content/code-digest.ts';
import { findSides } from './find-sides.ts';
import type { PrepareContext } from './prepare-context.ts';
import { inSession } from './prepare-session.ts';
import { finishBase, finishBoth, makeHead } from './prepare-sides.ts';

export interface PreparedBaseline extends Prepared {
	/** Digest of head's code by `digestCode`. */
	readonly headDigest: string | null;
}

export interface KnownCode {
	readonly known: string;
}

/**
 * Prepares as `prepareSides` does, and adds the digest of head's code. If it equals `measured`, returns only the
 * digest, without head installed.
 */
export async function prepareBaseline(
	config: Config,
	specs: Sides<string>,
	context: PrepareContext,
	measured: string | null,
): Promise<PreparedBaseline | KnownCode> {
	return inSession(config, context, async (session) => {
		session.progress.step('Resolving revisions');
		const inputs = await findSides(session, specs);
		const base = await finishBase(session, inputs);
		const head = await makeHead(session, inputs);
		const { selected, overrides, custom, harness } = inputs;
		const { origin, packed } = head;
		const headDigest = await digestCode(session, { origin, packed, selected, overrides, custom, harness });
		if (headDigest !== null && headDigest === measured) return { known: headDigest };
		return { ...(await finishBoth(session, inputs, base, head)), headDigest };
	});
}
