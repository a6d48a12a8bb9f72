import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseConfig } from '../../src/config/file/parse-config.ts';
import { resolveRanking } from '../../src/config/ranking/resolve-ranking.ts';
import { entriesOf, nameEntry, readEntry, wrapEntries } from '../../src/config/ranking/runtime-entries.ts';
import type { Flags } from '../../src/config/read-flags.ts';
import { CATALOGUE } from './example-catalogue.ts';

const MORE = {
	...CATALOGUE,
	servers: [
		...CATALOGUE.servers,
		{ name: 'go', description: 'Go.', dependencies: [], programs: ['go'] },
		{ name: 'bun', description: 'Bun.', dependencies: ['bun'], runtime: 'bun' },
	],
};
const resolve = (flags: Flags = {}, text?: string) =>
	resolveRanking(text === undefined ? null : parseConfig(text, 'benchgate.yml', MORE), flags, MORE, () => 7);
const namesOf = ({ config }: ReturnType<typeof resolve>) => config.servers.map(({ name }) => name);

test('a name contains server and runtime, and is read back', () => {
	for (const entry of [
		{ server: 'koa', runtime: null },
		{ server: 'koa', runtime: { name: 'node', version: '22.12.0' } },
		{ server: 'koa-2', runtime: { name: 'bun' } },
	] as const) {
		assert.deepEqual(readEntry(nameEntry(entry)), entry);
	}
	assert.equal(nameEntry({ server: 'koa', runtime: { name: 'node', version: '24' } }), 'koa on node@24');
	assert.deepEqual(readEntry('koa on fire'), { server: 'koa on fire', runtime: null });
});

test('every server is ranked on every runtime, beside the reference on the first one', () => {
	const request = resolve({ server: 'express,fastify', runtime: 'node@22, bun' });
	assert.deepEqual(namesOf(request), [
		...['express on node@22', 'express on bun', 'fastify on node@22', 'fastify on bun'],
		...['node-http on node@22', 'node-http on bun'],
	]);
	assert.equal(request.reference, 'node-http on node@22');
	assert.match(request.reproduce, / --runtime 'node@22, bun'/);
});

test('a reference may have its own runtime, so that runs of other runtimes can be merged', () => {
	const request = resolve({ server: 'express', runtime: 'node@24', reference: 'node-http on node@22' });
	assert.deepEqual(namesOf(request), [...['express on node@24', 'node-http on node@24', 'node-http on node@22']]);
	assert.equal(request.reference, 'node-http on node@22');
	assert.throws(() => resolve({ reference: 'node-http on node@22' }), /no runtimes are named; add --runtime/);
});

test('a server that is no JavaScript, or brings its runtime, takes part once', () => {
	assert.deepEqual(namesOf(resolve({ server: 'go,bun', runtime: 'node@22,node@24' })), [
		...['go', 'bun', 'node-http on node@22', 'node-http on node@24'],
	]);
});

test('the runtime of a config is one of one; its own servers run on all requested ones', () => {
	const text = 'runtime: node@22\nservers:\n  - name: api\n    command: node server.js\n';
	assert.deepEqual(namesOf(resolve({ reference: 'api' }, text)), ['api on node@22']);
	assert.deepEqual(namesOf(resolve({ reference: 'api', runtime: 'node,deno' }, text)), ['api on node', 'api on deno']);
});

test('names of servers mean their entries', () => {
	const names = ['koa on node@22', 'koa on bun', 'wrapped on node@22', 'wrapped on bun', 'go'];
	assert.deepEqual(entriesOf(names, 'koa'), ['koa on node@22', 'koa on bun']);
	assert.deepEqual(entriesOf(names, 'koa on bun'), ['koa on bun']);
	assert.deepEqual(wrapEntries(names, { wrapped: 'koa' }), {
		'wrapped on node@22': 'koa on node@22',
		'wrapped on bun': 'koa on bun',
	});
	assert.deepEqual(wrapEntries(names, { wrapped: 'go' }), { 'wrapped on node@22': 'go', 'wrapped on bun': 'go' });
	const { highlight, percentOf } = resolve({
		server: 'express',
		runtime: 'node@22,bun',
		highlight: 'express',
		percentOf: 'node-http',
	});
	assert.deepEqual([highlight, percentOf], ['express on node@22', ['node-http on node@22', 'node-http on bun']]);
});

test('an unknown runtime is reported', () => {
	assert.throws(() => resolve({ runtime: 'node@22,nodejs' }), /--runtime nodejs: not allowed; node@22, node@22\.12\.0/);
});

test('runtimes other than Node skip scenarios of node --watch', () => {
	const [scenario] = CATALOGUE.scenarios;
	assert.ok(scenario !== undefined);
	const catalogue = {
		...MORE,
		scenarios: [...CATALOGUE.scenarios, { ...scenario, name: 'hot-reload', metrics: ['hot-reload' as const] }],
	};
	const flags = { server: 'express', scenario: 'hot-reload', runtime: 'node@22,bun' };
	const { config } = resolveRanking(null, flags, catalogue, () => 7);
	const reasons = Object.fromEntries(
		config.servers.map((server) => [server.name, server.kind === 'built-in' && server.without?.['hot-reload']]),
	);
	assert.equal(reasons['express on node@22'], undefined);
	assert.equal(reasons['express on bun'], 'node --watch runs programs of Node alone');
});
