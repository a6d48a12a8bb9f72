import type { CommentContext } from '../../report/github/comment-context.ts';
import type { RunIdentity } from '../../types/action-run.ts';
import type { ActionSession, Place } from '../action-session.ts';

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
