import type { Repository } from '../types/action-run.ts';
import { isUserError } from '../types/errors.ts';
import { statusOf } from './api-failure.ts';
import type { GitHub } from './github-client.ts';

/**
 * Returns the sha of the newest common ancestor of two commits, null when they have none or when GitHub does not tell, for
 * whatever reason: git can always answer instead, given enough history.
 */
export async function findMergeBase(
	github: GitHub,
	repository: Repository,
	base: string,
	head: string,
): Promise<string | null> {
	try {
		const { data } = await github.rest.repos.compareCommitsWithBasehead({
			...repository,
			basehead: `${base}...${head}`,
			per_page: 1,
		});
		return data.merge_base_commit.sha;
	} catch (error) {
		if (statusOf(error) === null && !isUserError(error)) throw error;
		return null;
	}
}
