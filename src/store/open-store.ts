/** Places of a store. */
import { isAbsolute, join } from 'node:path';
import { UserError } from '../types/errors.ts';
import { branchStore } from './branch-store.ts';
import { folderStore } from './folder-store.ts';
import type { Store } from './store.ts';
import type { Remote } from './store-git.ts';

/** Folder that contains the records on every branch. */
const STORE_FOLDER = 'baselines';

export type StorePlace =
	| { readonly kind: 'branch'; readonly branch: string }
	| { readonly kind: 'folder'; readonly folder: string }
	| { readonly kind: 'pull-request'; readonly branch: string };

const PULL_REQUEST_BRANCH = 'benchgate/baselines';
/** Valid in git, and unquoted in a shell. */
const BRANCH = /^(?!-)(?!.*(?:\.\.|\/\/|\/$|\.$|\.lock$))[A-Za-z0-9._/-]{1,200}$/;

/** Parses `branch:NAME`, `dir:PATH` or `pull-request`. Returns null for other texts. */
export function readStorePlace(text: string): StorePlace | null {
	if (text === 'pull-request') return { kind: 'pull-request', branch: PULL_REQUEST_BRANCH };
	const [, kind, target = ''] = /^(branch|dir):(.+)$/s.exec(text) ?? [];
	if (kind === 'dir') return { kind: 'folder', folder: target };
	return kind === 'branch' && isBranchName(target) ? { kind: 'branch', branch: target } : null;
}

export function isBranchName(text: string): boolean {
	return BRANCH.test(text);
}

export interface StoreContext extends Omit<Remote, 'url' | 'name'> {
	readonly place: StorePlace;
	/** Folder to which a `dir:` path is relative. */
	readonly cwd: string;
	/** Null outside a repository. */
	readonly remote: Pick<Remote, 'url' | 'name'> | null;
	readonly defaultBranch: string | null;
	readonly author: { readonly name: string; readonly email: string };
}

export function openStore({ place, cwd, remote, defaultBranch, author, ...context }: StoreContext): Store {
	if (place.kind === 'folder') return folderStore(isAbsolute(place.folder) ? place.folder : join(cwd, place.folder));
	if (remote === null) {
		throw new UserError({
			code: 'no-repository',
			where: cwd,
			message: 'baselines are kept on a branch, and this folder is in no git repository',
			remedy: 'run it in the repository, or keep them in a folder: --store dir:baselines',
		});
	}
	const from = place.kind === 'pull-request' && defaultBranch !== null ? { from: defaultBranch } : {};
	return branchStore({ ...context, ...remote }, { branch: place.branch, folder: STORE_FOLDER, author, ...from });
}
