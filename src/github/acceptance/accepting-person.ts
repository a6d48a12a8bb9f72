import { plainText } from '../../text/escape.ts';
import type { Repository } from '../../types/action-run.ts';
import type { Warning } from '../../types/units.ts';
import type { GitHub } from '../github-client.ts';
import { hasWriteAccess } from '../permissions.ts';

const LOGIN_LIMIT = 60;

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
