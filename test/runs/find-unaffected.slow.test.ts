/** From two installed sides to the cells that a change cannot affect, with a real server. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openIsolation } from '../../src/isolation/open-isolation.ts';
import { findUnaffected } from '../../src/runs/find-unaffected.ts';
import { SIDES } from '../../src/types/units.ts';
import { LIBRARY, serverIn } from '../measure/probe/cover-fixture.ts';
import { configOf } from '../prepare/support.ts';
import { createBench } from '../support/servers/servers.ts';
import { FIXTURE_SCENARIO } from '../support/short-rounds.ts';

/** Compares the fixture with itself, after `change` of its library in head. */
async function compare(change: (library: string) => string, metrics: readonly 'memory-peak'[] = []) {
	await using scope = await createBench();
	const { folder, controller, janitor } = scope;
	await using isolation = await openIsolation({ wish: 'none', folder, needed: [], node: process.execPath, janitor });
	const [base, head] = SIDES.map((side) => ({
		...{ side, info: { revision: side, kind: 'dir' as const, label: side, versions: {} } },
		servers: { express: serverIn(join(folder, side), '', side === 'head' ? change(LIBRARY) : LIBRARY) },
	}));
	assert.ok(base && head);
	const config = configOf(['express']);
	const gate = metrics.length === 0 ? config.gate : { ...config.gate, metrics };
	const asked = {
		...{ config: { ...config, gate, scenarios: [FIXTURE_SCENARIO] }, revisions: { base: 'base', head: 'head' } },
		...{ cwd: folder, cacheFolder: folder, node: process.execPath, janitor, isolation, signal: controller.signal },
		progress: { step() {}, status() {} },
	};
	return await findUnaffected(asked, { sides: { base, head }, warnings: [], installs: 0 });
}

test('a change that no row runs affects none, and is named', async () => {
	const found = await compare((library) => library.replace('return 3', 'return 4'));
	assert.deepEqual([found.cells, found.affected], [['express/ping'], []]);
	assert.equal(found.uncovered, 'Changed but not exercised by any row: exports.never() (library/index.js:4).');
});

test('a change of what a request runs affects its row, with the number of calls', async () => {
	const found = await compare((library) => library.replace('return 2', 'return 4'));
	assert.deepEqual([found.cells, found.affected, found.uncovered], [[], ['express/ping'], null]);
	assert.deepEqual(
		found.warnings.map(({ code, message }) => [code, message]),
		[['affected', 'Measured because exports.perRequest() changed (library/index.js:3, 1.0× a request): express/ping.']],
	);
});

test('rows of memory are always measured', async () => {
	const { cells, affected } = await compare((library) => library.replace('return 3', 'return 4'), ['memory-peak']);
	assert.deepEqual([cells, affected], [[], ['express/ping']]);
});
