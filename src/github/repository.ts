/** Branches, files and changed files of a repository, by the API. */
import type { Repository } from '../types/action-run.ts';
import { isUserError } from '../types/errors.ts';
import { type Attempt, statusOf, userErrorOf } from './api-failure.ts';
import type { GitHub } from './github-client.ts';

/** Files of a pull request that GitHub lists at most; beyond, nobody can see them all. */
const MOST_FILES = 3_000;

/** Files of a comparison of two commits that GitHub lists at most. */
const MOST_COMPARED = 300;

/** A branch at one moment. */
export interface Branch {
	readonly name: string;
	/** Its newest commit then. */
	readonly sha: string;
}

/** Files that a pull request, or a group of them, changes. */
export interface ChangedFiles {
	/** Paths before and after; in the order of the API. */
	readonly paths: readonly string[];
	/** False when there are more than GitHub lists. */
	readonly complete: boolean;
}

/**
 * Returns the branch that an open pull request will be merged into, as it is now; null when that branch is gone or the pull
 * request closed. The sha that the pull request itself names may be weeks old. Throws a UserError when GitHub does not tell.
 */
export async function findBaseBranch(github: GitHub, repository: Repository, number: number): Promise<Branch | null> {
	try {
		const { data } = await github.rest.pulls.get({ ...repository, pull_number: number });
		return data.state === 'open' ? await findBranch(github, repository, data.base.ref) : null;
	} catch (error) {
		throw userErrorOf(error, readsPull(`find the base branch of #${number}`));
	}
}

/** Returns a branch as it is now; null when there is none of that name. Throws a UserError when GitHub does not tell. */
export async function findBranch(github: GitHub, repository: Repository, name: string): Promise<Branch | null> {
	try {
		const { data } = await github.rest.git.getRef({ ...repository, ref: `heads/${name}` });
		return { name, sha: data.object.sha };
	} catch (error) {
		if (statusOf(error) === 404) return null;
		throw userErrorOf(error, readsContents(`find the branch ${name}`));
	}
}

/**
 * Returns the text of a file as a commit has it, of the target where the path is a link to a file; null when the commit has no such
 * file, or a folder, another link or more than a megabyte in its place. Throws a UserError when GitHub does not tell.
 */
export async function readRepositoryFile(
	github: GitHub,
	repository: Repository,
	ref: string,
	path: string,
): Promise<string | null> {
	try {
		const { data } = await github.rest.repos.getContent({ ...repository, path, ref });
		if (Array.isArray(data) || data.type !== 'file' || data.encoding !== 'base64') return null;
		return Buffer.from(data.content, 'base64').toString('utf8');
	} catch (error) {
		if (statusOf(error) === 404) return null;
		throw userErrorOf(error, readsContents('read a file of the base branch'));
	}
}

/** Mode of a symbolic link in a tree: https://docs.github.com/en/rest/git/trees#get-a-tree */
const LINK = '120000';

/**
 * Returns a function that finds out whether a path of a commit leads through a symbolic link, is one, or is a folder with one directly
 * in it. The contents of files do not show that: GitHub gives those of the target. A tree that GitHub does not give in full counts as
 * if it had one. It throws a UserError when GitHub does not tell.
 */
export function linkFinder(github: GitHub, repository: Repository, sha: string): (path: string) => Promise<boolean> {
	const known = new Map<string, Promise<Tree>>();
	const list = (tree: string) => {
		const listing = known.get(tree) ?? readTree(github, repository, tree);
		known.set(tree, listing);
		return listing;
	};
	return async (path) => {
		let { entries, complete } = await list(sha);
		for (const name of path.split('/')) {
			if (!complete) return true;
			const named = entries.filter((one) => one.path.toLowerCase() === name.toLowerCase());
			if (named.some(({ mode }) => mode === LINK)) return true;
			const folder = named.find((one) => one.path === name) ?? named[0];
			if (folder?.type !== 'tree') return false;
			({ entries, complete } = await list(folder.sha));
		}
		return !complete || entries.some(({ mode }) => mode === LINK);
	};
}

interface Tree {
	readonly entries: readonly {
		readonly path: string;
		readonly mode: string;
		readonly type: string;
		readonly sha: string;
	}[];
	readonly complete: boolean;
}

async function readTree(github: GitHub, repository: Repository, tree: string): Promise<Tree> {
	try {
		const { data } = await github.rest.git.getTree({ ...repository, tree_sha: tree });
		return { entries: data.tree, complete: !data.truncated };
	} catch (error) {
		throw userErrorOf(error, readsContents('list a folder of the base branch'));
	}
}

/** Returns the files a pull request changes, both names of those it moves. Throws a UserError when GitHub does not tell. */
export async function listChangedFiles(github: GitHub, repository: Repository, number: number): Promise<ChangedFiles> {
	try {
		const files = await github.paginate(github.rest.pulls.listFiles, {
			...repository,
			pull_number: number,
			per_page: 100,
		});
		return { paths: pathsOf(files), complete: files.length < MOST_FILES };
	} catch (error) {
		throw userErrorOf(error, readsPull(`list the files of #${number}`));
	}
}

/**
 * Returns the files that differ between a commit and one that stands on it, both names of those that were moved. Throws a
 * UserError when GitHub does not tell.
 */
export async function listChangesBetween(
	github: GitHub,
	repository: Repository,
	base: string,
	head: string,
): Promise<ChangedFiles> {
	try {
		// All files are on the first page; the pages are of commits.
		const request = { ...repository, basehead: `${base}...${head}`, per_page: 1 };
		const { files = [] } = (await github.rest.repos.compareCommitsWithBasehead(request)).data;
		return { paths: pathsOf(files), complete: files.length < MOST_COMPARED };
	} catch (error) {
		throw userErrorOf(error, readsContents('list the files that differ between two commits'));
	}
}

function pathsOf(files: readonly { readonly filename: string; readonly previous_filename?: string }[]): string[] {
	return files.flatMap(({ filename, previous_filename: before }) => [filename, ...(before ? [before] : [])]);
}

function readsPull(what: string): Attempt {
	return { what, needs: { 'pull-requests': 'read' } };
}

function readsContents(what: string): Attempt {
	return { what, needs: { contents: 'read' } };
}

/**
 * Returns tag and commit of the latest release (no draft, no prerelease), null when there is none with a tag. Throws a UserError
 * when GitHub does not tell.
 */
export async function findLatestRelease(
	github: GitHub,
	repository: Repository,
): Promise<{ readonly tag: string; readonly sha: string } | null> {
	try {
		const { data: release } = await github.rest.repos.getLatestRelease({ ...repository });
		const tag = release.tag_name;
		// By tag alone: a branch may have the same name. Annotated tags are followed to their commit.
		const { data: commit } = await github.rest.repos.getCommit({ ...repository, ref: `tags/${tag}`, per_page: 1 });
		return { tag, sha: commit.sha };
	} catch (error) {
		// 422: the release is there, its tag is gone.
		if ([404, 422].includes(statusOf(error) ?? 0)) return null;
		throw userErrorOf(error, { what: 'look for the latest release', needs: {} });
	}
}

/**
 * Returns the sha of the newest common ancestor of two commits, null when they have none or when GitHub does not tell, for
 * whatever reason: git can always answer instead, given enough history.
 */
export async function findMergeBase(
	github: GitHub,
	repository: Repository,
	base: string,
	head: string,
): Promise<string | null> {
	try {
		const { data } = await github.rest.repos.compareCommitsWithBasehead({
			...repository,
			basehead: `${base}...${head}`,
			per_page: 1,
		});
		return data.merge_base_commit.sha;
	} catch (error) {
		if (statusOf(error) === null && !isUserError(error)) throw error;
		return null;
	}
}
