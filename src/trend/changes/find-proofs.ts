/** What comparisons of the two ends of a change say of it. */
import { type BaselineCommit, commitKey } from '../../types/baseline.ts';
import type { ChangePoint, ChangeProof } from '../../types/trend.ts';
import type { Measurement, RowMeasurements } from '../measurements.ts';

/** A duet is of a change when at least this much of where the change may have happened lies between its two commits. */
const MOST_OF_IT = 0.5;

/**
 * Returns what fresh duets say of a change of a row: the latest that decided, else the latest; null without any. A change that is
 * found again with more points has other candidates, so a duet belongs to it by what it spans, not by name.
 */
export function findProof(
	{ all }: Pick<RowMeasurements, 'all'>,
	change: Pick<ChangePoint, 'candidates' | 'step'>,
	commits: readonly BaselineCommit[],
): ChangeProof | null {
	const duets = all.filter(({ record }) => record.purpose === 'proof');
	if (duets.length === 0) return null;
	const order = new Map(commits.map((commit, index) => [commitKey(commit), index]));
	const own = duets.flatMap((duet) => {
		const [before, after] = [order.get(duet.anchor), order.get(duet.commit)];
		return before !== undefined && after !== undefined && covers(change, before, after)
			? [{ duet, before, after }]
			: [];
	});
	const told = own.map(({ duet, before, after }) => proofOf(duet, change.step, { before, after, tries: own.length }));
	return told.findLast(({ outcome }) => outcome !== 'open') ?? told.at(-1) ?? null;
}

/** Returns whether most of where a change may have begun lies after one commit and up to another, by their indexes. */
export function covers({ candidates }: Pick<ChangePoint, 'candidates'>, before: number, after: number): boolean {
	const total = candidates.reduce((sum, { probability }) => sum + probability, 0);
	const inside = candidates.filter(({ commit }) => commit > before && commit <= after);
	return inside.reduce((sum, { probability }) => sum + probability, 0) >= MOST_OF_IT * total;
}

function proofOf(
	{ record, cell }: Measurement,
	step: number,
	place: Pick<ChangeProof, 'before' | 'after' | 'tries'>,
): ChangeProof {
	const { judgedBy, theta, low, high, rounds, threshold, verdict } = cell;
	const outcome = outcomeOf(verdict, step);
	return { outcome, ...place, judgedBy, theta, low, high, rounds, threshold, at: record.createdAt };
}

/** Whether the step is there, in its own direction. */
function outcomeOf(verdict: Measurement['cell']['verdict'], step: number): ChangeProof['outcome'] {
	const [expected, opposite] = step < 0 ? (['regressed', 'improved'] as const) : (['improved', 'regressed'] as const);
	if (verdict === expected) return 'shown';
	return verdict === 'unchanged' || verdict === opposite ? 'refuted' : 'open';
}
