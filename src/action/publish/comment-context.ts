/** What a comment knows of its run, and whether a conclusion is worth a comment. */
import type { CommentContext } from '../../report/github/comment-context.ts';
import type { CommentPolicy, Conclusion, RunIdentity } from '../../types/action-run.ts';
import type { Verdict } from '../../types/verdict.ts';
import type { ActionSession, Place } from '../action-session.ts';

/** Verdicts that are commented on even where only changes are. */
const TELLING: readonly Verdict[] = ['regressed', 'improved', 'invalid', 'removed'];

/** What of a place words on GitHub are made from. */
type Spot = Pick<Place, 'headSha' | 'title'> & { readonly pullRequest: object | null };
/** What a run decided and found out: the only part that an artifact may have a say in. */
type Said = Pick<
	CommentContext,
	'gate' | 'onInconclusive' | 'adopting' | 'advisoryUntil' | 'doubts' | 'lineOf' | 'warnings'
>;

/**
 * Returns what comment, summary and check say beside a conclusion. Whose words they are comes from session and place, which are
 * made from the event and the API.
 *
 * @param run The run that measured.
 */
export function contextOf(
	{ inputs, runner }: Pick<ActionSession, 'inputs' | 'runner'>,
	{ headSha, title, pullRequest }: Spot,
	run: RunIdentity,
	said: Said,
): CommentContext {
	return {
		headSha,
		title,
		runUrl: run.url,
		serverUrl: runner.serverUrl,
		repository: runner.repository,
		acceptLabel: pullRequest === null ? null : inputs.acceptLabel,
		...said,
	};
}

// Whether a conclusion is worth a comment, by the input `comment`.

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
