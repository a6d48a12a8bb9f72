/**
 * Reads branches, files and changes of a repository. Functions throw a UserError when a call fails, except
 * `findMergeBase`.
 */
import type { Repository } from '../types/action-run.ts';
import type { ChangedLines, LineRange } from '../types/difference.ts';
import { isUserError } from '../types/errors.ts';
import { type Attempt, statusOf, userErrorOf } from './api-failure.ts';
import type { GitHub } from './github-client.ts';

/** GitHub's limit for a pull request. */
const MOST_FILES = 3_000;

/** GitHub's limit for a comparison. */
const MOST_COMPARED = 300;

export interface Branch {
	readonly name: string;
	readonly sha: string;
}

export interface ChangedFiles {
	/** Paths before and after, in the API's order. */
	readonly paths: readonly string[];
	/** Without files whose patch GitHub leaves out, as too long ones. */
	readonly lines: ChangedLines;
	/** False beyond GitHub's limit. */
	readonly complete: boolean;
}

/**
 * Returns the current base branch; null if it is gone or the pull request closed. The pull request's sha may be weeks
 * old.
 */
export async function findBaseBranch(github: GitHub, repository: Repository, number: number): Promise<Branch | null> {
	try {
		const { data } = await github.rest.pulls.get({ ...repository, pull_number: number });
		return data.state === 'open' ? await findBranch(github, repository, data.base.ref) : null;
	} catch (error) {
		throw userErrorOf(error, readsPull(`find the base branch of #${number}`));
	}
}

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
 * Returns the text of a file, or of a link's target; null if it is missing, a folder, another link, or over a megabyte.
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

/** Mode of a link: https://docs.github.com/en/rest/git/trees#get-a-tree */
const LINK = '120000';

/**
 * Whether a path of a commit is or crosses a symbolic link, whose target contents show, or is a folder with one
 * directly in it. A truncated tree counts.
 */
export function linkFinder(github: GitHub, repository: Repository, sha: string): (path: string) => Promise<boolean> {
	const trees = new Map<string, Promise<Tree>>();
	const list = (tree: string) => {
		const listing = trees.get(tree) ?? readTree(github, repository, tree);
		trees.set(tree, listing);
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

/** Returns mode and hash of each file; null if they are too many for GitHub. */
export async function listCommitFiles(
	github: GitHub,
	repository: Repository,
	sha: string,
): Promise<ReadonlyMap<string, string> | null> {
	try {
		const { data } = await github.rest.git.getTree({ ...repository, tree_sha: sha, recursive: '1' });
		const files = data.tree.filter(({ type }) => type !== 'tree');
		return data.truncated ? null : new Map(files.map((file) => [file.path, `${file.mode} ${file.sha}`]));
	} catch (error) {
		throw userErrorOf(error, readsContents('list the files of a commit'));
	}
}

/** Returns both names of moved files. */
export async function listChangedFiles(github: GitHub, repository: Repository, number: number): Promise<ChangedFiles> {
	try {
		const files = await github.paginate(github.rest.pulls.listFiles, {
			...repository,
			pull_number: number,
			per_page: 100,
		});
		return { ...changesOf(files), complete: files.length < MOST_FILES };
	} catch (error) {
		throw userErrorOf(error, readsPull(`list the files of #${number}`));
	}
}

/** Compares a commit with its descendant. Returns both names of moved files. */
export async function listChangesBetween(
	github: GitHub,
	repository: Repository,
	base: string,
	head: string,
): Promise<ChangedFiles> {
	try {
		// Only commits are split into pages. The first page has all files.
		const request = { ...repository, basehead: `${base}...${head}`, per_page: 1 };
		const { files = [] } = (await github.rest.repos.compareCommitsWithBasehead(request)).data;
		return { ...changesOf(files), complete: files.length < MOST_COMPARED };
	} catch (error) {
		throw userErrorOf(error, readsContents('list the files that differ between two commits'));
	}
}

interface ApiFile {
	readonly filename: string;
	readonly previous_filename?: string;
	readonly patch?: string;
}

function changesOf(files: readonly ApiFile[]): Pick<ChangedFiles, 'paths' | 'lines'> {
	return {
		paths: files.flatMap(({ filename, previous_filename: before }) => [filename, ...(before ? [before] : [])]),
		lines: new Map(
			files.flatMap(({ filename, patch }) => (patch === undefined ? [] : [[filename, readPatch(patch)] as const])),
		),
	};
}

function readsPull(what: string): Attempt {
	return { what, needs: { 'pull-requests': 'read' } };
}

function readsContents(what: string): Attempt {
	return { what, needs: { contents: 'read' } };
}

/** Returns the latest release (no draft or prerelease); null without a tag. */
export async function findLatestRelease(
	github: GitHub,
	repository: Repository,
): Promise<{ readonly tag: string; readonly sha: string } | null> {
	try {
		const { data: release } = await github.rest.repos.getLatestRelease({ ...repository });
		const tag = release.tag_name;
		// `tags/` excludes branches, and follows annotated tags to their commit.
		const { data: commit } = await github.rest.repos.getCommit({ ...repository, ref: `tags/${tag}`, per_page: 1 });
		return { tag, sha: commit.sha };
	} catch (error) {
		// 422: the release exists without its tag.
		if ([404, 422].includes(statusOf(error) ?? 0)) return null;
		throw userErrorOf(error, { what: 'look for the latest release', needs: {} });
	}
}

/** Returns null without a common ancestor, and after failed calls: git can find it given enough history. */
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

/** Returns the changed lines of a file's patch, as the API has it. */
export function readPatch(patch: string): readonly LineRange[] {
	const ranges: { first: number; last: number }[] = [];
	let line = 0;
	for (const text of patch.split('\n')) {
		const [, start] = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(text) ?? [];
		if (start !== undefined) line = Number(start);
		else if (text.startsWith('+') || text.startsWith('-')) {
			const range = ranges.at(-1);
			if (range && range.last >= line - 1) range.last = line;
			else ranges.push({ first: line, last: line });
		}
		if (start === undefined && /^[ +]/.test(text)) line++;
	}
	return ranges;
}
