/** Causes of rows slower than the release, from the data of a dashboard: grouped by commit, with the next command. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bisectCommand, causesOf, compareCommand, rangeOf, revisionAt } from '../../src/site/page/causes.ts';
import { chooseRows, inOrder } from '../../src/site/page/rows-view.ts';
import type { SiteIndex } from '../../src/site/site-data.ts';
import { siteFiles } from '../../src/site/site-files.ts';
import { rowAddress } from '../../src/text/dashboard-address.ts';
import { trendOf } from '../../src/trend/trend-of.ts';
import { type HistorySketch, syntheticRecords } from '../support/baselines/records.ts';

function indexOf(sketch: HistorySketch): SiteIndex {
	const info = { project: 'koajs/koa', repository: null, measuredAt: null };
	const files = siteFiles(trendOf(syntheticRecords(sketch)), info, { script: '', style: '' });
	return JSON.parse(files.find(({ path }) => path === 'data/index.json')?.text ?? '') as SiteIndex;
}

test('one slow commit is one change and one cause, however many rows it slows down', () => {
	const site = indexOf({ seed: 5, commits: 60, cells: 40, steps: [{ commit: 40, size: -0.08 }] });
	assert.ok(site.changes.length >= 40);
	const large = site.groups.filter((group) => group.length > 1);
	assert.equal(large.length, 1);
	assert.equal(large[0]?.length, 40);
	const [cause, ...others] = causesOf(site);
	assert.deepEqual(others, []);
	assert.deepEqual([cause?.rows.length, cause?.isSettled], [40, true]);
	const [lead] = (site.groups[cause?.group ?? -1] ?? []).map((index) => site.changes[index]);
	assert.ok(lead?.candidates.some(([commit]) => commit === 40));
});

test('two slow commits since the release are two causes, and one before it is none', () => {
	const site = indexOf({
		seed: 6,
		commits: 90,
		cells: ['koa/ping', 'koa/query', 'koa/html'],
		eras: 2,
		steps: [
			{ commit: 20, size: -0.1, cell: 'koa/html' },
			{ commit: 60, size: -0.1, cell: 'koa/ping' },
			{ commit: 75, size: -0.1, cell: 'koa/query' },
		],
	});
	const names = causesOf(site).map(({ rows }) => rows.map((row) => site.rows[row]?.id));
	assert.deepEqual(names.flat().sort(), ['koa/ping', 'koa/query']);
	assert.equal(names.length, 2);
});

test('a slowdown in one baseline is an unsettled cause, and in two a settled one even without a change', () => {
	const after = (count: number) => {
		const [cause, ...others] = causesOf(
			indexOf({ seed: 4, commits: 20 + count, cells: 3, steps: [{ commit: 20, size: -0.12 }] }),
		);
		return [others.length, cause?.group, cause?.since, cause?.isSettled, cause?.rows.length];
	};
	assert.deepEqual(after(1), [0, null, 20, false, 3]);
	assert.deepEqual(after(2), [0, null, 20, true, 3]);
	assert.deepEqual(after(0), [0, undefined, undefined, undefined, undefined]);
});

test('commands name both commits, and quote names that a shell would interpret', () => {
	const row = { server: 'koa', scenario: 'ping' };
	assert.equal(
		bisectCommand(['1a2b3c4', '5d6e7f8'], row),
		'npx benchgate bisect --good 1a2b3c4 --bad 5d6e7f8 --server koa --scenario ping',
	);
	assert.equal(
		compareCommand(['1a2b3c4', 'v1 $(rm)'], [row, { server: 'koa', scenario: 'query' }]),
		"npx benchgate compare --base git:1a2b3c4 --head 'git:v1 $(rm)' --server koa --scenario ping,query",
	);
	assert.equal(compareCommand(['a', 'b'], []), 'npx benchgate compare --base git:a --head git:b');
	const commits = { sha: ['0123456789abcdef', null], label: ['', 'v2.0.0'], title: [], author: [], at: [] };
	assert.deepEqual([revisionAt({ commits }, 0), revisionAt({ commits }, 1)], ['0123456789ab', 'v2.0.0']);
});

test('the range of a change begins before its first candidate', () => {
	const at = (commit: number, ...candidates: number[]) => ({
		commit,
		candidates: candidates.map((index) => [index, 0.5] as const),
	});
	assert.deepEqual(rangeOf([at(7, 5, 6, 7, 9)]), { good: 4, bad: 9 });
	assert.deepEqual(rangeOf([at(1, 0, 1)]), { good: null, bad: 1 });
});

test('rows are found by words, place, server and metric, and sorted', () => {
	const site = indexOf({
		seed: 7,
		commits: 30,
		cells: ['koa/ping', 'koa/query', 'express/ping'],
		metrics: ['throughput', 'latency-p99'],
		steps: [{ commit: 15, size: -0.1, cell: 'koa/query' }],
	});
	const names = (chosen: Record<string, string>) => chooseRows(site, chosen).map((index) => site.rows[index]?.id);
	assert.equal(inOrder(site).length, 6);
	assert.deepEqual(new Set(names({}).slice(0, 2)), new Set(['koa/query', 'koa/query,latency-p99']), 'slowest first');
	assert.deepEqual(names({ q: 'QUERY p99' }), ['koa/query,latency-p99']);
	assert.deepEqual(names({ server: 'express', metric: 'throughput' }), ['express/ping']);
	assert.deepEqual(new Set(names({ place: 'below' })), new Set(['koa/query', 'koa/query,latency-p99']));
	assert.deepEqual(names({ metric: 'throughput', sort: 'name' }), ['express/ping', 'koa/ping', 'koa/query']);
	assert.equal(names({ sort: 'fastest' }).length, 6);
	assert.ok(
		names({ sort: 'fastest' })
			.slice(-2)
			.every((id) => id?.startsWith('koa/query')),
	);
	assert.ok(
		names({ sort: 'newest' })
			.slice(0, 2)
			.every((id) => id?.startsWith('koa/query')),
	);
});

test('the address of a row is that of its id', () => {
	const row = { server: 'koa', scenario: 'ping' };
	assert.equal(rowAddress({ ...row, metric: 'throughput' }), '#/row/koa/ping');
	assert.equal(rowAddress({ ...row, metric: 'latency-p99' }), '#/row/koa/ping,latency-p99');
	assert.equal(rowAddress({ server: 'a b', scenario: '<(/', metric: 'throughput' }), '#/row/a%20b/%3C(%2F');
});
