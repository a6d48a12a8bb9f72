/** What git says of a commit: title, author, date, place on its branch. */
import type { BaselineCommit } from '../../types/baseline.ts';
import type { Seconds } from '../../types/units.ts';
import type { ChildContext } from '../child.ts';
import { askGit } from './git.ts';
import { newestRelease, readTags, TAG_FORMAT, type Tag } from './release-tags.ts';

/** Longest title that is stored. */
const TITLE_LIMIT = 200;
/** End of the year 9999: a commit may say any second, and moments with longer years sort before all others. */
const LATEST: Seconds = 253_402_300_799;
/** Separates fields in what git prints; no field can contain it. */
const SEPARATOR = '%x00';
const FIELDS = ['%H', '%ct', '%an', '%s'].join(SEPARATOR);

/** Returns what the repository knows about the commit that `ref` names; null without such a commit. `label` is what reports call it. */
export async function describeCommit(
	context: ChildContext,
	cwd: string,
	ref: string,
	label?: string,
): Promise<BaselineCommit | null> {
	const told = await askGit(context, cwd, ['log', '-1', `--format=${FIELDS}`, '--end-of-options', `${ref}^{commit}`]);
	if (told === null) return null;
	const [sha = '', seconds = '', author = '', title = ''] = told.split('\0');
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

/** Returns the newest release tag in the history of `ref`, as `newestRelease` chooses; null without one. */
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
 * Returns whether a commit is in the history of the checkout, or of a branch or tag here. A host keeps the commits of forks beside them,
 * and gives them to whoever knows the hash. Where history is cut off nobody knows: then true.
 */
export async function isOfBranch(context: ChildContext, cwd: string, sha: string): Promise<boolean> {
	if ((await askGit(context, cwd, ['merge-base', '--is-ancestor', sha, 'HEAD'])) !== null) return true;
	const places = ['refs/heads', 'refs/tags', 'refs/remotes'];
	if (await askGit(context, cwd, ['for-each-ref', '--count=1', `--contains=${sha}`, ...places])) return true;
	return (await askGit(context, cwd, ['rev-parse', '--is-shallow-repository'])) === 'true';
}

/** Returns the branch that is checked out; null where none is. */
export function currentBranch(context: ChildContext, cwd: string): Promise<string | null> {
	return askGit(context, cwd, ['symbolic-ref', '--quiet', '--short', 'HEAD']);
}

/** Where history is cut off git hides parents from everything that walks, but the commit itself still names them. */
async function parentOf(context: ChildContext, cwd: string, sha: string): Promise<string | null> {
	const text = await askGit(context, cwd, ['cat-file', 'commit', sha]);
	return /^parent ([0-9a-f]+)$/m.exec(text?.split('\n\n')[0] ?? '')?.[1] ?? null;
}

/** Counting a history that was cut off would give another number in every clone. */
async function positionOf(context: ChildContext, cwd: string, sha: string): Promise<number | null> {
	if ((await askGit(context, cwd, ['rev-parse', '--is-shallow-repository'])) !== 'false') return null;
	const count = await askGit(context, cwd, ['rev-list', '--count', '--first-parent', sha]);
	return count === null ? null : Number(count) - 1;
}
