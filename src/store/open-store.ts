/** The places a store can be in, and how one is opened. */
import { isAbsolute, join } from 'node:path';
import { UserError } from '../types/errors.ts';
import { branchStore } from './branch-store.ts';
import { folderStore } from './folder-store.ts';
import type { Store } from './store.ts';
import type { Remote } from './store-git.ts';

/** Folder of the records, on every branch. */
const STORE_FOLDER = 'baselines';

/** Where baselines are kept, as the user says it. */
export type StorePlace =
	| { readonly kind: 'branch'; readonly branch: string }
	| { readonly kind: 'folder'; readonly folder: string }
	/** A branch of its own that stands on the default branch: a pull request is made of it. */
	| { readonly kind: 'pull-request'; readonly branch: string };

const PULL_REQUEST_BRANCH = 'benchgate/baselines';
/** What git allows in the name of a branch, and a shell takes as it is. */
const BRANCH = /^(?!-)(?!.*(?:\.\.|\/\/|\/$|\.$|\.lock$))[A-Za-z0-9._/-]{1,200}$/;

/** Returns the place that a text names: `branch:NAME`, `dir:PATH` or `pull-request`; null when it names none. */
export function readStorePlace(text: string): StorePlace | null {
	if (text === 'pull-request') return { kind: 'pull-request', branch: PULL_REQUEST_BRANCH };
	const [, kind, rest = ''] = /^(branch|dir):(.+)$/s.exec(text) ?? [];
	if (kind === 'dir') return { kind: 'folder', folder: rest };
	return kind === 'branch' && isBranchName(rest) ? { kind: 'branch', branch: rest } : null;
}

/** Returns whether a text can be the name of a branch. */
export function isBranchName(text: string): boolean {
	return BRANCH.test(text);
}

export interface StoreContext extends Omit<Remote, 'url' | 'name'> {
	readonly place: StorePlace;
	/** Folder that a relative `dir:` starts from. */
	readonly cwd: string;
	/** Remote of a branch; null where the repository has none and there is no repository. */
	readonly remote: Pick<Remote, 'url' | 'name'> | null;
	/** Branch that a pull request would be merged into. */
	readonly defaultBranch: string | null;
	readonly author: { readonly name: string; readonly email: string };
}

/** Opens the store at a place. Throws UserError when it needs a repository and there is none. */
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
