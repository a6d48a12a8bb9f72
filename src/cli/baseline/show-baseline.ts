import type { BaselineRecord } from '../../types/baseline.ts';
import { EXIT, UserError } from '../../types/errors.ts';
import { renderBaseline } from './render-baselines.ts';
import { readStore, type StoreFlags } from './with-store.ts';

/** Prints all that is stored about one commit. */
export async function runBaselineShow(commit: string, flags: StoreFlags): Promise<number> {
	const { records } = await readStore(flags);
	process.stdout.write(`${renderBaseline(findCommit(records, commit))}\n`);
	return EXIT.passed;
}

/** Returns the records of the commit that a label or the beginning of a hash names. Throws UserError when none or several do. */
export function findCommit(records: readonly BaselineRecord[], name: string): readonly BaselineRecord[] {
	const found = records.filter(
		({ commit }) =>
			commit.label === name || (/^[0-9a-f]{4,}$/i.test(name) && commit.sha?.startsWith(name.toLowerCase())),
	);
	const commits = new Set(found.map(({ commit }) => commit.sha ?? commit.label));
	if (commits.size === 1) return found;
	throw new UserError({
		code: 'unknown-commit',
		where: name,
		message: commits.size === 0 ? 'there is no baseline of this commit' : `${commits.size} commits begin like this`,
		remedy:
			commits.size === 0
				? 'see what there is: benchgate baseline list'
				: `give more digits of one of ${[...commits].slice(0, 5).join(', ')}`,
	});
}
