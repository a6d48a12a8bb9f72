/** Reads facts about a commit. */
import type { BaselineCommit } from '../../types/baseline.ts';
import type { Seconds } from '../../types/units.ts';
import type { ChildContext } from '../child.ts';
import { askGit } from './git.ts';
import { newestRelease, readTags, TAG_FORMAT, type Tag } from './release-tags.ts';

/** Longest stored title (characters). */
const TITLE_LIMIT = 200;
/** End of the year 9999. A commit can claim any time, and longer years would sort first. */
const LATEST: Seconds = 253_402_300_799;
const SEPARATOR = '%x00';
const FIELDS = ['%H', '%ct', '%an', '%s'].join(SEPARATOR);

/** Returns facts about a commit; null if missing. `label` is for reports. */
export async function describeCommit(
	context: ChildContext,
	cwd: string,
	ref: string,
	label?: string,
): Promise<BaselineCommit | null> {
	const logOutput = await askGit(context, cwd, [
		'log',
		'-1',
		`--format=${FIELDS}`,
		'--end-of-options',
		`${ref}^{commit}`,
	]);
	if (logOutput === null) return null;
	const [sha = '', seconds = '', author = '', title = ''] = logOutput.split('\0');
	return {
		sha,
		label: label ?? sha.slice(0, 7),
		parent: await parentOf(context, cwd, sha),
		position: await positionOf(context, cwd, sha),
		committedAt: new Date(Math.min(Number(seconds), LATEST) * 1000).toISOString(),
		title: [...title].slice(0, TITLE_LIMIT).join(''),
		author: author || null,
	};
}

/** See `newestRelease`. */
export async function findReleaseTag(
	context: ChildContext,
	cwd: string,
	ref: string,
	name: string | undefined,
): Promise<Tag | null> {
	const listed = await askGit(context, cwd, ['for-each-ref', `--merged=${ref}`, `--format=${TAG_FORMAT}`, 'refs/tags']);
	return newestRelease(readTags(listed ?? ''), name);
}

/**
 * Returns whether a commit belongs to HEAD's history, or to a branch or tag here: hosts also serve commits of forks by
 * hash. True in a shallow clone.
 */
export async function isOfBranch(context: ChildContext, cwd: string, sha: string): Promise<boolean> {
	if ((await askGit(context, cwd, ['merge-base', '--is-ancestor', sha, 'HEAD'])) !== null) return true;
	const places = ['refs/heads', 'refs/tags', 'refs/remotes'];
	if (await askGit(context, cwd, ['for-each-ref', '--count=1', `--contains=${sha}`, ...places])) return true;
	return (await askGit(context, cwd, ['rev-parse', '--is-shallow-repository'])) === 'true';
}

/** Returns null if HEAD is detached. */
export function currentBranch(context: ChildContext, cwd: string): Promise<string | null> {
	return askGit(context, cwd, ['symbolic-ref', '--quiet', '--short', 'HEAD']);
}

/** Reads the commit object, because git hides parents in a shallow clone. */
async function parentOf(context: ChildContext, cwd: string, sha: string): Promise<string | null> {
	const text = await askGit(context, cwd, ['cat-file', 'commit', sha]);
	return /^parent ([0-9a-f]+)$/m.exec(text?.split('\n\n')[0] ?? '')?.[1] ?? null;
}

/** In a shallow clone, the count would depend on the depth. */
async function positionOf(context: ChildContext, cwd: string, sha: string): Promise<number | null> {
	if ((await askGit(context, cwd, ['rev-parse', '--is-shallow-repository'])) !== 'false') return null;
	const count = await askGit(context, cwd, ['rev-list', '--count', '--first-parent', sha]);
	return count === null ? null : Number(count) - 1;
}
