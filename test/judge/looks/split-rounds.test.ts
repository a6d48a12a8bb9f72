import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addLook, UNTESTED } from '../../../src/judge/looks/sequential.ts';
import { confirmationOf } from '../../../src/judge/rule.ts';
import { locationOf, probabilityAbove } from '../../../src/stats/location.ts';
import { robustSdOf } from '../../../src/stats/moments.ts';
import { decideRow, LIMITS, tAlone } from '../../oracle/single-row.ts';
import { assertClose } from '../../support/close.ts';
import { codesOf, decideTurns } from '../../support/decisions.ts';
import { spread } from '../../support/rounds.ts';

/** A server against itself, in percent: the rounds measured in docs/statistics.md, its second half first. */
const MEASURED = [
	-35.2, 0.6, 2.1, 6.9, 24.1, -0.7, -2.1, -2.4, -0.6, -2.1, 0.3, -0.1, 0.6, 0.8, 0.1, 2.6, 0, 2, -0.3, -3.2,
].map((percent) => percent / 100);
const BUDGET = { ended: 'budget' } as const;

test('ranks decide rounds that split into different speeds, and t alone cannot', () => {
	assert.equal(decideRow(MEASURED, tAlone).verdict, 'inconclusive');
	const { row } = decideTurns(MEASURED, { ended: 'rounds' });
	assert.equal(row.verdict, 'unchanged');
	assert.equal(row.estimate?.rounds, 20);
	assertClose(row.estimate?.change, Math.expm1(row.estimate?.centre ?? 0));
	assert.ok(Math.abs(row.estimate?.change ?? 1) < 0.001, 'rounds far out do not carry the estimate');
	assert.ok((row.estimate?.interval.low ?? -1) > -0.02 && (row.estimate?.interval.high ?? 1) < 0.02);
	assert.deepEqual(codesOf(row), ['split-rounds']);
	assert.match(
		row.warnings[0]?.message ?? '',
		/at a different speed from start to end \(3 of 20 rounds are outliers\)/,
	);
});

test('the smallest decidable threshold follows the robust spread where ranks decide', () => {
	const { row } = decideTurns(MEASURED, { ended: 'rounds' });
	assertClose(row.smallestDecidableThreshold, 1 - Math.exp(-1.7 * 1.4 * robustSdOf(row.estimate?.d ?? [])), 1e-9);
	const five = decideTurns(MEASURED.slice(0, 5), BUDGET).row;
	assertClose(five.smallestDecidableThreshold, 1 - Math.exp(-1.7 * (five.estimate?.sd ?? 0) * 2), 1e-9);
});

test('the note on split rounds is absent with ordinary spread, few rounds or correlated ones', () => {
	assert.deepEqual(codesOf(decideTurns(spread(20, -0.04, 0.06), { ended: 'rounds' }).row), []);
	assert.deepEqual(codesOf(decideTurns(MEASURED.slice(0, 8), BUDGET).row), []);
	const drifting = [...Array(5).fill(-0.01), ...Array(5).fill(0.01), -0.5, -0.5].map((d, index) => d + index / 1e4);
	const once = { looks: [{ rounds: 12, weightRegressed: 1, weightUnchanged: 1 }] };
	const { row, decision } = decideTurns(drifting, { ...BUDGET, plan: once });
	assert.deepEqual(codesOf(decision), ['correlated-rounds']);
	assert.deepEqual(codesOf(row), []);
	assert.equal(row.verdict, 'inconclusive');
});

test('a green needs an estimate above the threshold: a mean that alone excludes a drop decides nothing', () => {
	const lopsided = [...Array(15).fill(-0.06), ...Array(5).fill(0.3)];
	const location = locationOf(lopsided);
	assert.ok(location && location.centre < LIMITS.threshold);
	const last = { rounds: 20, weightRegressed: 1, weightUnchanged: 1 };
	assert.ok(probabilityAbove(location, LIMITS.threshold) < 0.05, 'the mean lies clearly above');
	const test = addLook(UNTESTED, location, LIMITS, last);
	assert.equal(confirmationOf({ location, test, limits: LIMITS }, false), null);
	assert.equal(decideTurns(lopsided, { plan: { looks: [last] } }).row.verdict, 'inconclusive');
});
