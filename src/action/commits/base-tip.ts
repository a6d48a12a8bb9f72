import { findBaseBranch } from '../../github/repository-files.ts';
import type { RequestOf } from '../../types/action-run.ts';
import { isUserError } from '../../types/errors.ts';
import type { ActionSession } from '../action-session.ts';

/**
 * Returns the request with the base branch of its pull request as it is now. The event names a commit that may be weeks old, and a run
 * that is run again keeps its event: it would measure by rules that the branch no longer has. The event's commit holds, with a warning,
 * when GitHub does not tell; without a token it holds as it is. Requests about no pull request stay as they are.
 */
export async function takeFreshTip(
	{ github, runner, warnings }: Pick<ActionSession, 'github' | 'runner' | 'warnings'>,
	request: RequestOf<'compare'>,
): Promise<RequestOf<'compare'>> {
	const { base, pullRequest } = request;
	if (github === null || pullRequest === null) return request;
	const keepOld = (why: string): RequestOf<'compare'> => {
		const message = `${why} The base branch is taken at ${pullRequest.baseSha.slice(0, 7)}, as the event names it, which may be old.`;
		warnings.push({ code: 'base-tip-unknown', message });
		return request;
	};
	try {
		const branch = await findBaseBranch(github, runner.repository, pullRequest.number);
		if (branch === null) return keepOld('The pull request is closed, or its base branch is gone.');
		return { ...request, baseTip: branch.sha, base: base.kind === 'merge-base' ? { ...base, with: branch.sha } : base };
	} catch (error) {
		if (!isUserError(error)) throw error;
		return keepOld(`${error.message} ${error.remedy ?? ''}`.trim());
	}
}
