import { findEarlierRuns, findRunsOfSameFiles } from '../../github/check-run.ts';
import { compareRuns } from '../../github/comment-marker.ts';
import type { GitHub } from '../../github/github-client.ts';
import type { MeasuredRun, RunIdentity } from '../../types/action-run.ts';
import type { Warning } from '../../types/units.ts';
import type { ActionSession, Place } from '../action-session.ts';

const NAMED = 3;

/**
 * Returns a warning with the results of earlier runs, if the token can read checks.
 *
 * @param run The measuring run.
 * @param branch Branch whose other commits may have the same files; only for tokens that can read runs.
 */
export async function tellEarlierRuns(
	{ github, inputs, runner }: Pick<ActionSession, 'inputs' | 'runner'> & { readonly github: GitHub | null },
	{ headSha, pullRequest }: Pick<Place, 'headSha' | 'pullRequest'>,
	run: RunIdentity = runner.run,
	key: string = inputs.commentKey,
	branch: Pick<MeasuredRun, 'headBranch' | 'headRepository'> | null = null,
): Promise<readonly Warning[]> {
	// Outside pull requests, repeated runs are intended.
	if (github === null || pullRequest === null) return [];
	const place = { repository: runner.repository, headSha, key, run };
	const others = branch === null ? [] : await findRunsOfSameFiles(github, place, branch);
	const earlier = [...others, ...(await findEarlierRuns(github, place))].sort((a, b) => compareRuns(a.run, b.run));
	if (earlier.length === 0) return [];
	const endings = earlier.map(
		({ conclusion, title }, index) => `run ${index + 1} ended with ${conclusion}${title === '' ? '' : ` (${title})`}`,
	);
	const omittedCount = endings.length - NAMED;
	const more = omittedCount > 0 ? `${omittedCount} earlier, then ` : '';
	const what = others.length > 0 ? 'the files of this commit, some under other commits' : 'this commit';
	const message = `This is run ${earlier.length + 1} of ${what}; ${more}${endings.slice(-NAMED).join(', ')}. The error rates hold for the first run: one that is repeated until it is green proves nothing.`;
	return [{ code: 'measured-before', message }];
}
