import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { siteFileAt } from '../../src/cli/baseline/site-command.ts';
import type { SiteCell, SiteIndex, SiteOverview } from '../../src/site/site-data.ts';
import { renderBadge, type SiteFile, siteFiles } from '../../src/site/site-files.ts';
import { trendOf } from '../../src/trend/trend-of.ts';
import type { BaselineCell, BaselineRecord } from '../../src/types/baseline.ts';
import type { Trend } from '../../src/types/trend.ts';
import { anchorOf, levelCell, levelOfCommit } from '../support/baselines/baselines.ts';
import { bisectedWith } from '../support/baselines/bisected.ts';
import { type HistorySketch, syntheticRecords } from '../support/baselines/records.ts';

const ASSETS = { script: '// script', style: '/* style */' };
const INFO = { project: 'koajs/koa', repository: 'https://example.org/koajs/koa', measuredAt: null };

function filesOf(sketch: HistorySketch): { readonly trend: Trend; readonly files: ReadonlyMap<string, string> } {
	const trend = trendOf(syntheticRecords(sketch));
	const files = siteFiles(trend, INFO, ASSETS);
	assert.equal(new Set(files.map(({ path }) => path)).size, files.length, 'no file twice');
	return { trend, files: new Map(files.map(({ path, text }: SiteFile) => [path, text])) };
}

const read = <T>(files: ReadonlyMap<string, string>, path: string): T =>
	JSON.parse(files.get(`data/${path}`) ?? 'null') as T;

test('every row has its file, and a point for each measured commit', () => {
	const { trend, files } = filesOf({ seed: 1, commits: 30, cells: 4, eras: 3, failed: 0.1 });
	const index = read<SiteIndex>(files, 'index.json');
	assert.equal(index.rows.length, trend.rows.length);
	for (const [at, row] of index.rows.entries()) {
		const cell = read<SiteCell>(files, row.file);
		const { points = [], gaps = [] } = trend.rows[at] ?? {};
		assert.deepEqual(
			cell.commit,
			points.map(({ commit }) => commit),
		);
		assert.equal(cell.gaps.length, gaps.length);
		// Against the latest anchor: in the last era exactly the measured level.
		const last = points.at(-1);
		assert.ok(Math.abs((cell.level.at(-1) ?? 0) - (last?.theta ?? 0)) < 1e-4);
		assert.deepEqual(
			Object.values(cell)
				.filter(Array.isArray)
				.map(({ length }) => length > 0)
				.includes(false),
			gaps.length === 0,
		);
	}
});

test('the overview adds up to the levels', () => {
	const { files } = filesOf({ seed: 2, commits: 20, cells: 2 });
	const index = read<SiteIndex>(files, 'index.json');
	const overview = read<SiteOverview>(files, 'overview.json');
	for (const [at, [commits, levels]] of overview.rows.entries()) {
		const cell = read<SiteCell>(files, index.rows[at]?.file ?? '');
		let [commit, level] = [0, 0];
		for (const [point, step] of commits.entries()) {
			commit += step;
			level += levels[point] ?? 0;
			assert.equal(commit, cell.commit[point]);
			assert.ok(Math.abs(level / 10_000 - (cell.level[point] ?? 0)) < 1e-4);
		}
	}
});

test('a change with a bisect has its commit in the list', () => {
	const records = syntheticRecords({ seed: 15, commits: 40, cells: 1, steps: [{ commit: 20, size: -0.04 }] });
	const [change] = trendOf(records).rows[0]?.changes ?? [];
	const { named } = bisectedWith({});
	const note = { id: change?.id ?? '', state: 'bisected', by: 'bisect', at: '2026-03-01T00:00:00Z', issue: 7 } as const;
	const trend = trendOf(records, { notes: [{ ...note, commit: named.commit, named }] });
	const index = siteFiles(trend, INFO, ASSETS).find(({ path }) => path === 'data/index.json');
	const [told] = (JSON.parse(index?.text ?? '') as SiteIndex).changes;
	assert.deepEqual([told?.state, told?.issue], ['bisected', 7]);
	assert.deepEqual(told?.named, { sha: named.commit, title: named.title, probability: 0.993 });
});

test('text of strangers is data and cannot break out of it', () => {
	const hostile = '</script><img src=x onerror=alert(1)>"\u2028&';
	const trend = trendOf(syntheticRecords({ seed: 3, commits: 5, cells: 1 }));
	const commits = trend.commits.map((commit) => ({ ...commit, title: hostile, label: hostile }));
	const eras = trend.eras.map((era) => ({ ...era, anchor: { ...era.anchor, label: hostile } }));
	const rows = trend.rows.map((row) => ({
		...row,
		standing: row.standing && { ...row.standing, anchor: { ...row.standing.anchor, label: hostile } },
	}));
	const files = new Map(
		siteFiles({ ...trend, commits, eras, rows }, { ...INFO, project: hostile }, ASSETS).map(({ path, text }) => [
			path,
			text,
		]),
	);
	assert.doesNotMatch(files.get('index.html') ?? '', /<img|<\/script><img/);
	assert.doesNotMatch(files.get('badge.svg') ?? '', /<img/);
	assert.deepEqual(read<SiteIndex>(files, 'index.json').commits.title[0], hostile);
	assert.match(files.get('index.html') ?? '', /default-src &#39;none&#39;/);
});

test('the badge has the figure of a slower row, and of no other', () => {
	const badgeOf = (sketch: HistorySketch) => filesOf(sketch).files.get('badge.svg') ?? '';
	const step = (commits: number) => ({ seed: 4, commits, cells: 3, steps: [{ commit: 10, size: -0.12 }] });
	assert.match(badgeOf({ seed: 4, commits: 10, cells: 3 }), /benchgate: no slowdown since v1\.0\.0.*#2c7a3f/);
	assert.match(badgeOf(step(11)), /benchgate: not settled since v1\.0\.0.*#5f6b7a/);
	assert.match(badgeOf(step(12)), /benchgate: −1[0-3]\.\d % since v1\.0\.0.*#b3261e/);
	const none = siteFiles(trendOf([]), INFO, ASSETS).find(({ path }) => path === 'badge.svg');
	assert.match(none?.text ?? '', /no data yet/);
});

test('the badge is green only if no row may be slower, or if the uncertain ones are few, and counted', () => {
	const wordsOf = (records: readonly BaselineRecord[]) => {
		const badge = renderBadge(trendOf(records));
		const [, words, colour] = /benchgate: ([^"]*) since v[^"]*".*(#2c7a3f|#5f6b7a|#b3261e)/s.exec(badge) ?? [];
		return `${{ '#2c7a3f': 'green', '#5f6b7a': 'grey', '#b3261e': 'red' }[colour ?? '']}: ${words}`;
	};
	const anchor = anchorOf(0);
	const after = (...levels: readonly number[]) =>
		wordsOf(levels.map((theta, n) => levelOfCommit(n + 1, anchor, theta)));
	assert.equal(after(-0.2, -0.2, -0.2, -0.2, -0.2, 0), 'grey: not settled', 'slower until one baseline');
	assert.equal(after(-0.04, -0.04, -0.04, -0.04, -0.04, 0.04), 'grey: not settled');
	assert.equal(after(0, 0, 0, 0, 0, 0.2), 'green: no slowdown', 'neither level is slower');
	assert.equal(after(-0.2, -0.2, -0.2, -0.2, -0.2, -0.3), 'red: −18.1 %', 'slower at either level');
	const wide = levelCell(-0.02, { scenario: 'wide', low: -0.37, high: 0.24, se: 0.15 });
	const gone = levelCell(null, { scenario: 'gone' });
	const rows = (count: number) => Array.from({ length: count }, (_, at) => levelCell(0, { scenario: `s${at}` }));
	const one = (...cells: readonly BaselineCell[]) => wordsOf([levelOfCommit(1, anchor, cells)]);
	assert.equal(one(wide), 'grey: not sure in 1 of 1 rows');
	assert.equal(one(wide, gone, ...rows(30)), 'grey: not sure in 2 of 32 rows');
	assert.equal(one(wide, ...rows(30)), 'green: no slowdown in 30 of 31 rows');
	const cells = (theta: number, old: number | null) => [levelCell(theta), levelCell(old, { scenario: 'old' })];
	const until3 = [1, 2, 3].map((n) => levelOfCommit(n, anchor, cells(0, -0.2)));
	assert.equal(wordsOf(until3), 'red: −18.1 %');
	assert.equal(wordsOf([...until3, levelOfCommit(4, anchor, cells(0, null))]), 'grey: not settled', 'failed since');
	const released = [4, 5].map((n) => levelOfCommit(n, anchorOf(3), 0));
	assert.equal(wordsOf([...until3, ...released]), 'green: no slowdown', 'the other row ended before the release');
});

test('a badge is well-formed and in one direction, whatever the name of the release', () => {
	const trend = trendOf(syntheticRecords({ seed: 4, commits: 10, cells: 1 }));
	const label = 'v1\u0000\u001b[31m\u202e\n]]>\ud800 & <b>';
	const rows = trend.rows.map((row) => ({
		...row,
		standing: row.standing && { ...row.standing, anchor: { ...row.standing.anchor, label } },
	}));
	const badge = renderBadge({ ...trend, rows });
	assert.match(badge, /since v1\ufffd\ufffd\[31m\ufffd \]\]&gt;\ufffd &amp; &lt;b&gt;</);
	assert.doesNotMatch(badge.trimEnd(), /[\p{Cc}\p{Bidi_Control}]/u);
	assert.ok(badge.isWellFormed());
});

test('no address that a browser can request ends the server of the dashboard', () => {
	assert.deepEqual(
		['/', '/?x', '', '/data/c/koa/ping.throughput.json?1', '/%', '/%ff', '/%2e%2e/x', '*'].map(siteFileAt),
		['/index.html', '/index.html', '/index.html', '/data/c/koa/ping.throughput.json', '/%', '/%ff', '/../x', '*'],
	);
});

test('the first page of a long history is a small download', () => {
	const { files } = filesOf({ seed: 5, commits: 200, cells: 30, eras: 3 });
	const size = (path: string) => gzipSync(files.get(path) ?? '').length;
	assert.ok(size('data/index.json') + size('data/overview.json') < 50_000);
});
