import type { Config } from '../types/config.ts';
import type { Prepared } from '../types/prepared.ts';
import type { Sides } from '../types/units.ts';
import { digestCode } from './content/code-digest.ts';
import { findSides } from './find-sides.ts';
import type { PrepareContext } from './prepare-context.ts';
import { inSession } from './prepare-session.ts';
import { finishBase, finishBoth, makeHead } from './prepare-sides.ts';

/** Both sides, and what tells whether head is the code that was measured before. */
export interface PreparedBaseline extends Prepared {
	/** As `digestCode` has it, of head; null when unknown. */
	readonly headDigest: string | null;
}

/** Head is the same code as one that was measured before: there is nothing to measure. */
export interface KnownCode {
	readonly known: string;
}

/**
 * As `prepareSides`, with the digest of head's code; returns only the digest, before head is installed, where it is the one in
 * `measured`.
 */
export async function prepareBaseline(
	config: Config,
	specs: Sides<string>,
	context: PrepareContext,
	measured: string | null,
): Promise<PreparedBaseline | KnownCode> {
	return inSession(config, context, async (session) => {
		const found = await findSides(session, specs);
		const base = await finishBase(session, found);
		const head = await makeHead(session, found);
		const { selected, overrides, custom, harness } = found;
		const { origin, packed } = head;
		const headDigest = await digestCode(session, { origin, packed, selected, overrides, custom, harness });
		if (headDigest !== null && headDigest === measured) return { known: headDigest };
		return { ...(await finishBoth(session, found, base, head)), headDigest };
	});
}
