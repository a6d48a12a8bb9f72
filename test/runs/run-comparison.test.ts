import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { summarise } from '../../src/judge/summarise.ts';
import { type RunOptions, runComparison } from '../../src/runs/run-comparison.ts';
import type { Config, CustomServer } from '../../src/types/config.ts';
import { builtinScenario } from '../config/example-catalogue.ts';
import { commit, configOf, customServer, makeFolder, openSetting } from '../prepare/support.ts';

const PING: Config['scenarios'] = [{ ...builtinScenario('ping'), origin: 'config' }];

async function optionsFor(t: TestContext, config: Config): Promise<RunOptions> {
	const cwd = makeFolder(t);
	commit(cwd, 'v1', { 'server.js': '', 'README.md': '1' });
	commit(cwd, 'v2', { 'README.md': '2' });
	const { context } = await openSetting(t, { cwd });
	return {
		config,
		revisions: { base: 'v1', head: 'v2' },
		cwd,
		cacheFolder: context.cacheDir,
		node: context.node,
		reproduce: 'benchgate compare',
		janitor: context.janitor,
		progress: context.progress,
		signal: context.signal,
		labels: { base: 'main@1234567' },
		keep: async () => {},
	};
}

test('a change that touches no code is not measured when asked to skip it', async (t) => {
	const options = await optionsFor(t, { ...configOf([customServer('.')]), scenarios: PING });
	assert.deepEqual(await runComparison({ ...options, skipUnchanged: true }), {
		unchanged: true,
		base: { label: 'main@1234567' },
		head: { label: 'v2' },
	});
});

test('servers that only one config has are neither prepared nor measured, and are rows all the same', async (t) => {
	const named = (name: string): CustomServer => ({ ...customServer('nowhere'), name });
	const servers = [named('gone'), named('added')] as const;
	const options = await optionsFor(t, { ...configOf(servers), scenarios: PING });
	const raw = await runComparison({
		...options,
		skipUnchanged: false,
		sideConfigs: {
			base: [{ servers: [servers[0]], scenarios: PING }],
			head: [{ servers: [servers[1]], scenarios: PING }],
		},
	});
	const { cells, base } = summarise(raw);
	assert.deepEqual(
		cells.map(({ server, scenario, verdict }) => [server, scenario, verdict]),
		[
			['gone', 'ping', 'removed'],
			['added', 'ping', 'new'],
		],
	);
	assert.equal(base.label, 'main@1234567');
});
