import assert from 'node:assert/strict';
import { test } from 'node:test';
import { driftVerdict, rowDrift } from '../../src/judge/row-drift.ts';
import { placedRows } from '../../src/report/baseline-words.ts';
import type { SiteIndex } from '../../src/site/site-data.ts';
import { renderBadge, siteFiles } from '../../src/site/site-files.ts';
import { mainRows, rowsWith } from '../../src/trend/main-rows.ts';
import { trendOf } from '../../src/trend/trend-of.ts';
import type { BaselineRecord } from '../../src/types/baseline.ts';
import type { MainRow } from '../../src/types/main-baselines.ts';
import type { RowDecision } from '../../src/types/verdict.ts';
import { anchorOf, levelCell, levelOfCommit } from '../support/baselines/baselines.ts';
import { type HistorySketch, syntheticRecords } from '../support/baselines/records.ts';
import {
	afterReleasedStep,
	afterStep,
	slowerInQuietBranches,
	slowRowsFound,
} from '../support/baselines/standing-histories.ts';

/** Histories of each kind; standing.slow.test.ts has more. */
const HISTORIES = 24;

test('a release that is itself a step makes no row slower, however many commits follow', () => {
	for (const size of [0.03, 0.05, 0.1, -0.1]) {
		for (const after of [1, 2, 3, 5, 10]) {
			const { slower, wrong } = afterReleasedStep(HISTORIES, size, after);
			assert.equal(slower, 0, `${size}, ${after} commits`);
			assert.ok(wrong <= 0.05 * HISTORIES, `${size}, ${after} commits: ${wrong} intervals without the truth`);
		}
	}
});

test('after a step the interval holds the truth, or the level is the last measurement, not settled', () => {
	for (const size of [Math.log(0.88), Math.log(1.12)]) {
		for (const count of [1, 2, 3, 4]) {
			const { wrong, unsettled } = afterStep(HISTORIES, size, count);
			assert.ok(wrong <= 0.05 * HISTORIES, `${count} of ${size}: ${wrong} intervals without the truth`);
			assert.equal(unsettled === HISTORIES, count === 1, `${count} of ${size}: ${unsettled} not settled`);
		}
	}
});

test('no row of a branch without a change is slower, and a row that lost 5 % is from its third commit on', () => {
	for (const [cells, histories] of [
		[6, HISTORIES],
		[24, HISTORIES / 2],
		[100, HISTORIES / 4],
	] as const) {
		const slower = slowerInQuietBranches(histories, cells, [2, 3, 5, 10, 25, 50]);
		const all = slower.reduce((sum, count) => sum + count, 0);
		assert.ok(all <= 0.02 * slower.length * histories, `${cells} rows: ${slower}`);
		assert.equal(slower.at(-1), 0);
	}
	const slowRowCount = slowRowsFound(HISTORIES / 2);
	assert.ok((slowRowCount[2] ?? 0) >= 0.9 * (HISTORIES / 2), `${slowRowCount}`);
});

test('one baseline has the interval of its record, and is settled only if it agrees with the earlier level', () => {
	const anchor = anchorOf(0);
	const standingAfter = (...levels: readonly number[]) =>
		trendOf(levels.map((theta, n) => levelOfCommit(n + 1, anchor, theta))).rows[0]?.standing;
	const first = standingAfter(0.004);
	assert.deepEqual([first?.theta, first?.low, first?.high], [0.004, 0.004 - 0.01, 0.004 + 0.01]);
	assert.deepEqual([first?.settled, first?.place, first?.baselines], [true, 'level', 1]);
	const step = standingAfter(-0.12);
	assert.deepEqual([step?.settled, step?.place, step?.high], [false, 'unsettled', 0]);
	const back = standingAfter(-0.12, -0.12, -0.12, -0.12, 0);
	assert.deepEqual([back?.theta, back?.place], [0, 'unsettled']);
	assert.ok((back?.low ?? 0) < -0.11, 'it may be an outlier');
	assert.equal(standingAfter(-0.12, -0.12)?.place, 'below');
	assert.equal(standingAfter(0, 0, 0, 0, -0.12, -0.12)?.place, 'below');
	assert.equal(
		standingAfter(0, 0, 0, 0, 0, 0, -0.9, 0)?.place,
		'level',
		'an outlier and the point after it are no level',
	);
});

test('two levels in the same place settle it, and the one nearer to the anchor counts', () => {
	const rowAfter = (...levels: readonly number[]) =>
		mainRows(trendOf(levels.map((theta, n) => levelOfCommit(n + 1, anchorOf(0), theta))))[0] as MainRow;
	const judge = (row: MainRow) => driftVerdict(row, null, { threshold: 0.05, limit: 0.1 });
	const slower = rowAfter(-0.2, -0.2, -0.2, -0.2, -0.2, -0.3);
	assert.ok(Math.abs(slower.theta + 0.2) < 1e-9 && slower.low === -0.31 && slower.high > -0.2);
	assert.equal(judge(slower), 'drifted', 'getting slower hides nothing');
	assert.equal(judge(rowAfter(-0.06, -0.06, -0.06, -0.06, -0.06, -0.3)), 'below', 'one baseline is no drift');
	const better = rowAfter(-0.2, -0.2, -0.2, -0.2, -0.2, -0.12);
	assert.deepEqual([better.theta, better.high, judge(better)], [-0.12, -0.12 + 0.01, 'drifted']);
	assert.equal(judge(rowAfter(-0.2, -0.2, -0.2, -0.2, -0.2, 0)), 'unsettled');
});

test('runs of one commit settle a level as those of several do', () => {
	const rerun = (n: number, run: number, theta: number) =>
		levelOfCommit(n, anchorOf(0), theta, {
			run: { id: `${n}-${run}`, attempt: 1, url: null },
			createdAt: new Date(Date.UTC(2026, 9, 1 + n, run)).toISOString(),
		});
	const standingOf = (records: readonly BaselineRecord[]) => {
		const { place, baselines } = trendOf(records).rows[0]?.standing ?? {};
		return [place, baselines];
	};
	const before = [1, 2, 3, 4].map((n) => levelOfCommit(n, anchorOf(0), 0));
	for (const runs of [2, 3, 6]) {
		const newest = Array.from({ length: runs }, (_, run) => rerun(5, run, -0.12));
		assert.deepEqual(standingOf([...before, ...newest]), ['below', runs]);
		assert.deepEqual(standingOf(newest), ['below', runs]);
	}
	assert.equal(standingOf([...before, rerun(5, 1, -0.12), rerun(5, 2, 0)])[0], 'level', 'the first run was an outlier');
});

test('a row has no standing against an anchor without measurements', () => {
	const cells = (old: number | null) => [levelCell(0), levelCell(old, { scenario: 'old' })];
	const records = [1, 2, 3].map((n) => levelOfCommit(n, anchorOf(0), cells(-0.2)));
	const oldOf = (more: readonly BaselineRecord[]) =>
		trendOf([...records, ...more]).rows.find(({ scenario }) => scenario === 'old')?.standing;
	assert.equal(oldOf([levelOfCommit(4, anchorOf(3), 0)]), null);
	assert.equal(oldOf([levelOfCommit(4, anchorOf(3), cells(null))]), null);
	const failed = oldOf([4, 5].map((n) => levelOfCommit(n, anchorOf(0), cells(null))));
	assert.deepEqual([failed?.place, failed?.failed, failed?.baselines], ['below', 2, 3]);
});

test('the badge of 24 rows without a change is seldom grey', () => {
	let [grey, badges] = [0, 0];
	for (let seed = 1; seed <= 20; seed++) {
		const records = syntheticRecords({ seed, commits: 50, cells: 24 });
		for (let count = (seed % 5) + 2; count <= 50; count += 5) {
			grey += Number(renderBadge(trendOf(records.slice(0, count))).includes('#5f6b7a'));
			badges++;
		}
	}
	assert.ok(grey <= 0.04 * badges, `${grey} of ${badges}`);
});

test('an interval holds for all rows together: more rows, wider intervals', () => {
	const reachOf = (cells: number) => {
		const names = ['koa/ping', ...Array.from({ length: cells - 1 }, (_, index) => `koa/s${index}`)];
		const rows = trendOf(syntheticRecords({ seed: 3, commits: 30, cells: names, tau: 0 })).rows;
		const { low = 0, high = 0 } = rows.find(({ cell }) => cell === 'koa/ping')?.standing ?? {};
		return high - low;
	};
	const [one, many] = [reachOf(1), reachOf(100)];
	// Normal quantiles at 5 % for one row and for a hundred, by Šidák: 1.96 and 3.47.
	assert.ok(many / one > 1.7 && many / one < 1.9, `${many / one}`);
});

const DECISION = { judgedBy: 'throughput', verdict: 'unchanged', estimate: null, warnings: [] } as const;

/** Rows that each report of a branch calls slower. */
function slowerRows(records: readonly BaselineRecord[]): Readonly<Record<string, readonly string[]>> {
	const trend = trendOf(records);
	const level = records.at(-1) as BaselineRecord;
	const run = { records: [level], rows: rowsWith(level, records.slice(0, -1)) };
	const files = siteFiles(trend, { project: 'x', repository: null, measuredAt: null }, { script: '', style: '' });
	const index = JSON.parse(files.find(({ path }) => path === 'data/index.json')?.text ?? '') as SiteIndex;
	const baselines = { policy: 'enforce', threshold: null, rows: mainRows(trend) } as const;
	const drift = (cell: string) => {
		const row = { ...DECISION, cell, metric: 'throughput' } as unknown as RowDecision;
		return rowDrift(row, 0.05, baselines)?.verdict ?? '';
	};
	return {
		page: index.rows.filter(({ standing }) => standing?.place === 'below').map(({ id }) => id),
		summary: placedRows(run)
			.filter(({ place }) => place === 'below')
			.map(({ cell: { server, scenario } }) => `${server}/${scenario}`),
		pullRequest: trend.rows.map(({ cell }) => cell).filter((cell) => ['below', 'drifted'].includes(drift(cell))),
	};
}

test('start page, badge, summary of a run and pull requests name the same rows', () => {
	const cells = ['express/ping', 'koa/ping', 'koa/query'];
	let slower = 0;
	for (const sketch of [
		{},
		{ steps: [{ commit: 29, size: -0.12, cell: 'koa/ping' }] },
		{ steps: [{ commit: 28, size: -0.12, cell: 'koa/ping' }] },
		{ steps: [{ commit: 10, size: -0.06 }] },
		{ eras: 2, steps: [{ commit: 14, size: 0.1 }] },
		{ eras: 2, steps: [{ commit: 20, size: -0.04, cell: 'koa/query' }] },
	] satisfies readonly Omit<HistorySketch, 'seed'>[]) {
		const records = syntheticRecords({ ...sketch, seed: 8, commits: 30, cells });
		const { page = [], ...others } = slowerRows(records);
		for (const [name, rows] of Object.entries(others)) assert.deepEqual(rows.toSorted(), page.toSorted(), name);
		assert.equal(renderBadge(trendOf(records)).includes('#b3261e'), page.length > 0);
		slower += page.length;
	}
	assert.equal(slower, 5);
});

test('a commit that is not the newest stands by itself', () => {
	const anchor = anchorOf(0);
	const later = [4, 5, 6].map((n) => levelOfCommit(n, anchor, -0.12));
	const [row] = rowsWith(levelOfCommit(3, anchor, [levelCell(0.002)]), later);
	assert.deepEqual([row?.theta, row?.measured], [0.002, levelOfCommit(3, anchor).commit.label]);
});
