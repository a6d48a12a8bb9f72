import type { GitHub } from '../../github/github-client.ts';
import type { RunnerContext } from '../../types/action-run.ts';
import type { ActionInputs } from '../request/inputs.ts';

/**
 * Returns the client of the token; null without one. GitHub's toolkit reads the event file as soon as it is loaded, and throws
 * for one that is not JSON: it is loaded once `readRunner` has checked that file.
 */
export async function openGitHub(
	{ token }: ActionInputs,
	{ apiUrl }: RunnerContext,
	warn: (text: string) => void,
): Promise<GitHub | null> {
	if (token === '') return null;
	const { createClient } = await import('../../github/github-client.ts');
	return createClient({ token, apiUrl, warn });
}
