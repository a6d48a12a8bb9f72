import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fillSizes, namesOf } from '../../scripts/server-sizes-table.ts';
import { loadServers } from '../../src/config/load-catalogue.ts';
import { TOOL_ROOT } from '../../src/process/entries.ts';

const PAGE = readFileSync(new URL('../../docs/servers.md', import.meta.url), 'utf8');
const rowsOf = (page: string) => page.split('\n').filter((line) => /^\| `/.test(line));

test('sizes stand in the last column, of several servers all of them, and nothing else changes', () => {
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
		...page.slice(0, 2),
		'| `koa`                | Koa            |     13 MB |',
		'| `vext-koa`, `-hono`  | **VextJS**     | 20 and 21 MB |',
		'| `python`             | no \\`package\\` |    < 1 MB |',
		...page.slice(5),
	]);
	assert.throws(() => fillSizes('no table', sizes), /no table with a column/);
});

test('the page has a row for every built-in server, once', async () => {
	const servers = await loadServers(TOOL_ROOT);
	const named = rowsOf(PAGE).flatMap((row) => namesOf(row.split('|')[1] ?? ''));
	assert.deepEqual(named.toSorted(), servers.map(({ name }) => name).toSorted());
});
