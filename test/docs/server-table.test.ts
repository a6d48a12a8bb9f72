import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fillNeeds, fillSizes, namesOf } from '../../scripts/server-table.ts';
import type { CatalogueServer } from '../../src/config/catalogue.ts';
import { loadServers } from '../../src/config/load-catalogue.ts';
import { TOOL_ROOT } from '../../src/process/entries.ts';

const PAGE = readFileSync(new URL('../../docs/servers.md', import.meta.url), 'utf8');
const rowsOf = (page: string) => page.split('\n').filter((line) => /^\| `/.test(line));

test('sizes are in their column, all of them for several servers, and no other column changes', () => {
	const page = [
		'| Server               | What it is     | Installed |',
		'| -------------------- | -------------- | --------: |',
		'| `koa`                | Koa            |     13 MB |',
		'| `vext-koa`, `-hono`  | **VextJS**     |           |',
		'| `python`             | no \\`package\\` |      0 MB |',
		'| `elsewhere`          | is not here    |      7 MB |',
		'',
		'| `koa` | elsewhere | 1 MB |',
	];
	const sizes = new Map([
		['koa', 12_600_000],
		['vext-koa', 20_400_000],
		['vext-hono', 21_000_000],
		['python', 9_000],
	]);
	assert.deepEqual(fillSizes(page.join('\n'), sizes).split('\n'), [
		'| Server               | What it is     |    Installed |',
		'| -------------------- | -------------- | -----------: |',
		'| `koa`                | Koa            |        13 MB |',
		'| `vext-koa`, `-hono`  | **VextJS**     | 20 and 21 MB |',
		'| `python`             | no \\`package\\` |       < 1 MB |',
		'| `elsewhere`          | is not here    |         7 MB |',
		...page.slice(6),
	]);
	assert.throws(() => fillSizes('no table', sizes), /no table with a column/);
});

test('the page has a row for every built-in server, once', async () => {
	const servers = await loadServers(TOOL_ROOT);
	const named = rowsOf(PAGE).flatMap((row) => namesOf(row.split('|')[1] ?? ''));
	assert.deepEqual(named.toSorted(), servers.map(({ name }) => name).toSorted());
});

test('the needs of servers match their package.json', () => {
	const needs = (...known: readonly Partial<CatalogueServer>[]) => {
		const servers = known.map((one, at) => ({ name: `s${at}`, description: '', dependencies: ['x'], ...one }));
		const names = servers.map(({ name }) => `\`${name}\``).join(', ');
		const page = `| Server | Needs | Size |\n| --- | --- | --- |\n| ${names} | old | 1 |`;
		return fillNeeds(page, servers).split('\n')[2]?.split('|')[2]?.trim();
	};
	assert.equal(needs({}), 'npm');
	assert.equal(needs({ node: '>=22' }), 'npm, Node from 22');
	assert.equal(needs({ node: '>=14 <22', runtime: 'node@20', glibc: '2.38' }), 'npm, Node 14 to 21, glibc from 2.38');
	assert.equal(needs({ node: '>=20 <22', unserved: ['x'] }), '`--package`, Node 20 and 21');
	assert.equal(needs({ runtime: 'bun' }), 'npm, brings Bun');
	assert.equal(needs({ dependencies: [], programs: ['go'] }), '`go` on PATH');
	assert.equal(needs({}, {}, { node: '>=22' }), 'npm or npm, Node from 22');
	assert.throws(() => needs({ node: '^22' }), /no words for Node \^22/);
});

test('the page lists the needs of every server', async () => {
	assert.equal(fillNeeds(PAGE, await loadServers(TOOL_ROOT)), PAGE);
});
