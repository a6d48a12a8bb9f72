import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exitCode, gateOf } from '../../src/judge/gate.ts';
import type { RowDecision, Verdict } from '../../src/types/verdict.ts';
import { decideTurns } from '../support/decisions.ts';
import { spread } from '../support/rounds.ts';

const MEASURED = decideTurns(spread(4, -0.1, 0.005)).row;

function row(verdict: Verdict, name: string, measured = verdict !== 'invalid' && verdict !== 'new'): RowDecision {
	return { ...MEASURED, cell: `app/${name}`, verdict, ...(measured ? {} : { estimate: null }) };
}

test('one regressed row fails the gate, whatever the others are, with a sentence for each', () => {
	const gate = gateOf([row('unchanged', 'a'), row('regressed', 'b'), row('invalid', 'c'), row('regressed', 'd')]);
	assert.deepEqual(gate, {
		outcome: 'fail',
		reasons: [
			'app/b throughput regressed: −9.5 % (interval −10.7 % to −7.2 %).',
			'app/d throughput regressed: −9.5 % (interval −10.7 % to −7.2 %).',
		],
	});
});

test('a row judged by another metric says so', () => {
	const judged = { ...row('regressed', 'a'), judgedBy: 'cpu-per-request' as const };
	assert.match(gateOf([judged]).reasons[0] ?? '', /^app\/a throughput regressed by CPU per request:/);
});

test('inconclusive and invalid rows make the gate inconclusive', () => {
	assert.deepEqual(gateOf([row('unchanged', 'a'), row('inconclusive', 'b'), row('invalid', 'c')]), {
		outcome: 'inconclusive',
		reasons: ['Could not be measured: app/c throughput.', 'Could not be decided: app/b throughput.'],
	});
});

test('many rows are not all named', () => {
	const rows = Array.from({ length: 8 }, (_, index) => row('inconclusive', `${index}`));
	assert.match(gateOf(rows).reasons[0] ?? '', /app\/4 throughput and 3 more\.$/);
});

test('pass: unchanged, improved, and rows on one side only', () => {
	assert.deepEqual(gateOf([row('unchanged', 'a')]), {
		outcome: 'pass',
		reasons: ['No drop of the threshold or more in app/a throughput.'],
	});
	assert.deepEqual(gateOf([row('unchanged', 'a'), row('improved', 'b'), row('new', 'c')]).reasons, [
		'No drop of the threshold or more in any of 2 rows. Improved: app/b throughput.',
	]);
	assert.equal(gateOf([row('new', 'a')]).outcome, 'pass');
});

test('nothing measured is an error, never a pass', () => {
	assert.equal(gateOf([]).outcome, 'error');
	assert.equal(gateOf([row('invalid', 'a')]).outcome, 'error');
	assert.equal(gateOf([row('invalid', 'a'), row('new', 'b')]).outcome, 'error');
	assert.equal(gateOf([row('invalid', 'a'), row('inconclusive', 'b', false)]).outcome, 'error');
	assert.equal(gateOf([row('invalid', 'a'), row('inconclusive', 'b')]).outcome, 'inconclusive');
});

test('exit codes by outcome and policy', () => {
	const code = (outcome: 'pass' | 'fail' | 'error' | 'inconclusive', policy: 'pass' | 'fail' | 'neutral') =>
		exitCode({ outcome, reasons: [] }, policy);
	for (const policy of ['pass', 'fail', 'neutral'] as const) {
		assert.equal(code('pass', policy), 0);
		assert.equal(code('fail', policy), 1);
		assert.equal(code('error', policy), 3);
	}
	assert.equal(code('inconclusive', 'pass'), 0);
	assert.equal(code('inconclusive', 'neutral'), 0);
	assert.equal(code('inconclusive', 'fail'), 1);
});
