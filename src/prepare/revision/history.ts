import type { BaselineCommit } from '../../types/baseline.ts';
import { UserError } from '../../types/errors.ts';
import type { Seconds } from '../../types/units.ts';
import type { ChildContext } from '../child.ts';
import { isInert } from '../content/reads.ts';
import { askGit, findRepository, runGit } from './git.ts';
import { newestRelease, readTags, TAG_FORMAT, type Tag } from './release-tags.ts';
import { type Commit, findCommit } from './resolve-ref.ts';
import { SUBMODULE } from './source.ts';

/** Title and author are untrusted text. */
export interface RangeCommit {
	readonly sha: string;
	/** ISO 8601. */
	readonly committedAt: string;
	readonly author: string;
	readonly title: string;
	/** Whether the commit changed only files that no server runs. */
	readonly inert: boolean;
}

export interface CommitRange {
	readonly good: Commit;
	/** The commits after good up to bad, in first-parent order. */
	readonly commits: readonly RangeCommit[];
}

const BEGIN = '%x01';
const FORMAT = `${BEGIN}%H%x00%cI%x00%an%x00%s`;
const LOG = ['log', '--first-parent', '--diff-merges=first-parent', '--reverse', '--no-renames', '--raw'];
/** A line of `--raw`: modes, hashes, status, tab, path. */
const CHANGE = /^:(\d+) (\d+) \S+ \S+ \w+\t(.+)$/;

/**
 * Returns the commits after `good` up to `bad`. `folders` contain subject and servers. Throws UserError if good is not
 * an ancestor of bad.
 */
export async function listRange(
	context: ChildContext,
	cwd: string,
	refs: { readonly good: string; readonly bad: string },
	folders: readonly string[],
): Promise<CommitRange> {
	const repository = await findRepository(context, cwd);
	if (repository === null) {
		throw new UserError({
			code: 'no-repository',
			where: cwd,
			message: 'this is not in a git repository, so there are no commits to search',
			remedy: 'run it inside the repository whose commits are meant',
		});
	}
	const good = await commitOf(context, repository, 'good', refs.good);
	const bad = await commitOf(context, repository, 'bad', refs.bad);
	const ancestor = await runGit(context, repository, ['merge-base', '--is-ancestor', good.sha, bad.sha]);
	if (!ancestor.succeeded || good.sha === bad.sha) {
		throw new UserError({
			code: 'bad-range',
			where: '--good',
			message: `${refs.good} is not an ancestor of ${refs.bad}, so no commit between them can be the first bad one`,
			remedy:
				'give an older commit as --good and a newer one of the same branch as --bad (a shallow clone: git fetch --unshallow)',
		});
	}
	const range = [`--format=${FORMAT}`, '--end-of-options', `${good.sha}..${bad.sha}`];
	const log = await runGit(context, repository, ['-c', 'core.quotePath=false', ...LOG, ...range]);
	if (!log.succeeded) {
		throw new UserError({
			code: 'unreadable-history',
			where: repository,
			message: `git cannot list the commits from ${refs.good} to ${refs.bad}: ${log.stderr.trim() || log.ending}`,
			remedy:
				'run git fsck; in a partial or shallow clone fetch the history: git fetch --refetch, git fetch --unshallow',
		});
	}
	return {
		good,
		commits: log.stdout
			.split('\x01')
			.slice(1)
			.map((entry) => readEntry(entry, folders)),
	};
}

async function commitOf(
	context: ChildContext,
	repository: string,
	which: 'good' | 'bad',
	ref: string,
): Promise<Commit> {
	const commit = await findCommit(context, repository, ref.replace(/^git:/, ''));
	if (commit !== null) return commit;
	throw new UserError({
		code: 'unknown-revision',
		where: `--${which}`,
		message: `"${ref}" is no commit, branch or tag of ${repository}`,
		remedy: 'give a commit, branch or tag; in a clone without history: git fetch --unshallow --tags',
	});
}

function readEntry(entry: string, folders: readonly string[]): RangeCommit {
	const [head = '', ...lines] = entry.split('\n');
	const [sha = '', committedAt = '', author = '', title = ''] = head.split('\0');
	const changes = lines.flatMap((line) => {
		const [, before, after, path = ''] = CHANGE.exec(line) ?? [];
		return path === '' ? [] : [{ path, isSubmodule: before === SUBMODULE || after === SUBMODULE }];
	});
	const inert = changes.every(({ path, isSubmodule }) => !isSubmodule && isInert(path, folders));
	return { sha, committedAt, author, title, inert };
}

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
 * Whether a commit belongs to HEAD's history, or to a branch or tag here: hosts also serve commits of forks by hash.
 * True in a shallow clone.
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
