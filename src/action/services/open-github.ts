import type { GitHub } from '../../github/github-client.ts';
import type { RunnerContext } from '../../types/action-run.ts';
import type { ActionInputs } from '../request/inputs.ts';

/**
 * Returns the API client, or null without a token. GitHub's toolkit reads the event file when it is imported, so import
 * it only after `readRunner` has checked the file.
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
