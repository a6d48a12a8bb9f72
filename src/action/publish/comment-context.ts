import { basename } from 'node:path';
import type { CommentContext } from '../../report/github/comment-context.ts';
import type { CommentPolicy, Conclusion, MeasuredRun } from '../../types/action-run.ts';
import type { Verdict } from '../../types/verdict.ts';
import type { ActionSession, Place } from '../action-session.ts';

const TELLING: readonly Verdict[] = ['regressed', 'improved', 'invalid', 'removed'];

type Spot = Pick<Place, 'headSha' | 'title'> & { readonly pullRequest: object | null };
/** The only part of the context that an artifact may influence. */
type Said = Pick<
	CommentContext,
	| 'gate'
	| 'onInconclusive'
	| 'adopting'
	| 'adoption'
	| 'answersCommand'
	| 'outsidePulls'
	| 'advisoryUntil'
	| 'doubts'
	| 'lineOf'
	| 'explanation'
	| 'placeOf'
	| 'warnings'
>;

/**
 * Returns the context of comment, summary and check. Its identity comes from the event and the API.
 *
 * @param measured The measuring run; absent if this run measured.
 */
export function contextOf(
	session: Pick<ActionSession, 'inputs' | 'runner'>,
	{ headSha, title, pullRequest }: Spot,
	measured: Pick<MeasuredRun, 'run' | 'workflow'> | null,
	gateContext: Said,
): CommentContext {
	const { inputs, runner } = session;
	return {
		headSha,
		title,
		runUrl: (measured ?? runner).run.url,
		workflows: {
			measuring: measured ? measured.workflow && basename(measured.workflow) : (runner.workflow ?? null),
			...(isReportedElsewhere(session) ? { reporting: null } : runner.workflow && { reporting: runner.workflow }),
		},
		serverUrl: runner.serverUrl,
		repository: runner.repository,
		acceptLabel: pullRequest === null ? null : inputs.acceptLabel,
		dashboard: inputs.dashboard,
		...gateContext,
	};
}

export function isReportedElsewhere({ inputs }: Pick<ActionSession, 'inputs'>): boolean {
	return inputs.comment === 'never' && !inputs.checkRun;
}

/**
 * Whether to comment. Only `never` leaves an existing comment. With `on-change`, a new one needs a regressed, improved,
 * invalid or removed row, or a failure. A cancelled run creates none.
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
