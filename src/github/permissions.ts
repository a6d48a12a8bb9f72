/** Queries write access to a repository. */
import { plainText } from '../text/escape.ts';
import type { Repository } from '../types/action-run.ts';
import { isUserError } from '../types/errors.ts';
import type { Warning } from '../types/units.ts';
import { statusOf } from './api-failure.ts';
import type { GitHub } from './github-client.ts';

const LOGIN_LIMIT = 60;

/** Managed accounts have an underscore before their enterprise. */
const LOGIN = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/;

/**
 * Returns `unknown` when the call fails. Apps (`…[bot]`) never count: anyone who can trigger an app could decide in its
 * name.
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
		// The account does not exist.
		if (statusOf(error) === 404) return false;
		if (statusOf(error) === null && !isUserError(error)) throw error;
		return 'unknown';
	}
}

/** Returns the rest of a sentence, or null if the person may accept. */
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
		? 'does not count: GitHub does not report whether they have write access.'
		: 'does not count: they have no write access to this repository.';
}

export function ignored(message: string): Warning {
	return { code: 'acceptance-ignored', message };
}

export function nameOf(login: string | null): string {
	return login === null ? 'someone' : plainText(login, LOGIN_LIMIT);
}
