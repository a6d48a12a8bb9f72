/** docs/servers.md names every built-in server once, with the versions that its package.json pins. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { loadServers } from '../../src/config/load-catalogue.ts';
import { TOOL_ROOT } from '../../src/process/entries.ts';
import { rowsOf } from '../support/pages/markdown-page.ts';

const page = readFileSync(new URL('../../docs/servers.md', import.meta.url), 'utf8');
const catalogue = await loadServers(TOOL_ROOT);

/**
 * Names in code, in order; `-router` after `@centralping/ergo` is `@centralping/ergo-router`. `joint` ends the common
 * part.
 */
function namesIn(cell: string, stem: (first: string) => string): string[] {
	const names = [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
	return names.map((name) => (name.startsWith('-') ? `${stem(names[0] ?? '')}${name}` : name));
}

const rows = rowsOf(page, 'Server').map(([servers = '', packages = '']) => ({
	servers: namesIn(servers, (first) => first.replace(/-[^-]+$/, '')),
	packages,
}));

test('every built-in server has one row', () => {
	assert.deepEqual(rows.flatMap(({ servers }) => servers).toSorted(), catalogue.map(({ name }) => name).toSorted());
});

test('versions match the pinned ones, and bold packages load a server by themselves', () => {
	let compared = 0;
	for (const { servers, packages } of rows) {
		const names = namesIn(packages, (first) => first);
		const versions = [...packages.matchAll(/`(\*\*)? (\d+\.\d+\.\d+)/g)].map(([, bold, version = '']) => ({
			bold,
			version,
		}));
		for (const server of servers) {
			const { versions: pinned = {}, about = [] } = catalogue.find(({ name }) => name === server) ?? {};
			for (const [at, { bold, version }] of versions.entries()) {
				const name = names[at] ?? '';
				assert.equal(version, pinned[name], `${server}: ${name}`);
				assert.equal(bold !== undefined, about.includes(name), `${server}: ${name}`);
				compared += 1;
			}
			const [, bun] = /Bun (\S+)/.exec(packages) ?? [];
			assert.equal(bun, pinned.bun, server);
		}
	}
	assert.ok(compared > 20, `${compared} versions`);
});

test('the row of VextJS names the frameworks that its adapters run on, in the pinned versions', () => {
	const [row = ''] = /^.*`vext-native`, .*$/m.exec(page) ?? [];
	for (const host of ['fastify', 'hono', 'express', 'koa']) {
		const [major] = catalogue.find(({ name }) => name === `vext-${host}`)?.versions?.[host]?.split('.') ?? [];
		assert.match(row, new RegExp(`\\b${host} ${major}\\b`, 'i'));
	}
});

test('a framework listed as missing is the name of no server', () => {
	const systems = rowsOf(page, 'System').map(([system = '']) => system.toLowerCase());
	assert.ok(systems.length > 5);
	for (const { name } of catalogue) assert.ok(!systems.includes(name), name);
});
