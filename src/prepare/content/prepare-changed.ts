import type { Config } from '../../types/config.ts';
import type { Prepared } from '../../types/prepared.ts';
import type { RevisionInfo } from '../../types/result.ts';
import { asksForOne } from '../../types/runtime.ts';
import type { Sides } from '../../types/units.ts';
import { type Found, findSides, packs } from '../find-sides.ts';
import { laidFolders } from '../harness/harness.ts';
import type { MadeSide } from '../make-side.ts';
import type { PrepareContext, Session } from '../prepare-context.ts';
import { inSession } from '../prepare-session.ts';
import { type FinishedBase, finishBase, finishBoth, labelOf, makeHead } from '../prepare-sides.ts';
import { isSameCode, isSamePacked, isSameRevision } from './compare-content.ts';

export interface Unchanged {
	readonly unchanged: true;
	readonly base: Pick<RevisionInfo, 'label'>;
	readonly head: Pick<RevisionInfo, 'label'>;
}

/**
 * Prepares both sides, but returns `unchanged` if two revisions have the same code. If only packed code is equal, or
 * `skips` is `servers`, `samePacked` lists the servers that run nothing else.
 */
export async function prepareChanged(
	config: Config,
	specs: Sides<string>,
	context: PrepareContext,
	skips: 'run' | 'servers' = 'run',
): Promise<Prepared | Unchanged> {
	return inSession(config, context, async (session) => {
		session.progress.step('Resolving revisions');
		const inputs = await findSides(session, specs);
		const { sources, harness, custom } = inputs;
		const mustMeasure = isSameRevision(sources) || !asksForOne(config);
		const laid = laidFolders(harness).map(({ path }) => path);
		const whole = !mustMeasure && skips === 'run';
		const sameCode = whole && (custom.length === 0 || (await isSameCode(session, sources, custom, laid)));
		if (whole && (sources.base.content === sources.head.content || (sameCode && !packs(inputs) && custom.length > 0))) {
			return describeUnchanged(session, inputs);
		}
		const base = await finishBase(session, inputs);
		const head = await makeHead(session, inputs);
		const samePacked = !mustMeasure && (await packToTheSame(session, base, head));
		if (sameCode && samePacked) return describeUnchanged(session, inputs);
		return finishBoth(session, inputs, base, head, samePacked);
	});
}

async function packToTheSame(session: Session, { made, watch }: FinishedBase, head: MadeSide): Promise<boolean> {
	if (made.packed === null || head.packed === null) return false;
	await watch.checkUntouched();
	return isSamePacked(session, { base: made.packed, head: head.packed });
}

export function describeUnchanged(session: Session, { sources }: Found): Unchanged {
	session.progress.step('Both sides are the same code: nothing to measure');
	return {
		unchanged: true,
		base: { label: labelOf(session, 'base', sources.base) },
		head: { label: labelOf(session, 'head', sources.head) },
	};
}
