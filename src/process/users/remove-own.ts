/** Removes what another user left in a folder. */
import { rm } from 'node:fs/promises';
import { runPlain } from './run-as-root.ts';

/** Without following a link, each before what is in it is looked at. */
const OPEN_FOLDERS = ['-type', 'd', '!', '-perm', '-0700', '-exec', 'chmod', 'u+rwx', '{}', ';'];

/**
 * Removes a folder that is all our user's, also where foreign code that ran as our user has closed folders in it. Rejects when
 * something in it is somebody else's.
 */
export async function removeOwn(folder: string): Promise<void> {
	const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 3 });
	try {
		await remove();
	} catch {
		await runPlain(['find', folder, ...OPEN_FOLDERS]).catch(() => {});
		await remove();
	}
}
