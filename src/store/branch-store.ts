import { UserError } from '../types/errors.ts';
import { appendToBranch } from './append-to-branch.ts';
import { commitTree } from './commit-tree.ts';
import { listFiles, readBranch } from './read-branch.ts';
import type { BranchOptions, Store } from './store.ts';
import { fetchTip, listBranches, openPrivateRepository, push, type Remote } from './store-git.ts';

const TRIES = 5;

/** Never touches the user's checkout, index or branches. */
export function branchStore(remote: Remote, options: BranchOptions): Store {
	return {
		name: `branch ${options.branch} of ${remote.name}`,
		read: (wanted) => readBranch(remote, options, wanted),
		append: (records) => appendToBranch(remote, options, records),
		remove: (paths) => removeFromBranch(remote, options, paths),
	};
}

/** In one commit; history keeps them. Missing files are ignored. */
async function removeFromBranch(remote: Remote, options: BranchOptions, paths: readonly string[]): Promise<void> {
	let gitOutput = '';
	for (let tries = 1; tries <= TRIES; tries++) {
		await using repository = await openPrivateRepository(remote);
		const { branch, folder } = options;
		if (!(await listBranches(repository, remote, [branch])).has(branch)) return;
		if (!(await fetchTip(repository, branch, 'names'))) continue;
		const wanted = new Set(paths);
		const there = (await listFiles(repository, branch, folder)).filter(({ path }) => wanted.has(path));
		if (there.length === 0) return;
		const removed = there.map(({ path }) => `${folder}/${path}`);
		const message = `Remove ${removed.length === 1 ? 'a baseline' : `${removed.length} baselines`}\n`;
		const commit = await commitTree(repository, {
			parent: branch,
			message,
			author: options.author,
			added: [],
			removed,
		});
		const { ok, stdout, stderr } = await push(repository, { [branch]: commit });
		if (ok) return;
		gitOutput = `${stdout}\n${stderr}`.trim();
	}
	throw new UserError({
		code: 'store-refused',
		where: `branch ${options.branch} of ${remote.name}`,
		message: 'the baselines could not be removed',
		remedy: 'run the command again; a protected branch takes no push',
		details: gitOutput,
	});
}
