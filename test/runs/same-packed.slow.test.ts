/** A workspace in which an app changes and the packed framework does not, directly or through a dependency. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { gatherShards } from '../../src/judge/gather-shards.ts';
import { summarise } from '../../src/judge/summarise.ts';
import { planMatrix } from '../../src/runs/plan-shards.ts';
import { type RunOptions, runComparison } from '../../src/runs/run-comparison.ts';
import { runShard } from '../../src/runs/run-shard.ts';
import type { Config, CustomServer } from '../../src/types/config.ts';
import type { Raw } from '../../src/types/result.ts';
import { builtinScenario } from '../config/example-catalogue.ts';
import { commit, configOf, customServer, cutNetwork, type Files, makeFolder, openSetting } from '../prepare/support.ts';

const serving = (loads: string) =>
	`require('node:http').createServer((request, response) => response.end(require('${loads}'))).listen(process.env.PORT, process.env.HOST);`;

/** `core` is the subject, and runs with `util`; `bench` is a package with it, `site` runs in the checkout and loads `web`. */
const WORKSPACE: Files = {
	'package.json': { private: true, workspaces: ['packages/*'] },
	'packages/core/package.json': { name: 'core', version: '1.0.0', dependencies: { util: '1.0.0' } },
	'packages/core/index.js': `module.exports = require('util/');`,
	'packages/util/package.json': { name: 'util', version: '1.0.0' },
	'packages/util/index.js': `module.exports = 'pong';`,
	'packages/web/package.json': { name: 'web', version: '1.0.0' },
	'packages/web/index.js': `module.exports = 'pong';`,
	'site/server.js': serving('../packages/web'),
	'bench/package.json': { name: 'bench', private: true, dependencies: { core: 'file:../packages/core' } },
	'bench/package-lock.json': {
		name: 'bench',
		lockfileVersion: 3,
		requires: true,
		packages: {
			'': { name: 'bench', dependencies: { core: 'file:../packages/core' } },
			'../packages/core': { name: 'core', version: '1.0.0', dependencies: { util: '1.0.0' } },
			'node_modules/core': { resolved: '../packages/core', link: true },
		},
	},
	'bench/server.js': serving('core'),
};

const named = (name: string): CustomServer => ({ ...customServer(name), name });
const CONFIG: Config = {
	...configOf([named('bench'), named('site')]),
	subject: 'packages/core',
	harness: ['bench', 'site'],
	scenarios: [
		{
			...builtinScenario('ping'),
			origin: 'config',
			request: { ...builtinScenario('ping').request, path: '/ping' },
			expect: { status: [200] },
		},
	],
	rounds: 2,
	budgetSeconds: 1,
	warmupSeconds: 0.2,
};

async function optionsFor(t: TestContext): Promise<RunOptions> {
	cutNetwork(t);
	const cwd = makeFolder(t);
	commit(cwd, 'v1', WORKSPACE);
	commit(cwd, 'web', { 'packages/web/index.js': `module.exports = 'pong'; // changed` });
	commit(cwd, 'util', { 'packages/util/index.js': `module.exports = 'pong'; // changed` });
	const { context } = await openSetting(t, { cwd });
	const { cacheFolder, node, janitor, progress, signal } = context;
	return {
		...{ config: CONFIG, cwd, cacheFolder, node, janitor, progress, signal },
		revisions: { base: 'v1', head: 'web' },
		harnessFrom: 'git:v1',
		reproduce: 'benchgate compare',
		keep: async () => {},
	};
}

const loadedBy = ({ rounds }: Raw) => [...new Set(rounds.flatMap(({ cells }) => cells.map(({ cell }) => cell)))];
const verdictsOf = (raw: Raw) =>
	summarise(raw).cells.map(({ server, verdict }) => [server, verdict === 'same-code' ? verdict : 'measured']);

test('a server outside of the checkout is measured only if its packages pack to other files', async (t) => {
	const options = await optionsFor(t);
	const raw = await runComparison({ ...options, skipUnchanged: true });
	assert.ok('plan' in raw);
	assert.deepEqual(loadedBy(raw), ['site/ping']);
	assert.deepEqual(verdictsOf(raw), [
		['site', 'measured'],
		['bench', 'same-code'],
	]);
	assert.deepEqual(raw.context.head.versions.bench, raw.context.base.versions.bench);
	// Its dependencies are packed with it, and differ although its own files are equal.
	const other = await runComparison({ ...options, skipUnchanged: true, revisions: { base: 'v1', head: 'util' } });
	assert.ok('plan' in other);
	assert.deepEqual(loadedBy(other).sort(), ['bench/ping', 'site/ping']);
});

test('a shard finds equal packages by itself, and gathering knows them', async (t) => {
	const options = await optionsFor(t);
	const typed = { seed: '1' };
	const plan = await planMatrix({ ...options, count: 2, known: null, options: typed, skipUnchanged: true });
	const measured: Raw[] = [];
	for (const { index } of plan.shards) {
		measured.push(await runShard({ ...options, plan, shard: index, runId: '1', attempt: 1, skipUnchanged: false }));
	}
	assert.deepEqual(measured.flatMap(loadedBy), ['site/ping']);
	const gathered = gatherShards(
		plan,
		measured.map((raw, index) => ({ name: `${index}.json`, raw })),
	);
	assert.deepEqual(verdictsOf(gathered), [
		['site', 'measured'],
		['bench', 'same-code'],
	]);
	assert.deepEqual(
		gathered.shards?.map(({ state }) => state),
		['complete', 'complete'],
	);
});
