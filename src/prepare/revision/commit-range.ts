import { UserError } from '../../types/errors.ts';
import type { ChildContext } from '../child.ts';
import { isInert } from '../content/inert.ts';
import { findRepository, runGit } from './git.ts';
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
 * Returns the commits after `good` up to `bad`. `folders` contain subject and servers. Throws a UserError if good is
 * not an ancestor of bad.
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
