import assert from 'node:assert/strict';
import { test } from 'node:test';
import { consequenceOf } from '../../../src/judge/consequence.ts';
import { type OutcomeOutputs, outputsOf } from '../../../src/report/github/conclusion-outputs.ts';
import type { Conclusion } from '../../../src/types/action-run.ts';
import { commentCase } from '../../support/comment-cases.ts';
import { type RowSketch, resultOf } from '../../support/results.ts';

const outputs = (conclusion: Conclusion): OutcomeOutputs =>
	outputsOf(conclusion, consequenceOf(conclusion, { gate: 'enforce', onInconclusive: 'pass' }));
const worstOf = (...rows: readonly RowSketch[]): string =>
	outputs({ kind: 'compared', result: resultOf(rows) })['worst-change'];

test('outputs count the rows of each verdict and name the worst change', () => {
	assert.deepEqual(outputs(commentCase('several').conclusion), {
		outcome: 'fail',
		regressed: '2',
		improved: '1',
		inconclusive: '1',
		invalid: '0',
		broken: '0',
		removed: '0',
		'worst-change': '-0.122',
	});
});

test('outputs count rows that head broke, rows that base broke and rows that head lacks separately', () => {
	const { invalid, broken, removed, outcome } = outputs(commentCase('everything-wrong').conclusion);
	assert.deepEqual({ invalid, broken, removed, outcome }, { invalid: '3', broken: '1', removed: '1', outcome: 'fail' });
});

test('the worst change is that of the worst regressed row, else the lowest', () => {
	const regressed = { scenario: 'a', verdict: 'regressed', change: -0.0612 } as const;
	const open = { scenario: 'b', verdict: 'inconclusive', change: -0.2 } as const;
	assert.equal(worstOf(open, regressed), '-0.0612');
	assert.equal(worstOf(open, { scenario: 'c', change: 0.01 }), '-0.2');
	assert.equal(worstOf({ scenario: 'c', change: 0.0512345 }), '0.0512');
	assert.equal(worstOf({ scenario: 'c', change: -0.00001 }), '0');
	assert.equal(worstOf({ scenario: 'c', verdict: 'invalid' }), '');
});

test('a higher cost is reported as the equivalent drop of throughput', () => {
	const row = { scenario: 'a', verdict: 'regressed', change: -0.1, judgedBy: 'cpu-per-request' } as const;
	assert.equal(worstOf(row), '-0.098');
});

test('a run without a comparison has an outcome and no counts', () => {
	const none = {
		regressed: '0',
		improved: '0',
		inconclusive: '0',
		invalid: '0',
		broken: '0',
		removed: '0',
		'worst-change': '',
	};
	assert.deepEqual(outputs({ kind: 'cancelled' }), { outcome: 'error', ...none });
	assert.deepEqual(outputs(commentCase('nothing-relevant-changed').conclusion), { outcome: 'pass', ...none });
	assert.deepEqual(outputs(commentCase('base-does-not-build').conclusion), { outcome: 'inconclusive', ...none });
});
