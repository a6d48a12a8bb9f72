import type { PrivateRepository } from './store-git.ts';

/** A file to add: its text, or the object that holds it already. */
export type NewFile = { readonly path: string } & ({ readonly text: string } | { readonly blob: string });

export interface NewCommit {
	/** Fetched branch it stands on; null to begin with nothing. */
	readonly parent: string | null;
	readonly message: string;
	readonly author: { readonly name: string; readonly email: string };
	readonly added: readonly NewFile[];
	readonly removed?: readonly string[];
}

/** Returns the hash of a commit that adds and removes files, made without a work tree and without what is in other files. */
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
	const lines: string[] = [];
	for (const file of added) {
		const blob = 'blob' in file ? file.blob : await hash(repository, file.text);
		lines.push(`100644 ${blob}\t${file.path}`);
	}
	for (const path of removed) lines.push(`0 ${'0'.repeat(40)}\t${path}`);
	await repository.must(['update-index', '-z', '--index-info'], {
		environment,
		input: lines.map((line) => `${line}\0`).join(''),
	});
	// What the parent's files hold was not fetched: their names are enough.
	const tree = (await repository.must(['write-tree', '--missing-ok'], { environment })).trim();
	const parents = tip === null ? [] : ['-p', tip];
	return (await repository.must(['commit-tree', tree, ...parents], { environment, input: message })).trim();
}

async function hash(repository: PrivateRepository, text: string): Promise<string> {
	return (await repository.must(['hash-object', '-w', '--stdin'], { input: text })).trim();
}
