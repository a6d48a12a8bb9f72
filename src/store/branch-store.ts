import { appendToBranch } from './append-to-branch.ts';
import { readBranch } from './read-branch.ts';
import { removeFromBranch } from './remove-from-branch.ts';
import type { BranchOptions, Store } from './store.ts';
import type { Remote } from './store-git.ts';

/** Returns the store on a branch of a git remote. The user's checkout, index and branches are never touched. */
export function branchStore(remote: Remote, options: BranchOptions): Store {
	return {
		name: `branch ${options.branch} of ${remote.name}`,
		read: (wanted) => readBranch(remote, options, wanted),
		append: (records) => appendToBranch(remote, options, records),
		remove: (paths) => removeFromBranch(remote, options, paths),
	};
}
