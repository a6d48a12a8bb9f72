import { listArtifacts } from '../../github/run-artifacts.ts';
import { findComment, putComment } from '../../github/sticky-comment.ts';
import { renderMeasuring } from '../../report/github/comment-measuring.ts';
import { readPartName } from '../../report/shard-words.ts';
import type { CompareRequest } from '../../types/action-run.ts';
import { isUserError } from '../../types/errors.ts';
import type { ShardPlan } from '../../types/shards.ts';
import type { Warning } from '../../types/units.ts';
import { type ActionSession, isFork } from '../action-session.ts';

type Session = Pick<ActionSession, 'github' | 'inputs' | 'runner'>;

/**
 * Updates the comment with the ended shards: `endedShard` (null for the plan job) and those that have an artifact, so
 *  later writes repair concurrent ones. With `on-change`, creates no comment. Returns a warning if GitHub refused.
 */
export async function announceShards(
	session: Session,
	{ checkSha, pullRequest }: Pick<CompareRequest, 'checkSha' | 'pullRequest'>,
	plan: ShardPlan,
	endedShard: number | null,
): Promise<Warning | null> {
	const { github, inputs, runner } = session;
	if (github === null || pullRequest === null || inputs.comment === 'never') return null;
	const place = {
		repository: runner.repository,
		issue: pullRequest.number,
		key: inputs.commentKey,
		fromFork: isFork(session, { pullRequest }),
	};
	const earlierComment = await findComment(github, place);
	if (inputs.comment === 'on-change' && earlierComment === null) return null;
	const ended =
		endedShard === null ? [] : [...new Set([endedShard, ...(await findEnded(session, plan))])].sort((a, b) => a - b);
	const body = renderMeasuring({
		headSha: checkSha,
		baseLabel: plan.base.label,
		startedAt: plan.createdAt,
		expectedMinutes: Math.ceil(plan.budget / 60),
		runUrl: runner.run.url,
		shards: { of: plan.shards.length, ended },
		...(earlierComment?.marker.state === 'final' && { previous: earlierComment.text }),
	});
	const put = await putComment(github, { ...place, run: runner.run, headSha: checkSha, body, final: false });
	return 'warning' in put ? put.warning : null;
}

/** Errors are ignored, because a token that may comment may lack access to artifacts. */
async function findEnded({ github, inputs, runner }: Session, plan: ShardPlan): Promise<readonly number[]> {
	if (github === null) return [];
	try {
		const all = await listArtifacts(github, runner.repository, runner.run.id);
		return all.flatMap(({ name }) => {
			const part = readPartName(name);
			const fits = part?.kind === 'shard' && part.prefix === inputs.artifactName && part.of === plan.shards.length;
			return fits && part.shard <= part.of && part.attempt >= (plan.run?.attempt ?? 1) ? [part.shard] : [];
		});
	} catch (error) {
		if (isUserError(error)) return [];
		throw error;
	}
}
