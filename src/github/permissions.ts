/** Who may write to a repository. */

import { plainText } from '../text/escape.ts';
import type { Repository } from '../types/action-run.ts';
import { isUserError } from '../types/errors.ts';
import type { Warning } from '../types/units.ts';
import { statusOf } from './api-failure.ts';
import type { GitHub } from './github-client.ts';

const LOGIN_LIMIT = 60;

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

/** Returns null when the person's word counts; otherwise the rest of a sentence that begins with what they did. */
export async function refusalOf(
	github: GitHub,
	repository: Repository,
	login: string | null,
	viaApp = false,
): Promise<string | null> {
	if (login === null) return 'does not count: GitHub no longer shows who it was.';
	const noApp = 'does not count: an app cannot accept, only people with write access can.';
	if (viaApp || login.endsWith('[bot]')) return noApp;
	const access = await hasWriteAccess(github, repository, login);
	if (access === true) return null;
	return access === 'unknown'
		? 'does not count: GitHub does not tell whether they have write access.'
		: 'does not count: they have no write access to this repository.';
}

/** Returns the warning of an acceptance that does not count. */
export function ignored(message: string): Warning {
	return { code: 'acceptance-ignored', message };
}

/** Returns a login as one harmless word. */
export function nameOf(login: string | null): string {
	return login === null ? 'somebody' : plainText(login, LOGIN_LIMIT);
}
