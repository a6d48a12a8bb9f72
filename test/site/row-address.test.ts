import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rowUrl } from '../../src/report/compare/links.ts';
import { readAddress } from '../../src/site/page/address.ts';
import { rowId } from '../../src/text/dashboard-address.ts';

const PAGES = 'https://owner.github.io/repository';

test('the address of a row in a report is that of its page on the dashboard', () => {
	for (const [server, scenario, metric] of [
		['koa', 'ping', 'throughput'],
		['koa', 'ping', 'latency-p99'],
		['a b', 'x–y;z%', 'throughput'],
	] as const) {
		const row = { server, scenario, metric };
		const url = rowUrl(row, PAGES) ?? '';
		assert.ok(url.startsWith(`${PAGES}/#/row/`), url);
		const { view, path } = readAddress(new URL(url).hash);
		assert.deepEqual([view, path.join('/')], ['row', rowId(row)]);
	}
	const row = { server: 'a(b', scenario: 'c', metric: 'throughput' } as const;
	assert.equal(rowUrl(row, PAGES), undefined, 'no safe link');
	assert.equal(rowUrl({ ...row, server: 'a' }), undefined, 'no dashboard');
});
