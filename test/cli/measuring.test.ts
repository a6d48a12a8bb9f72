/** Where packed subjects and installed servers are kept. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findCacheFolder } from '../../src/cli/measuring.ts';

test('BENCHGATE_CACHE names the folder; empty it names none', (t) => {
	const before = process.env.BENCHGATE_CACHE;
	t.after(() => {
		if (before === undefined) delete process.env.BENCHGATE_CACHE;
		else process.env.BENCHGATE_CACHE = before;
	});
	process.env.BENCHGATE_CACHE = '/somewhere/else';
	assert.equal(findCacheFolder(), '/somewhere/else');
	delete process.env.BENCHGATE_CACHE;
	const usual = findCacheFolder();
	process.env.BENCHGATE_CACHE = '';
	assert.equal(findCacheFolder(), usual);
	assert.match(usual, /benchgate/);
});
