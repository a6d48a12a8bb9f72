import { endLeftBehind } from '../../process/processes.ts';
import type { ActionSession } from '../action-session.ts';

/**
 * Ends every process of the code under test that is still alive, so that nobody can read the environment of what is started
 * next, or change files behind our back. Usually there is none, and it takes a few milliseconds.
 */
export async function endForeignCode({ janitor }: Pick<ActionSession, 'janitor'>): Promise<void> {
	await endLeftBehind(`${janitor.marker.name}=${janitor.marker.value}`);
}
