import type { Repository } from '../types/action-run.ts';
import { statusOf, userErrorOf } from './api-failure.ts';
import type { GitHub } from './github-client.ts';

/**
 * Returns tag and commit of the latest release (no draft, no prerelease), null when there is none with a tag. Throws a UserError
 * when GitHub does not tell.
 */
export async function findLatestRelease(
	github: GitHub,
	repository: Repository,
): Promise<{ readonly tag: string; readonly sha: string } | null> {
	try {
		const { data: release } = await github.rest.repos.getLatestRelease({ ...repository });
		const tag = release.tag_name;
		// By tag alone: a branch may have the same name. Annotated tags are followed to their commit.
		const { data: commit } = await github.rest.repos.getCommit({ ...repository, ref: `tags/${tag}`, per_page: 1 });
		return { tag, sha: commit.sha };
	} catch (error) {
		// 422: the release is there, its tag is gone.
		if ([404, 422].includes(statusOf(error) ?? 0)) return null;
		throw userErrorOf(error, { what: 'look for the latest release', needs: {} });
	}
}
