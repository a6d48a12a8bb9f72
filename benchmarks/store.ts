/**
 * The cost of the store: `node benchmarks/store.ts [RECORDS]`. Fifty writers at once on a real git server on loopback,
 * the size of a record in a packed repository, and the time to read 10,000 records from a branch and from a folder, and
 * to make their dashboard.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import type { TestContext } from 'node:test';
import { renderBaselineList } from '../src/cli/baseline/render-baselines.ts';
import { siteFiles } from '../src/site/site-files.ts';
import { branchStore } from '../src/store/branch-store.ts';
import { folderStore } from '../src/store/folder-store.ts';
import type { Store } from '../src/store/store.ts';
import { trendOf } from '../src/trend/trend-of.ts';
import { startGitServer } from '../test/store/git-server.ts';
import { WRITER_OPTIONS } from '../test/store/one-writer.ts';
import { runWriters } from '../test/store/run-writers.ts';
import { syntheticRecords } from '../test/support/baselines/records.ts';

const WRITERS = 50;
const CELLS = 6;
const RECORDS = Number(process.argv[2] ?? 10_000);
const ends: (() => unknown)[] = [];
// The server uses only `after` of a test.
const t = { after: (end: () => unknown) => void ends.push(end) } as unknown as TestContext;

try {
	const crowded = await startGitServer(t);
	const { writers, seconds } = await runWriters(crowded, WRITERS, 0);
	const tries = writers.map((writer) => writer.tries ?? Number.NaN);
	const pushes = tries.reduce((sum, one) => sum + one, 0);
	say(`${WRITERS} writers`, `${seconds.toFixed(1)} s, ${pushes} tries, at most ${Math.max(...tries)} of one`);

	const records = syntheticRecords({ seed: 2, commits: RECORDS, cells: CELLS, eras: 1 });
	const server = await startGitServer(t);
	const store = branchStore(server.remote, WRITER_OPTIONS);
	await timed(`store ${RECORDS} records`, () => store.append(records.slice(0, -100)));
	const before = packedBytes(server.folder);
	for (const record of records.slice(-100, -50)) await store.append([record]);
	const each = (packedBytes(server.folder) - before) / 50;
	say('a record adds', `${(each / 1000).toFixed(1)} KB, packed`);
	await store.append(records.slice(-50));

	const read = await timed(`read ${RECORDS} records from a branch`, () => store.read());
	const list = async (from: Store) => {
		const { records: newest, older = 0 } = await from.read({ newest: 30 });
		return renderBaselineList(newest, older);
	};
	await timed('list the latest 30 from a branch', () => list(store));
	const folder = mkdtempSync(join(tmpdir(), 'benchgate-store-'));
	ends.push(() => rmSync(folder, { recursive: true, force: true }));
	await folderStore(folder).append(records);
	await timed(`read ${RECORDS} records from a folder`, () => folderStore(folder).read());
	await timed('list the latest 30 from a folder', () => list(folderStore(folder)));
	const info = { project: 'o/r', repository: null, measuredAt: null };
	await timed(`dashboard of ${RECORDS} records`, async () =>
		siteFiles(trendOf(read.records), info, { script: '', style: '' }),
	);
} finally {
	for (const end of ends.reverse()) await end();
}

async function timed<T>(name: string, work: () => Promise<T>): Promise<T> {
	const [began, used] = [performance.now(), process.cpuUsage()];
	const result = await work();
	const { user, system } = process.cpuUsage(used);
	say(name, `${((performance.now() - began) / 1000).toFixed(2)} s, ${((user + system) / 1e6).toFixed(2)} s of CPU`);
	return result;
}

function packedBytes(folder: string): number {
	execFileSync('git', ['-C', folder, 'gc', '--quiet', '--prune=now']);
	const output = execFileSync('git', ['-C', folder, 'count-objects', '-v'], { encoding: 'utf8' });
	return 1024 * Number(/size-pack: (\d+)/.exec(output)?.[1]);
}

function say(label: string, figure: string): void {
	process.stdout.write(`${label}: ${figure}\n`);
}
