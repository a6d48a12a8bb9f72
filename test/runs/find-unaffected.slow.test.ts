/** From two installed sides to the cells that a change cannot affect, with a real server. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openIsolation } from '../../src/isolation/open-isolation.ts';
import { findUnaffected } from '../../src/runs/find-unaffected.ts';
import type { Isolation } from '../../src/types/isolation.ts';
import { SIDES } from '../../src/types/units.ts';
import { LIBRARY, serverIn } from '../measure/probe/cover-fixture.ts';
import { configOf } from '../prepare/support.ts';
import { type Bench, createBench } from '../support/servers/servers.ts';
import { FIXTURE_SCENARIO } from '../support/short-rounds.ts';

type Setting = {
	readonly metrics?: readonly 'memory-peak'[];
	/** The sides behave as if they could not write to our cache. */
	readonly apart?: true;
	readonly base?: string;
};

/** Compares the fixture with itself, after `change` of its library in head. Lists covered cells. */
async function compareIn(scope: Bench, change: (library: string) => string, setting: Setting = {}) {
	const { folder, controller, janitor } = scope;
	const { metrics, apart, base: library = LIBRARY } = setting;
	await using opened = await openIsolation({ wish: 'none', folder, needed: [], node: process.execPath, janitor });
	const isolation: Isolation = apart ? { ...opened, level: 'users', readOnly: true } : opened;
	const [base, head] = SIDES.map((side) => ({
		...{ side, info: { revision: side, kind: 'dir' as const, label: side, versions: {} } },
		servers: { express: serverIn(join(folder, side), '', side === 'head' ? change(library) : library) },
	}));
	assert.ok(base && head);
	const config = { ...configOf(['express']), warmupSeconds: 0.1 };
	const gate = metrics === undefined ? config.gate : { ...config.gate, metrics };
	const covered: string[] = [];
	const request = {
		...{ config: { ...config, gate, scenarios: [FIXTURE_SCENARIO] }, revisions: { base: 'base', head: 'head' } },
		...{ cwd: folder, cacheFolder: folder, node: process.execPath, janitor, isolation, signal: controller.signal },
		progress: { step() {}, status: (text: string) => void covered.push(text) },
	};
	const impact = await findUnaffected(request, { sides: { base, head }, warnings: [], installs: 0 });
	assert.ok(impact);
	return { ...impact, covered: covered.length };
}

async function compare(change: (library: string) => string, setting?: Setting) {
	await using scope = await createBench();
	return await compareIn(scope, change, setting);
}

const never = (library: string) => library.replace('return 3', 'return 4');

test('a change that no row runs affects none, and is named', async () => {
	const { unaffected, because, changed } = await compare(never);
	assert.deepEqual([unaffected, because], [['express/ping'], {}]);
	const change = { kind: 'function', name: 'exports.never', path: 'node_modules/library/index.js', line: 4 };
	const changes = [{ ...change, side: 'head', cells: [] }];
	assert.deepEqual(changed, { changes, omitted: 0, notExercised: 1 });
});

test('a change of code that a request runs affects its row, with the number of calls', async () => {
	const change = (library: string) => library.replace('return 2', 'return 4');
	const { unaffected, because, changed, covered } = await compare(change);
	// A short load suffices.
	assert.deepEqual([unaffected, changed.notExercised, covered], [[], 0, 1]);
	const why = because['express/ping'];
	assert.ok(why?.kind === 'code');
	assert.deepEqual([why.change.name, why.callsPerRequest], ['exports.perRequest', 1]);
});

test('rows of memory are always measured', async () => {
	const { unaffected, because, changed } = await compare(never, { metrics: ['memory-peak'] });
	assert.deepEqual([unaffected, because], [[], { 'express/ping': { kind: 'always', always: 'metric' } }]);
	assert.equal(changed.notExercised, null);
});

test('coverage is kept between runs, until base changes', async () => {
	await using scope = await createBench();
	const run = async (base = LIBRARY) => {
		const { unaffected, covered } = await compareIn(scope, never, { apart: true, base });
		return [unaffected, covered];
	};
	assert.deepEqual(await run(), [['express/ping'], 2]);
	assert.deepEqual(await run(), [['express/ping'], 0]);
	assert.deepEqual(await run(LIBRARY.replace('return 1', 'return 5')), [['express/ping'], 2]);
});

test('no coverage is kept if head can write to the cache', async () => {
	await using scope = await createBench();
	assert.equal((await compareIn(scope, never)).covered, 2);
	assert.equal((await compareIn(scope, never)).covered, 2);
	assert.equal((await compareIn(scope, never, { apart: true })).covered, 2);
});
