import { writeFile } from 'node:fs/promises';
import type { PrivateRepository } from './store-git.ts';

/** Text, or an existing object. */
export type NewFile = { readonly path: string } & ({ readonly text: string } | { readonly blob: string });

export interface NewCommit {
	/** A fetched branch; null for a first commit. */
	readonly parent: string | null;
	readonly message: string;
	readonly author: { readonly name: string; readonly email: string };
	readonly added: readonly NewFile[];
	readonly removed?: readonly string[];
}

/** Commits without a work tree and without the content of other files. Returns the hash. */
export async function commitTree(repository: PrivateRepository, commit: NewCommit): Promise<string> {
	const { parent, author, message, added, removed = [] } = commit;
	const environment = {
		GIT_INDEX_FILE: repository.path('private-index'),
		GIT_AUTHOR_NAME: author.name,
		GIT_AUTHOR_EMAIL: author.email,
		GIT_COMMITTER_NAME: author.name,
		GIT_COMMITTER_EMAIL: author.email,
	};
	const tip = parent === null ? null : `refs/tips/${parent}`;
	await repository.must(['read-tree', ...(tip === null ? ['--empty'] : [tip])], { environment });
	const lines = (await blobsOf(repository, added)).map((blob, at) => `100644 ${blob}\t${added[at]?.path}`);
	for (const path of removed) lines.push(`0 ${'0'.repeat(40)}\t${path}`);
	await repository.must(['update-index', '-z', '--index-info'], {
		environment,
		input: lines.map((line) => `${line}\0`).join(''),
	});
	// The parent's files were not fetched, but their hashes are enough.
	const tree = (await repository.must(['write-tree', '--missing-ok'], { environment })).trim();
	const parents = tip === null ? [] : ['-p', tip];
	return (await repository.must(['commit-tree', tree, ...parents], { environment, input: message })).trim();
}

/** One process for all files, because a dashboard has a file for each row. */
async function blobsOf(repository: PrivateRepository, files: readonly NewFile[]): Promise<string[]> {
	const fresh = files.flatMap((file) => ('text' in file ? [file] : []));
	for (const [at, { text }] of fresh.entries()) await writeFile(pathOf(repository, at), text);
	const paths = fresh.map((_, at) => `${pathOf(repository, at)}\n`).join('');
	const args = ['hash-object', '-w', '--no-filters', '--stdin-paths'];
	const hashes = fresh.length === 0 ? [] : (await repository.must(args, { input: paths })).trim().split('\n');
	return files.map((file) => ('blob' in file ? file.blob : (hashes.shift() ?? '')));
}

function pathOf(repository: PrivateRepository, at: number): string {
	return repository.path(`new-file-${at}`);
}
