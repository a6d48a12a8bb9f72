/**
 * A writer in its own process: `one-writer URL CACHE INDEX` stores the record of that index, and prints its number of
 * tries.
 */
import { branchStore } from '../../src/store/branch-store.ts';
import type { BranchOptions } from '../../src/store/store.ts';
import type { BaselineRecord } from '../../src/types/baseline.ts';
import { syntheticRecords } from '../support/baselines/records.ts';

export const WRITER_OPTIONS: BranchOptions = {
	branch: 'benchgate',
	folder: 'baselines',
	author: { name: 'benchgate', email: 'benchgate@example.org' },
	patience: 280,
};

/** Returns a record for each writer. */
export function recordsOfWriters(): readonly BaselineRecord[] {
	return syntheticRecords({ seed: 11, commits: 58, cells: 6 });
}

const [url, cacheFolder = '', index = '0'] = process.argv.slice(2);
if (url?.startsWith('git://')) {
	const remote = {
		url,
		name: 'origin',
		cacheFolder,
		environment: { PATH: process.env.PATH, HOME: cacheFolder },
		janitor: { guardDirectory: () => () => {} },
	};
	const [record] = recordsOfWriters().slice(Number(index));
	const { kind, tries } = await branchStore(remote, WRITER_OPTIONS).append(record === undefined ? [] : [record]);
	process.stdout.write(`${tries}\n`);
	process.exitCode = kind === 'stored' ? 0 : 1;
}
