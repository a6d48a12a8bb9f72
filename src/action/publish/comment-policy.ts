/** Whether a conclusion is worth a comment, by the input `comment`. */
import type { CommentPolicy, Conclusion } from '../../types/action-run.ts';
import type { Verdict } from '../../types/verdict.ts';

/** Verdicts that are commented on even where only changes are. */
const TELLING: readonly Verdict[] = ['regressed', 'improved', 'invalid', 'removed'];

/**
 * Returns whether a conclusion is written into the pull request's comment. `exists`: there is a comment of ours already, which
 * must not go on showing something else. `never` writes none; with `on-change` a new comment takes a regressed, improved,
 * invalid or removed row, or a failure. A cancelled run has nothing to say: it only concludes a comment that is there.
 */
export function wantsComment(policy: CommentPolicy, conclusion: Conclusion, exists: boolean): boolean {
	if (policy === 'never') return false;
	if (exists) return true;
	return conclusion.kind !== 'cancelled' && (policy === 'always' || isTelling(conclusion));
}

function isTelling(conclusion: Conclusion): boolean {
	if (conclusion.kind === 'failed') return true;
	if (conclusion.kind !== 'compared') return false;
	const { gate, cells } = conclusion.result;
	return gate.outcome === 'error' || cells.some(({ verdict }) => TELLING.includes(verdict));
}
