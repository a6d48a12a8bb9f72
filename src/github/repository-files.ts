import type { Repository } from '../types/action-run.ts';
import { type Attempt, statusOf, userErrorOf } from './api-failure.ts';
import type { GitHub } from './github-client.ts';

/** Files of a pull request that GitHub lists at most; beyond, nobody can see them all. */
const MOST_FILES = 3_000;

/** A branch as it is now. */
export interface Branch {
	readonly name: string;
	/** Its newest commit. */
	readonly sha: string;
}

/** Files that a pull request changes. */
export interface ChangedFiles {
	/** Paths before and after; in the order of the API. */
	readonly paths: readonly string[];
	/** False when there are more than GitHub tells of. */
	readonly complete: boolean;
}

/**
 * Returns the branch that an open pull request is to be merged into, as it is now; null when that branch is gone. The sha that
 * the pull request itself names may be weeks old. Throws a UserError when GitHub does not tell.
 */
export async function findBaseBranch(github: GitHub, repository: Repository, number: number): Promise<Branch | null> {
	try {
		const { data } = await github.rest.pulls.get({ ...repository, pull_number: number });
		return await findBranch(github, repository, data.base.ref);
	} catch (error) {
		throw userErrorOf(error, readsPull(`find the base branch of #${number}`));
	}
}

/** Returns the branch of that name; null when there is none. Throws a UserError when GitHub does not tell. */
export async function findBranch(github: GitHub, repository: Repository, name: string): Promise<Branch | null> {
	try {
		const { data } = await github.rest.git.getRef({ ...repository, ref: `heads/${name}` });
		return { name, sha: data.object.sha };
	} catch (error) {
		if (statusOf(error) === 404) return null;
		throw userErrorOf(error, readsContents('find the base branch'));
	}
}

/**
 * Returns the text of a plain file as a commit has it; null when the commit has no such file, or a folder, a link or more than
 * a megabyte in its place. Throws a UserError when GitHub does not tell.
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

/** Returns the files a pull request changes, both names of those it moves. Throws a UserError when GitHub does not tell. */
export async function listChangedFiles(github: GitHub, repository: Repository, number: number): Promise<ChangedFiles> {
	try {
		const files = await github.paginate(github.rest.pulls.listFiles, {
			...repository,
			pull_number: number,
			per_page: 100,
		});
		const paths = files.flatMap(({ filename, previous_filename: before }) => [filename, ...(before ? [before] : [])]);
		return { paths, complete: files.length < MOST_FILES };
	} catch (error) {
		throw userErrorOf(error, readsPull(`list the files of #${number}`));
	}
}

function readsPull(what: string): Attempt {
	return { what, needs: { 'pull-requests': 'read' } };
}

function readsContents(what: string): Attempt {
	return { what, needs: { contents: 'read' } };
}
