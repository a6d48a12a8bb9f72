/** Which change the finding of a bisect belongs to, and which parts of it stay. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bisectedNote } from '../../src/trend/change-life.ts';
import { trendOf } from '../../src/trend/trend-of.ts';
import type { ChangeNote, ChangePoint } from '../../src/types/trend.ts';
import { bisectedWith } from '../support/baselines/bisected.ts';
import { syntheticRecords } from '../support/baselines/records.ts';

const AT = '2026-03-02T00:00:00Z';
const LEVELS = syntheticRecords({
	...{ seed: 15, cells: ['koa/ping'], commits: 60 },
	steps: [
		{ commit: 20, size: -0.04 },
		{ commit: 44, size: -0.05 },
	],
});
const TREND = trendOf(LEVELS);
const [FIRST, SECOND] = (TREND.rows[0]?.changes ?? []) as [ChangePoint, ChangePoint];
const shaOf = (commit: number) => LEVELS[commit]?.commit.sha ?? '';
const range = (good: number, bad: number) => ({ good: shaOf(good), bad: shaOf(bad) });
const noted = (commit: number | string, rest: Parameters<typeof bisectedWith>[1] = range(0, 59)) =>
	bisectedNote(TREND, bisectedWith({ commit: typeof commit === 'string' ? commit : shaOf(commit) }, rest), AT);

test('the change that may have begun at the commit is bisected, however wide the range was', () => {
	assert.ok(FIRST && SECOND);
	assert.equal(noted(20)?.id, FIRST.id);
	assert.equal(noted(44)?.id, SECOND.id);
	const note = noted(20);
	assert.deepEqual([note?.state, note?.by, note?.at, note?.commit], ['bisected', 'bisect', AT, shaOf(20)]);
	assert.equal(note?.named?.probability, 0.993);
});

test('a commit that main never measured belongs to the only change in the range', () => {
	const unmeasured = 'd'.repeat(40);
	assert.equal(noted(unmeasured, range(12, 30))?.id, FIRST.id);
	assert.equal(noted(unmeasured, range(0, 59)), null, 'two changes are in it');
	assert.equal(noted(unmeasured, range(25, 40)), null, 'none is in it');
	assert.equal(noted(unmeasured, { good: 'e'.repeat(40), bad: shaOf(59) }), null, 'an end that is not known');
});

test('another row, another direction, and a settled change take no finding', () => {
	assert.equal(noted(20, { ...range(0, 59), scenario: 'query' }), null);
	assert.equal(noted(20, { ...range(0, 59), metric: 'cpu-per-request' }), null);
	assert.equal(noted(20, { ...range(0, 59), step: 0.04 }), null);
	for (const state of ['accepted', 'repaired'] as const) {
		const note: ChangeNote = { id: FIRST.id, state, by: 'ada', at: AT, issue: 3 };
		const trend = trendOf(LEVELS, { notes: [note] });
		assert.equal(bisectedNote(trend, bisectedWith({ commit: shaOf(20) }, range(12, 30)), AT), null, state);
	}
});

test('a range with unmeasurable commits has no single culprit', () => {
	const note = bisectedNote(TREND, bisectedWith({ commit: shaOf(20), skipped: 2 }, range(0, 59)), AT);
	assert.deepEqual([note?.commit, note?.named?.commit], [null, shaOf(20)]);
});

test('the named commit stays with the change when later notes contain less, and the state is bisected until it is repaired', () => {
	const named = noted(20) as ChangeNote;
	const later: ChangeNote = { id: FIRST.id, state: 'bisected', by: 'proof', at: '2026-03-03T00:00:00Z', issue: 7 };
	const [change] = trendOf(LEVELS, { notes: [named, later] }).rows[0]?.changes ?? [];
	assert.deepEqual([change?.state, change?.note?.issue, change?.note?.commit], ['bisected', 7, shaOf(20)]);
	assert.deepEqual(change?.note?.named, named.named);
	const repaired = syntheticRecords({
		...{ seed: 15, cells: ['koa/ping'], commits: 60 },
		steps: [
			{ commit: 20, size: -0.04 },
			{ commit: 40, size: 0.04 },
		],
	});
	const back = trendOf(repaired, { notes: [named] }).rows[0]?.changes[0];
	assert.deepEqual([back?.state, back?.note?.named?.commit], ['repaired', shaOf(20)]);
});
