import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../src/stats/random.ts';
import { trendOf } from '../../src/trend/trend-of.ts';
import type { BaselineCell, BaselineRecord } from '../../src/types/baseline.ts';
import type { ChangeNote, RowTrend, Trend } from '../../src/types/trend.ts';
import { type HistorySketch, syntheticRecords } from '../support/baselines/records.ts';
import { assertClose } from '../support/close.ts';

const ONE = { cells: ['koa/ping'], se: [0.005, 0.006] } as const;
const onlyRow = (trend: Trend): RowTrend => trend.rows[0] as RowTrend;
const stepsOf = (sketch: HistorySketch) =>
	trendOf(syntheticRecords(sketch)).rows.flatMap(({ points, changes }) => changes.map(({ at }) => points[at]?.commit));

function mapCells(records: readonly BaselineRecord[], change: (cell: BaselineCell, record: BaselineRecord) => object) {
	return records.map((record) => ({
		...record,
		cells: record.cells.map((cell) => ({ ...cell, ...change(cell, record) })),
	}));
}

test('no records are an empty trend', () => {
	assert.deepEqual(trendOf([]), { commits: [], eras: [], links: [], rows: [], environments: [], warnings: [] });
});

test('a step is found at its commit, with its size, and from then on the row is below the anchor', () => {
	const trend = trendOf(syntheticRecords({ ...ONE, seed: 4, commits: 40, steps: [{ commit: 25, size: -0.04 }] }));
	const { changes, segments, standing, tau2 } = onlyRow(trend);
	assert.equal(changes.length, 1);
	const [change] = changes;
	assert.equal(change?.at, 25);
	assert.equal(
		change?.id,
		`koa/ping throughput @${trend.commits[change?.candidates[0]?.commit ?? 0]?.sha?.slice(0, 12)}`,
	);
	assert.ok(change?.candidates.some(({ commit }) => commit === 25));
	assert.ok(change.candidates.reduce((sum, { probability }) => sum + probability, 0) >= 0.95);
	assert.ok(Math.abs(change.step + 0.04) < 3 * change.se && change.se < 0.004);
	assert.deepEqual(
		segments.map(({ first, last }) => [first, last]),
		[
			[0, 24],
			[25, 39],
		],
	);
	assert.equal(standing?.since, 25);
	assert.ok(standing.low < -0.04 && standing.high > -0.04 && standing.high < 0);
	assert.equal(standing.anchor.label, 'v1.0.0');
	assert.ok(Math.sqrt(tau2) < 0.006);
});

test('a step smaller than 1 % moves the level and is not reported', () => {
	const records = syntheticRecords({ ...ONE, seed: 5, commits: 200, steps: [{ commit: 100, size: -0.008 }] });
	const { segments, changes, standing } = onlyRow(trendOf(records));
	assert.equal(segments.length, 2);
	assert.deepEqual(changes, []);
	assert.ok((standing?.theta ?? 0) < -0.006);
});

test('a wide threshold hides steps that are small for it', () => {
	const sketch = { ...ONE, seed: 6, commits: 80, steps: [{ commit: 40, size: -0.03 }] };
	assert.deepEqual(stepsOf(sketch), [40]);
	const wide = mapCells(syntheticRecords(sketch), () => ({ threshold: 0.16 }));
	assert.deepEqual(onlyRow(trendOf(wide)).changes, []);
});

test('an era boundary alone is no change point, however often links are wrong by two standard errors', () => {
	const records = syntheticRecords({ ...ONE, seed: 7, commits: 60, eras: 4, tau: 0 });
	const wrong = mapCells(records, ({ theta, se }, { purpose }) =>
		purpose === 'link' ? { theta: (theta ?? 0) + 2 * 0.01, se: 0.01 } : { se },
	);
	const { changes, segments } = onlyRow(trendOf(wrong));
	assert.deepEqual([changes, segments.length], [[], 1]);
	const sure = mapCells(wrong, ({ se }, { purpose }) => (purpose === 'link' ? { se: 0.0005 } : { se }));
	assert.ok(onlyRow(trendOf(sure)).segments.length > 1, 'a sure link with the same jump is a change');
});

test('a step between releases keeps its place on the chain, and the standing is against the last anchor', () => {
	const sketch = {
		...ONE,
		seed: 8,
		commits: 60,
		eras: 3,
		steps: [
			{ commit: 10, size: -0.04 },
			{ commit: 50, size: -0.03 },
		],
	};
	const trend = trendOf(syntheticRecords(sketch));
	const { points, changes, standing } = onlyRow(trend);
	assert.deepEqual(
		trend.eras.map(({ first, last }) => [first, last]),
		[
			[0, 19],
			[20, 39],
			[40, 59],
		],
	);
	assert.deepEqual(
		changes.map(({ at }) => points[at]?.commit),
		[10, 50],
	);
	assert.ok(Math.abs((standing?.theta ?? 0) + 0.03) < 0.008);
	const last = points.at(-1);
	assert.ok(Math.abs((last?.chained ?? 0) + 0.07) < 0.03);
	assert.ok((last?.chainedSe ?? 0) > (last?.se ?? 1));
	const links = trend.links.map(({ lambda, era }) => [Math.round(100 * lambda), era]);
	assert.deepEqual(links, [
		[-4, 1],
		[0, 2],
	]);
	assert.ok(trend.links.every(({ closure }) => closure !== null && Math.abs(closure.error) < 3 * closure.se));
});

test('a link contradicted by commits measured against both anchors has a warning', () => {
	const records = syntheticRecords({ ...ONE, seed: 9, commits: 30, eras: 2 });
	const wrong = mapCells(records, ({ theta }, { purpose }) =>
		purpose === 'link' ? { theta: (theta ?? 0) + 0.08 } : {},
	);
	const trend = trendOf(wrong);
	assert.deepEqual(
		trend.warnings.map(({ code }) => code),
		['link-contradicted'],
	);
	assert.ok((trend.links[0]?.closure?.error ?? 0) < -0.05);
});

test('without a link, commits measured against both anchors join the eras; without those the eras stay apart', () => {
	const records = syntheticRecords({ ...ONE, seed: 10, commits: 30, eras: 2, steps: [{ commit: 8, size: -0.05 }] });
	const unlinked = records.filter(({ purpose, commit }) => purpose !== 'link' && commit.position !== 1014);
	const [link] = trendOf(unlinked).links;
	assert.ok(Math.abs((link?.lambda ?? 0) + 0.05) < 0.02);
	assert.equal(link?.closure, null);
	const levels = unlinked.filter(({ purpose }) => purpose === 'level');
	const trend = trendOf(levels);
	assert.deepEqual(trend.links, []);
	assert.deepEqual(
		trend.warnings.map(({ code }) => code),
		['link-missing'],
	);
	assert.equal(onlyRow(trend).changes.length, 1, 'the boundary itself is not a change');
});

test('a failed measurement is a gap with its reason, never a point', () => {
	const records = syntheticRecords({ ...ONE, seed: 11, commits: 40, failed: 0.2 });
	const { points, gaps } = onlyRow(trendOf(records));
	assert.equal(points.length + gaps.length, 40);
	assert.ok(gaps.length > 0 && gaps.every(({ verdict, reason }) => verdict === 'invalid' && reason.includes('exited')));
	assert.ok(points.every(({ theta }) => theta !== 0));
	const again = mapCells(
		records.filter(({ commit }) => commit.position === 1000 + (gaps[0]?.commit ?? 0)),
		() => ({ theta: 0.001, se: 0.005, verdict: 'unchanged', warnings: [] }),
	).map((record) => ({ ...record, run: { ...record.run, attempt: 2 } }));
	assert.equal(onlyRow(trendOf([...records, ...again])).gaps.length, gaps.length - 1);
});

test('several runs of one commit are one point, weighted by how sure they are; the same file twice counts once', () => {
	const records = syntheticRecords({ ...ONE, seed: 12, commits: 5 });
	const again = mapCells(records.slice(2, 3), () => ({ theta: 0.02, se: 0.003, rounds: 10 })).map((record) => ({
		...record,
		run: { ...record.run, attempt: 2 },
	}));
	const { points } = onlyRow(trendOf([...records, ...again, ...records]));
	const first = records[2]?.cells[0] as BaselineCell;
	const [w1, w2] = [1 / (first.se ?? 1) ** 2, 1 / 0.003 ** 2];
	assert.equal(points.length, 5);
	assertClose(points[2]?.theta, (w1 * (first.theta ?? 0) + w2 * 0.02) / (w1 + w2), 1e-12);
	assertClose(points[2]?.se, 1 / Math.sqrt(w1 + w2), 1e-12);
	assert.equal(points[2]?.rounds, first.rounds + 10);
});

test('records in any order give the same trend', () => {
	const records = syntheticRecords({
		...{ seed: 13, commits: 50, eras: 3, cells: 3, failed: 0.1, environments: 2 },
		steps: [{ commit: 20, size: 0.05, cell: 'fastify/ping' }],
	});
	const trend = trendOf(records);
	for (const seed of [1, 2, 3]) {
		const other = trendOf(createRandom(seed).shuffle(records));
		assert.deepEqual(other.rows, trend.rows);
		assert.deepEqual(other.commits, trend.commits);
	}
	assert.deepEqual(
		trend.rows.map(({ cell, changes }) => [cell, changes.length]),
		[
			['express/ping', 0],
			['fastify/ping', 1],
			['hono/ping', 0],
		],
	);
	assert.ok((trend.rows[1]?.changes[0]?.step ?? 0) > 0.03);
	assert.deepEqual(
		trend.environments.map(({ records: count }) => count),
		[28, 28],
	);
});

test('a mirrored history has mirrored levels and the same changes', () => {
	const records = syntheticRecords({
		...ONE,
		seed: 14,
		commits: 60,
		eras: 2,
		steps: [{ commit: 33, size: -0.03 }],
		outliers: 0.1,
	});
	const mirrored = mapCells(records, ({ theta }) => ({ theta: theta === null ? null : -theta }));
	const [row, other] = [onlyRow(trendOf(records)), onlyRow(trendOf(mirrored))];
	assert.deepEqual(
		other.changes.map(({ id }) => id),
		row.changes.map(({ id }) => id),
	);
	assertClose(other.standing?.theta, -(row.standing?.theta ?? 0), 1e-9);
});

const NOTE = { by: 'ada', at: '2026-03-01T00:00:00Z', issue: 7 };

test('notes on a change survive, even when its first suspected commit moves', () => {
	const records = syntheticRecords({
		seed: 15,
		cells: ['koa/ping'],
		commits: 60,
		steps: [{ commit: 30, size: -0.03 }],
	});
	const early = trendOf(records.slice(0, 36));
	const [suspected] = onlyRow(early).changes;
	assert.equal(suspected?.state, 'suspected');
	const id = suspected?.id ?? '';
	const notes: ChangeNote[] = [
		{ ...NOTE, id, state: 'accepted' },
		{ ...NOTE, id, state: 'confirmed', by: 'proof', at: '2026-02-01T00:00:00Z' },
		{ ...NOTE, id: id.replace('koa', 'hono'), state: 'disproved' },
	];
	const [later] = onlyRow(trendOf(records, { notes })).changes;
	assert.deepEqual([later?.id, later?.state, later?.note?.issue], [id, 'accepted', 7]);
});

test('a new step beside an accepted one is a change of its own', () => {
	const steps = [
		{ commit: 20, size: -0.04 },
		{ commit: 40, size: -0.04 },
	];
	const records = syntheticRecords({ ...ONE, seed: 16, commits: 60, steps });
	const [first] = onlyRow(trendOf(records.slice(0, 35))).changes;
	const notes: ChangeNote[] = [{ ...NOTE, id: first?.id ?? '', state: 'accepted' }];
	assert.deepEqual(
		onlyRow(trendOf(records, { notes })).changes.map(({ state }) => state),
		['accepted', 'suspected'],
	);
});
