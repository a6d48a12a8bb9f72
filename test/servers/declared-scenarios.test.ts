/** The contract of declared scenarios, proved with servers that leave scenarios out: the real ones answer all. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import satisfies from 'semver/functions/satisfies.js';
import { renderList } from '../../src/cli/list-command.ts';
import { remarksOf, withoutGroups } from '../../src/config/catalogue.ts';
import { parseConfig } from '../../src/config/file/parse-config.ts';
import { loadCatalogue } from '../../src/config/load-catalogue.ts';
import { resolveConfig } from '../../src/config/resolve-config.ts';
import { pickPort } from '../support/servers/http-server.ts';
import { waitForPort } from '../support/servers/installed-server.ts';
import { findAnswerFaults, findDeclarationFaults } from '../support/servers/server-contract.ts';

const TOOL = fileURLToPath(new URL('../fixtures/tool/', import.meta.url));
const { servers, scenarios } = await loadCatalogue(TOOL);
const [page, ping] = scenarios;
const [partial, whole] = servers;
assert.ok(page && ping && partial && whole);

/** Returns the origin of a fixture server, which runs until the test ends. */
async function run(t: TestContext, name: string): Promise<string> {
	const folder = mkdtempSync(join(tmpdir(), 'benchgate-fixture-'));
	cpSync(join(TOOL, 'servers'), folder, { recursive: true });
	mkdirSync(join(folder, 'node_modules/tinyframe'), { recursive: true });
	writeFileSync(join(folder, 'node_modules/tinyframe/index.js'), '');
	const port = await pickPort();
	const child = spawn(process.execPath, ['server.mjs'], {
		cwd: join(folder, name),
		env: { HOST: '127.0.0.1', PORT: String(port) },
		stdio: 'inherit',
	});
	t.after(async () => {
		child.kill('SIGKILL');
		await once(child, 'exit');
		rmSync(folder, { recursive: true, force: true });
	});
	await waitForPort(port, child);
	return `http://127.0.0.1:${port}`;
}

test('the folder of shared code is no server, and package.json lists the scenarios that a server leaves out', () => {
	assert.deepEqual(
		servers.map(({ name, without }) => [name, without]),
		[
			['partial', { page: 'it has no pages' }],
			['whole', undefined],
		],
	);
});

test('a server passes if it answers its declared scenarios and does not answer the others', async (t) => {
	for (const server of servers) {
		const origin = await run(t, server.name);
		for (const scenario of scenarios) assert.deepEqual(await findAnswerFaults(server, scenario, origin), []);
	}
});

test('a server that fails a declared scenario, or answers one that it leaves out, is detected', async (t) => {
	const origin = await run(t, 'partial');
	const [fault] = await findAnswerFaults({}, page, origin);
	assert.match(fault ?? '', /404/);
	assert.deepEqual(await findAnswerFaults({ without: { ping: 'no reason at all' } }, ping, origin), [
		'ping is left out, and yet answered',
	]);
});

test('a scenario that does not exist and an empty reason are detected', () => {
	const find = (without: Record<string, string>) => findDeclarationFaults({ without }, ['ping', 'page']);
	assert.deepEqual(find({ page: 'it has no pages' }), []);
	assert.deepEqual(find({ pages: 'it has no pages' }), ['pages is not a built-in scenario']);
	assert.deepEqual(find({ page: ' ' }), ['page is left out without a reason']);
	assert.deepEqual(find({ page: `because ${'very '.repeat(20)}old` }), ['the reason for page is too long']);
});

test('a remark on a scenario that does not exist or is left out, and one that is no sentence, are detected', () => {
	const find = (remarks: Record<string, string>) =>
		findDeclarationFaults({ without: { page: 'it has no pages' }, remarks }, ['ping', 'page']);
	assert.deepEqual(find({ ping: 'It answers from a cache.' }), []);
	assert.deepEqual(find({ pings: 'It answers.' }), ['pings is not a built-in scenario']);
	assert.deepEqual(find({ page: 'It answers.' }), ['page is left out, and has no figures to explain']);
	assert.deepEqual(find({ ping: 'it answers' }), ['the remark on ping is no sentence']);
	assert.deepEqual(find({ ping: `It is ${'very '.repeat(40)}old.` }), ['the remark on ping is too long']);
});

test('every remark of a built-in server is valid, and a variant has those of the server whose program it runs', async () => {
	const catalogue = await loadCatalogue(fileURLToPath(new URL('../../', import.meta.url)));
	const names = catalogue.scenarios.map(({ name }) => name);
	for (const server of catalogue.servers) {
		assert.deepEqual(
			findDeclarationFaults({ ...server, remarks: remarksOf(server, catalogue) }, names),
			[],
			server.name,
		);
	}
	const remarkOn = (name: string, measured: readonly { readonly name: string }[] = []) => {
		const server = catalogue.servers.find((one) => one.name === name);
		return server && remarksOf(server, catalogue, measured)['production-stack'];
	};
	assert.match(remarkOn('fastify') ?? '', /^@fastify\/compress /);
	assert.equal(remarkOn('fastify-zod'), remarkOn('fastify'));
	assert.equal(remarkOn('koa'), undefined);
	assert.equal(remarkOn('fastify', [{ name: '@fastify/compress' }]), undefined, 'other versions may do otherwise');
	assert.equal(remarkOn('fastify', [{ name: 'koa' }]), remarkOn('fastify'));
});

test('list shows remarks, those of a variant too', () => {
	const [server] = servers;
	assert.ok(server);
	const remarked = { ...server, remarks: { ping: 'It answers from a cache.' } };
	const { remarks: _, ...rest } = remarked;
	const catalogue = { servers: [remarked, { ...rest, name: 'variant', code: server.name }], scenarios };
	const list = renderList(catalogue, { node: '24.1.0', glibc: null, missing: new Set(), satisfies });
	assert.match(
		list,
		/\n\nRemarks: what explains figures of these servers\n {2}partial\/ping {2}It answers from a cache\.\n {2}variant\/ping {2}It answers from a cache\.\n/,
	);
});

test('list shows left-out scenarios with their reasons', async () => {
	const list = renderList(await loadCatalogue(TOOL), { node: '24.1.0', glibc: null, missing: new Set(), satisfies });
	assert.match(
		list,
		/\n\nLeft out: these servers do not answer these scenarios\n {2}partial\/page {2}it has no pages\n$/,
	);
});

test('a group that a server leaves out stands for its scenarios, and list names it once', () => {
	const grouped = [page, ping].map((scenario) => ({ ...scenario, groups: ['web'] }));
	const server = { ...whole, without: { web: 'it has no pages' } };
	const [remaining] = withoutGroups([server], grouped);
	assert.deepEqual(remaining?.without, { page: 'it has no pages', ping: 'it has no pages' });
	const machine = { node: '24.1.0', glibc: null, missing: new Set<string>(), satisfies };
	assert.match(
		renderList({ servers: [remaining], scenarios: grouped }, machine),
		/\n {2}whole\/web {2}it has no pages\n$/,
	);
});

test('a config that requests a scenario only of servers that leave it out is refused, unless a flag chose the servers', () => {
	const catalogue = { servers, scenarios };
	const file = parseConfig('servers: [partial]\nscenarios: [ping, page]', 'benchgate.yml', catalogue);
	const seed = () => 1;
	assert.throws(() => resolveConfig(file, {}, catalogue, seed), {
		code: 'bad-config',
		where: 'benchgate.yml',
		message: 'scenarios: no chosen server answers "page": partial leaves it out (it has no pages)',
	});
	assert.deepEqual(resolveConfig(file, { server: 'partial' }, catalogue, seed).scenarios, [ping, page]);
	assert.deepEqual(resolveConfig(file, { scenario: 'ping' }, catalogue, seed).scenarios, [ping]);
});

test('requesting a scenario only of servers that leave it out is a mistake; a group may include it', () => {
	const resolve = (server: string, scenario: string) =>
		resolveConfig(null, { server, scenario }, { servers, scenarios }, () => 1);
	assert.throws(() => resolve('partial', 'ping,page'), {
		code: 'bad-flag',
		message: /no chosen server answers "page": partial leaves it out \(it has no pages\)/,
	});
	for (const [server, scenario] of [
		['partial', 'core'],
		['partial,whole', 'page'],
	] as const) {
		assert.ok(resolve(server, scenario).scenarios.includes(page));
	}
});
