import type { CommentContext } from '../../report/github/comment-context.ts';
import type { CommentPolicy, Conclusion, RunIdentity } from '../../types/action-run.ts';
import type { Verdict } from '../../types/verdict.ts';
import type { ActionSession, Place } from '../action-session.ts';

const TELLING: readonly Verdict[] = ['regressed', 'improved', 'invalid', 'removed'];

type Spot = Pick<Place, 'headSha' | 'title'> & { readonly pullRequest: object | null };
/** The only part of the context that an artifact may influence. */
type Said = Pick<
	CommentContext,
	'gate' | 'onInconclusive' | 'adopting' | 'advisoryUntil' | 'doubts' | 'lineOf' | 'warnings'
>;

/**
 * Returns the context of comment, summary and check. Its identity comes from the event and the API.
 *
 * @param run The measuring run.
 */
export function contextOf(
	{ inputs, runner }: Pick<ActionSession, 'inputs' | 'runner'>,
	{ headSha, title, pullRequest }: Spot,
	run: RunIdentity,
	gateContext: Said,
): CommentContext {
	return {
		headSha,
		title,
		runUrl: run.url,
		serverUrl: runner.serverUrl,
		repository: runner.repository,
		acceptLabel: pullRequest === null ? null : inputs.acceptLabel,
		dashboard: inputs.dashboard,
		...gateContext,
	};
}

/**
 * Returns whether to comment. If a comment `exists`, it is updated unless the policy is `never`. With `on-change`, a
 * new comment needs a regressed, improved, invalid or removed row, or a failure. A cancelled run only concludes an
 * existing comment.
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
