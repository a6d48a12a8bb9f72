import type { GitHub } from '../../github/github-client.ts';
import type { RunnerContext } from '../../types/action-run.ts';
import type { ActionInputs } from '../request/inputs.ts';

/**
 * Returns the API client; null without a token. GitHub's toolkit reads the event file on load and throws if it is not
 * JSON, so it is imported only after `readRunner`'s check.
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
