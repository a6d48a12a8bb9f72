import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rowUrl } from '../../src/report/compare/links.ts';
import { addressOf } from '../../src/site/page/address.ts';

test('the address of a row in a report is that of its page on the dashboard', () => {
	for (const [server, scenario] of [
		['koa', 'ping'],
		['a b', 'x–y;z/%'],
	] as const) {
		const url = rowUrl({ server, scenario }, 'https://owner.github.io/repository');
		assert.equal(url, `https://owner.github.io/repository/${addressOf('cell', [server, scenario])}`);
	}
	assert.equal(rowUrl({ server: 'a(b', scenario: 'c' }, 'https://owner.github.io/'), undefined, 'no safe link');
	assert.equal(rowUrl({ server: 'a', scenario: 'b' }), undefined, 'no dashboard');
});
