/** A writer in a process of its own: `one-writer.ts URL CACHE INDEX` stores the record of that index. */
import { branchStore } from '../../src/store/branch-store.ts';
import { syntheticRecords } from '../support/records.ts';

const [url = '', cacheFolder = '', index = '0'] = process.argv.slice(2);
const records = syntheticRecords({ seed: 11, commits: 58, cells: 6 });
const store = branchStore(
	{
		url,
		name: 'origin',
		cacheFolder,
		environment: { PATH: process.env.PATH, HOME: cacheFolder },
		janitor: { guardDirectory: () => () => {} },
	},
	{
		branch: 'benchgate',
		folder: 'baselines',
		author: { name: 'benchgate', email: 'benchgate@example.org' },
		patience: 280,
	},
);
const { kind } = await store.append(records.slice(Number(index), Number(index) + 1));
process.exitCode = kind === 'stored' ? 0 : 1;
