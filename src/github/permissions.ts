/** Who may write to a repository. */
import type { Repository } from '../types/action-run.ts';
import { isUserError } from '../types/errors.ts';
import { statusOf } from './api-failure.ts';
import type { GitHub } from './github-client.ts';

/** Letters, digits and hyphens; managed accounts carry their enterprise after an underscore. */
const LOGIN = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/;

/**
 * Returns whether the person may write to the repository, `unknown` when GitHub does not tell. Apps (`…[bot]`) never count:
 * whoever can make one act would decide in its name.
 */
export async function hasWriteAccess(
	github: GitHub,
	repository: Repository,
	login: string,
): Promise<true | false | 'unknown'> {
	if (!LOGIN.test(login)) return false;
	try {
		const { data } = await github.rest.repos.getCollaboratorPermissionLevel({ ...repository, username: login });
		return ['admin', 'write'].includes(data.permission) || data.role_name === 'maintain';
	} catch (error) {
		// No such account (any more).
		if (statusOf(error) === 404) return false;
		if (statusOf(error) === null && !isUserError(error)) throw error;
		return 'unknown';
	}
}
