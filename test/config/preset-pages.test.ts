/** Presets against the built-in catalogue: every page has its servers, scenarios, comparisons and versions. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answeredBy } from '../../src/config/answered-scenarios.ts';
import { loadCatalogue } from '../../src/config/load-catalogue.ts';
import { PRESET_NAMES, presetOf } from '../../src/config/ranking/presets.ts';
import { resolveRanking } from '../../src/config/ranking/resolve-ranking.ts';
import { comparedTexts } from '../../src/config/ranking/with-preset.ts';
import type { Flags } from '../../src/config/read-flags.ts';
import { TOOL_ROOT } from '../../src/process/entries.ts';

const catalogue = await loadCatalogue(TOOL_ROOT);
const resolve = (flags: Flags) => resolveRanking(null, flags, catalogue, () => 7);
const names = (items: readonly { readonly name: string }[]) => items.map(({ name }) => name);
const rowsOf = (flags: Flags, scenario: string) => {
	const { servers, scenarios } = resolve(flags).config;
	return names(servers.filter((server) => names(answeredBy(server, scenarios)).includes(scenario)));
};

for (const preset of PRESET_NAMES) {
	test(`the built-in catalogue has the whole page of ${preset}`, () => {
		const { missing, notes, config, wraps, highlight, percentOf, vitals, reproduce } = resolve({ preset });
		const page = presetOf(preset);
		assert.deepEqual(missing, []);
		assert.ok(notes.every(({ message }) => !/is not among those of this benchgate/.test(message)));
		const measured: readonly string[] = page.servers;
		// Pikku's own adapters are measured, and so compared, only if they are named.
		const compared = Object.entries(page.wraps).filter(([name]) => measured.includes(name));
		assert.deepEqual(wraps, Object.fromEntries(compared));
		assert.deepEqual([highlight ?? null, percentOf], [page.highlight, page.percentOf]);
		assert.deepEqual(
			Object.keys(page.rows).filter((name) => !(page.scenarios as readonly string[]).includes(name)),
			[],
		);
		const answered = new Set(config.servers.flatMap((server) => names(answeredBy(server, config.scenarios))));
		assert.deepEqual(
			names(config.scenarios).filter((name) => !answered.has(name)),
			[],
		);
		assert.equal(vitals, page.vitals);
		assert.equal(reproduce, `npx benchgate measure --preset ${preset} --seed 7`);
		const installable = new Set(catalogue.servers.flatMap(({ dependencies }) => dependencies));
		for (const name of Object.keys(page.versions)) {
			if (name !== 'koa-bodyparser') assert.ok(installable.has(name), `${name}: no server has it`);
		}
	});
}

describe('the rows of a page', () => {
	const page = { preset: 'seed-vext-page' };

	test('match its tables', () => {
		const validators = ['vext-native', 'vext-fastify', 'fastify', 'fastify-zod3', 'express-zod3', 'nestjs-fastify'];
		assert.deepEqual(rowsOf(page, 'validate-10').toSorted(), validators.toSorted());
		assert.equal(rowsOf(page, 'json-hello').length, 11);
		assert.deepEqual(rowsOf(page, 'cluster-16'), ['vext-native', 'fastify']);
		assert.ok(rowsOf(page, 'startup').includes('nestjs-express'));
		assert.deepEqual(rowsOf(page, 'hot-reload'), rowsOf(page, 'startup'));
	});

	test('have garbage collection unless it is switched off', () => {
		assert.deepEqual([resolve(page).vitals, resolve({ ...page, vitals: 'none' }).vitals], [true, false]);
	});

	test('leave no server without one', () => {
		const some = { ...page, scenario: 'json-hello' };
		assert.ok(!names(resolve(some).config.servers).includes('fastify-zod3'));
		assert.equal(rowsOf(some, 'json-hello').length, 11);
	});

	test('compare the remaining servers of a scenario that leaves some out', () => {
		const some = resolve({ ...page, scenario: 'middleware-5' });
		assert.deepEqual(names(some.config.servers), ['vext-native', 'vext-fastify', 'fastify', 'express', 'koa-2']);
		assert.deepEqual([some.wraps, some.highlight], [{ 'vext-fastify': 'fastify' }, 'vext-native']);
		assert.throws(
			() => resolve({ ...page, scenario: 'middleware-5', highlight: 'vext-hono' }),
			/--highlight vext-hono: it is not among the servers/,
		);
	});

	test('are not those of named servers: these run every scenario', () => {
		const named = { ...page, server: 'express-zod3,koa-2' };
		assert.deepEqual(rowsOf(named, 'json-hello'), ['express-zod3', 'koa-2']);
		assert.deepEqual(resolve(named).wraps, {});
	});
});

test('comparisons of a page cover the participating servers, and flags override them', () => {
	const some = resolve({ preset: 'seed-pikku', server: 'express,pikku-express,pikku-bun' });
	assert.deepEqual(some.wraps, { 'pikku-express': 'express' });
	const wrapperServers = {
		uws: 'pikku-uws-handler',
		fastify: 'pikku-fastify-plugin',
		express: 'pikku-express-middleware',
	};
	const adapted = resolve({ preset: 'seed-pikku', server: Object.entries(wrapperServers).flat().join(',') });
	for (const [host, name] of Object.entries(wrapperServers)) assert.equal(adapted.wraps[name], host);
	const other = resolve({ preset: 'seed-ergo', highlight: 'koa', percentOf: 'hono' });
	assert.deepEqual([other.highlight, other.percentOf], ['koa', ['hono']]);
	assert.deepEqual(comparedTexts(presetOf('seed-ergo'), ['koa', 'fastify']), { percentOf: 'fastify' });
});

describe('versions of a page', () => {
	const packagesOf = (flags: Flags) =>
		(resolve({ preset: 'seed-ergo', ...flags }).config.packages ?? []).map(({ name, place }) => `${name}=${place}`);

	test('run if a server names the package and every registry has it', () => {
		const packages = packagesOf({});
		for (const one of ['express=5.2.1', 'fastify=5.8.2', 'hono=4.12.8', 'koa=3.1.2', '@koa/router=15.4.0'])
			assert.ok(packages.includes(one), one);
		assert.deepEqual(
			packages.filter((one) => /centralping|koa-bodyparser|etag=1\.8\.1/.test(one)),
			[],
		);
		assert.deepEqual(packagesOf({ server: 'fastify' }), [
			'fastify=5.8.2',
			'@fastify/compress=8.3.1',
			'@fastify/cors=11.2.0',
			'@fastify/etag=6.1.0',
			'@fastify/rate-limit=10.3.0',
		]);
		assert.deepEqual(resolve({ preset: 'seed-blog' }).pagePackages, []);
	});

	test('give way to packages from flags, and to pinned ones on request', () => {
		const presetPackages = packagesOf({ server: 'koa', package: 'koa=3.2.0' });
		assert.ok(
			presetPackages.includes('koa=3.2.0') &&
				!presetPackages.includes('koa=3.1.2') &&
				presetPackages.includes('@koa/router=15.4.0'),
		);
		assert.deepEqual(packagesOf({ versions: 'pinned' }), []);
		assert.throws(() => resolve({ preset: 'seed-ergo', versions: 'new' }), /--versions new: not allowed/);
	});

	test('have the memory that the page leaves them', () => {
		assert.equal(resolve({ preset: 'seed-ergo' }).config.memoryLimit, 512e6);
		assert.equal(resolve({ preset: 'seed-ergo', memoryLimit: '1GB' }).config.memoryLimit, 1e9);
		assert.equal(resolve({ preset: 'seed-blog' }).config.memoryLimit, undefined);
	});
});

for (const preset of PRESET_NAMES) {
	test(`${preset} names wrappers that bring another major version than their hosts`, () => {
		const { wraps, differences } = presetOf(preset);
		const versionsOf = (name: string) => catalogue.servers.find((server) => server.name === name)?.versions ?? {};
		for (const [wrapper, host] of Object.entries(wraps)) {
			const [own, others] = [versionsOf(wrapper), versionsOf(host)];
			assert.ok(Object.keys(own).length > 0 && Object.keys(others).length > 0, `${wrapper} and ${host}`);
			for (const [name, version] of Object.entries(own)) {
				const [mine, other] = [version, others[name] ?? version].map((one) => one.split('.')[0]);
				const isTold = differences.some((text) => text.toLowerCase().includes(`${name} ${mine}`));
				assert.ok(mine === other || isTold, `${wrapper}: ${name} ${version}, ${host}: ${others[name]}`);
			}
		}
	});
}

test('servers of a page without a built-in counterpart are reported', () => {
	assert.ok(presetOf('seed-vext-runner').differences.some((text) => text.includes('Egg')));
});

test('the servers of a page have the routes that its preset names', () => {
	const { config } = resolve({ preset: 'seed-tinyhttp' });
	const paths = config.scenarios.flatMap(({ request, checks }) => [request, ...checks.map((check) => check.request)]);
	assert.deepEqual(
		new Set(paths.map(({ path }) => path)),
		new Set(['/user/123', '/user/abc', '/favicon.ico', '/user/123/posts']),
	);
	assert.ok(presetOf('seed-tinyhttp').differences.some((text) => text.includes('one route more, `/`.')));
});
