import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { parseRaw, renderRaw } from '../../src/formats/raw/raw-file.ts';
import { summarise } from '../../src/judge/summarise.ts';
import { type RunOptions, runComparison } from '../../src/runs/run-comparison.ts';
import type { Config, CustomServer, Scenario } from '../../src/types/config.ts';
import { builtinScenario } from '../config/example-catalogue.ts';
import { commit, configOf, customServer, makeFolder, openSetting } from '../prepare/support.ts';

const PING: Config['scenarios'] = [
	{ ...builtinScenario('ping'), origin: 'config', load: { connections: 4, pipelining: 1 } },
];

async function optionsFor(t: TestContext, config: Config, server = ''): Promise<RunOptions> {
	const cwd = makeFolder(t);
	commit(cwd, 'v1', { 'server.js': server, 'README.md': '1' });
	commit(cwd, 'v2', { 'README.md': '2' });
	const { context } = await openSetting(t, { cwd });
	return {
		config,
		revisions: { base: 'v1', head: 'v2' },
		cwd,
		cacheFolder: context.cacheFolder,
		node: context.node,
		reproduce: 'benchgate compare',
		janitor: context.janitor,
		progress: context.progress,
		signal: context.signal,
		labels: { base: 'main@1234567' },
		keep: async () => {},
	};
}

test('a change that touches no code is not measured under `skipUnchanged`', async (t) => {
	const options = await optionsFor(t, { ...configOf([customServer('.')]), scenarios: PING });
	assert.deepEqual(await runComparison({ ...options, skipUnchanged: true }), {
		unchanged: true,
		base: { label: 'main@1234567' },
		head: { label: 'v2' },
	});
});

test('servers in one config only are neither prepared nor measured, and still have rows', async (t) => {
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

const SERVER = `require('node:http').createServer((request, response) => {
	// How fast it is decides nothing.
	setTimeout(() => response.writeHead(request.url === '/gone' ? 200 : 404).end(), 2);
}).listen(process.env.PORT, process.env.HOST);`;

test("both sides run the scenarios of base's config, whatever head's contains", async (t) => {
	const ping = PING[0] as Scenario;
	const gone: Scenario = { ...ping, name: 'gone', request: { ...ping.request, path: '/gone' } };
	const server = customServer('.');
	const options = await optionsFor(
		t,
		{ ...configOf([server]), scenarios: [...PING, gone], rounds: 2, budgetSeconds: 1, warmupSeconds: 0.2 },
		SERVER,
	);
	const base = { servers: [server], scenarios: [gone] };
	const steps: string[] = [];
	const raw = await runComparison({
		...options,
		progress: { step: (text) => void steps.push(text), status: () => {} },
		skipUnchanged: false,
		sideConfigs: { base: [base], head: [base, { servers: [server], scenarios: PING }] },
	});
	assert.deepEqual(
		raw.plan.cells.map(({ id }) => id),
		['api/gone'],
	);
	assert.deepEqual(
		raw.plan.oneSided.map(({ id, verdict }) => [id, verdict]),
		[['api/ping', 'new']],
	);
	assert.ok(steps.includes('Checking the answers of 1 cell on both sides'), steps.join('\n'));
	assert.deepEqual(raw.refused, []);
});

test('a server that neither side has yet refuses only its rows', async (t) => {
	const here = { ...customServer('.'), name: 'here' };
	const later = { ...customServer('later'), name: 'later' };
	const options = await optionsFor(t, { ...configOf([here, later]), scenarios: PING });
	const raw = await runComparison({
		...options,
		skipUnchanged: false,
		mergeBase: { servers: [here], scenarios: PING },
	});
	assert.deepEqual(
		raw.plan.cells.map(({ id, newerThanBase }) => [id, newerThanBase]),
		[
			['here/ping', undefined],
			['later/ping', true],
		],
	);
	// The server of this repository does nothing, so it is refused too, for another reason.
	const missing = raw.refused.filter(({ fault }) => fault.code === 'server-missing');
	assert.deepEqual(
		missing.map(({ cell, fault }) => [cell, fault.side]),
		[
			['later/ping', 'base'],
			['later/ping', 'head'],
		],
	);
	assert.ok(raw.refused.some(({ cell, fault }) => cell === 'here/ping' && fault.code !== 'server-missing'));
	assert.deepEqual(parseRaw(renderRaw(raw)), raw);
	const alone = { ...options, skipUnchanged: false as const };
	await assert.rejects(runComparison(alone), { code: 'no-folder' });
});

test('of a workspace only the servers are measured that read a changed input', async (t) => {
	const serverNamed = (name: string): CustomServer => ({
		...customServer(`packages/${name}`),
		name,
		reads: [`packages/${name}`],
	});
	const cwd = makeFolder(t);
	const served = SERVER.replaceAll('/gone', '/ping');
	commit(cwd, 'v1', {
		'package.json': { private: true, workspaces: ['packages/*'] },
		'packages/api/package.json': { name: 'api' },
		'packages/api/server.js': served,
		'packages/web/package.json': { name: 'web' },
		// It ends visibly if it is started.
		'packages/web/server.js': 'process.exit(7);',
	});
	commit(cwd, 'v2', { 'packages/api/server.js': `${served}// changed` });
	const ping = PING[0] as Scenario;
	const pingScenario: Scenario = { ...ping, request: { ...ping.request, path: '/ping' }, expect: { status: [200] } };
	const servers = [serverNamed('api'), serverNamed('web')];
	const opened = await optionsFor(t, {
		...configOf(servers),
		scenarios: [pingScenario],
		rounds: 2,
		budgetSeconds: 1,
		warmupSeconds: 0.2,
	});
	const options = { ...opened, cwd };
	const raw = await runComparison({ ...options, skipUnchanged: true });
	assert.ok('plan' in raw);
	assert.deepEqual(raw.refused, []);
	assert.deepEqual(Object.keys(raw.context.head.versions), ['api']);
	assert.ok(raw.rounds.length > 0);
	const { cells } = summarise(raw);
	assert.deepEqual(
		cells.map(({ server, verdict }) => [server, verdict === 'same-code']),
		[
			['api', false],
			['web', true],
		],
	);
	assert.deepEqual(parseRaw(renderRaw(raw)), raw);
	// Without the option the other server starts, and fails.
	const whole = await runComparison({ ...options, skipUnchanged: false });
	assert.deepEqual([...new Set(whole.refused.map(({ cell }) => cell))], ['web/ping']);
});
