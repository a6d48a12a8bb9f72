import { posix } from 'node:path';
import { guessSubjectName } from '../../config/load-request.ts';
import { parseManifest } from '../../prepare/package/manifest.ts';
import { isUserError } from '../../types/errors.ts';
import { fetchCommits, isHere } from '../commits/fetch-commits.ts';
import { ask, type GitAccess } from '../commits/git-access.ts';

/**
 * Returns the name of the package under test, which chooses the built-in servers when none is named: as the tip of the base
 * branch calls it, because head could choose others by another name; else as `guessSubjectName` does.
 *
 * @param tip Full hash; null where the change is not to be merged into any branch.
 */
export async function findSubjectName(
	access: GitAccess,
	tip: string | null,
	head: string,
	subject: string,
): Promise<string | undefined> {
	const name = tip === null || head.startsWith('npm:') ? undefined : await nameAt(access, tip, subject);
	return name ?? guessSubjectName(access.workspace, head, subject);
}

async function nameAt(access: GitAccess, tip: string, subject: string): Promise<string | undefined> {
	if (!(await isHere(access, tip))) await fetchCommits([{ sha: tip, side: 'base' }], access);
	const path = posix.join(subject, 'package.json');
	const text = await ask(access, 'cat-file', 'blob', `${tip}:./${path}`);
	if (text === null) return undefined;
	try {
		const name: unknown = parseManifest(text, path).name;
		return typeof name === 'string' ? name : undefined;
	} catch (error) {
		if (isUserError(error)) return undefined;
		throw error;
	}
}
