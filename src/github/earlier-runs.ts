import { plainText } from '../text/escape.ts';
import type { MeasuredRun, RunIdentity } from '../types/action-run.ts';
import { statusOf } from './api-failure.ts';
import { type CheckPlace, listChecks } from './check-run.ts';
import { compareRuns } from './comment-marker.ts';
import type { GitHub } from './github-client.ts';

export interface EarlierRun {
	readonly run: Pick<RunIdentity, 'id' | 'attempt'>;
	/** `success`, `failure`, `neutral`, … */
	readonly conclusion: string;
	/** One line of plain text. */
	readonly title: string;
}

const TITLE_LIMIT = 120;
/** Limited, because more commits with the same files are no coincidence. */
const MOST_COMMITS = 10;

/** Returns finished checks of earlier runs and attempts, oldest first; empty when the token cannot see checks. */
export async function findEarlierRuns(github: GitHub, place: CheckPlace): Promise<readonly EarlierRun[]> {
	try {
		return (await listChecks(github, place))
			.flatMap(({ run, conclusion, title }) =>
				// An interrupted run is no evidence.
				conclusion === null || conclusion === 'cancelled' || compareRuns(run, place.run) >= 0
					? []
					: [{ run, conclusion, title: plainText(title, TITLE_LIMIT) }],
			)
			.sort((a, b) => compareRuns(a.run, b.run));
	} catch (error) {
		if (statusOf(error) === null) throw error;
		return [];
	}
}

/**
 * Returns the checks of the branch's commits with the same files, such as amended ones, which measure one change
 * repeatedly. Empty when the token cannot see runs.
 */
export async function findRunsOfSameFiles(
	github: GitHub,
	place: CheckPlace,
	{ headBranch, headRepository }: Pick<MeasuredRun, 'headBranch' | 'headRepository'>,
): Promise<readonly EarlierRun[]> {
	try {
		const request = { ...place.repository, branch: headBranch, event: 'pull_request', per_page: 100 };
		const { data } = await github.rest.actions.listWorkflowRunsForRepo(request);
		const headRuns = data.workflow_runs.filter(
			({ head_repository: from }) => from?.full_name?.toLowerCase() === headRepository.toLowerCase(),
		);
		const files = headRuns.find(({ head_sha: sha }) => sha === place.headSha)?.head_commit?.tree_id;
		const same = headRuns.filter(({ head_commit: commit }) => files !== undefined && commit?.tree_id === files);
		const others = new Set(same.map(({ head_sha: sha }) => sha).filter((sha) => sha !== place.headSha));
		const earlierRuns: EarlierRun[] = [];
		for (const headSha of [...others].slice(0, MOST_COMMITS))
			earlierRuns.push(...(await findEarlierRuns(github, { ...place, headSha })));
		return earlierRuns;
	} catch (error) {
		if (statusOf(error) === null) throw error;
		return [];
	}
}
