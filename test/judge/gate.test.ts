import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exitCode, type GateRow, gateOf, redRows } from '../../src/judge/gate.ts';
import { explainRow } from '../../src/judge/row-words.ts';
import { plainPhrase } from '../../src/text/phrase.ts';
import type { Side } from '../../src/types/units.ts';
import type { Gate, Verdict } from '../../src/types/verdict.ts';
import { decideTurns } from '../support/decisions.ts';
import { spread } from '../support/rounds.ts';

const MEASURED = decideTurns(spread(4, -0.1, 0.005)).row;

function row(verdict: Verdict, name: string, measured = verdict !== 'invalid' && verdict !== 'new'): GateRow {
	return {
		...MEASURED,
		threshold: 0.05,
		warnings: [],
		cell: `app/${name}`,
		verdict,
		...(measured ? {} : { estimate: null }),
	};
}

function wordsOf({ causes: _, ...gate }: Gate): Gate {
	return gate;
}

/** A row that `sides` broke; without sides, a break of unknown origin. */
function broken(name: string, ...sides: Side[]): GateRow {
	const warnings = sides.map((side) => ({ code: 'crashed', side, message: `${side} crashed` }));
	return { ...row('invalid', name), warnings: sides.length > 0 ? warnings : [{ code: 'no-answer', message: 'Hm' }] };
}

test('one regressed row fails the gate whatever the others are, with a sentence for each', () => {
	const gate = gateOf([row('unchanged', 'a'), row('regressed', 'b'), row('invalid', 'c'), row('regressed', 'd')]);
	const why = (name: string) => `${plainPhrase(explainRow({ ...row('regressed', 'x'), cell: name }))}.`;
	assert.match(why('app/b'), /^app\/b −9\.5 % requests\/s \(.*\)\.$/);
	assert.deepEqual([gate.outcome, gate.reasons], ['fail', [why('app/b'), why('app/d')]]);
	assert.deepEqual(gate.causes?.[0], {
		kind: 'regressed',
		rows: [{ cell: 'app/b', metric: 'throughput' }],
		sentence: why('app/b'),
	});
});

test('metrics of a cell that fail for one reason share a sentence, and the data name each row', () => {
	const memory = { ...broken('b', 'head'), metric: 'memory-peak' as const };
	const { causes } = gateOf([row('unchanged', 'a'), broken('b', 'head'), memory]);
	assert.deepEqual(causes, [
		{
			kind: 'broken',
			rows: [
				{ cell: 'app/b', metric: 'throughput' },
				{ cell: 'app/b', metric: 'memory-peak' },
			],
			sentence: 'app/b crashed, on head only: head crashed.',
		},
	]);
});

test('a row judged by another metric names it', () => {
	const judged = { ...row('regressed', 'a'), judgedBy: 'cpu-per-request' as const };
	assert.match(gateOf([judged]).reasons[0] ?? '', /^app\/a −9\.5 % CPU per request \(/);
});

test('inconclusive rows make the gate inconclusive; a break of unknown origin is never green', () => {
	assert.deepEqual(wordsOf(gateOf([row('unchanged', 'a'), row('inconclusive', 'b'), row('invalid', 'c')])), {
		outcome: 'inconclusive',
		reasons: ['Could not be measured: app/c throughput.', 'Could not be decided: app/b throughput.'],
		neutral: 'at-best',
	});
});

test('a gate names the side that broke a row, with the first words of the error', () => {
	assert.deepEqual(wordsOf(gateOf([row('unchanged', 'a'), broken('b', 'head'), broken('c', 'base')])), {
		outcome: 'fail',
		reasons: ['app/b crashed, on head only: head crashed.'],
	});
	assert.deepEqual(wordsOf(gateOf([row('unchanged', 'a'), broken('b', 'base', 'head'), broken('c', 'base')])), {
		outcome: 'inconclusive',
		reasons: ['app/c crashed, on base only: base crashed.', 'app/b crashed, on both sides: base crashed.'],
		neutral: 'always',
	});
	const differ = { ...row('invalid', 'b'), warnings: [{ code: 'bodies-differ', message: '1 on base but 2 on head' }] };
	assert.deepEqual(gateOf([row('unchanged', 'a'), differ]).reasons, [
		'app/b: head and base give different answers: 1 on base but 2 on head.',
	]);
	const gone = { ...row('removed', 'b', false), warnings: [{ code: 'removed', message: 'Only base has it.' }] };
	assert.deepEqual(gateOf([row('unchanged', 'a'), gone]).reasons, ['app/b is missing in head: Only base has it.']);
});

test('red rows have their kind; a regressed one also its change and the end of the interval nearer to zero', () => {
	const cost = { ...row('regressed', 'f'), judgedBy: 'cpu-per-request' as const };
	const dear = { ...cost, estimate: { change: 0.2, interval: { low: 0.1, high: null, confidence: 0.9 } } };
	const rows = [row('unchanged', 'a'), row('regressed', 'b'), broken('c', 'head'), broken('d', 'base'), dear];
	const metric = 'throughput';
	const nothing = { change: null, least: null };
	assert.deepEqual(redRows([...rows, row('removed', 'e', false)]), [
		{
			...{ cell: 'app/b', metric, kind: 'regressed' },
			...{ change: MEASURED.estimate?.change, least: MEASURED.estimate?.interval.high },
		},
		{ cell: 'app/c', metric, kind: 'broken', ...nothing },
		{ cell: 'app/f', metric, kind: 'regressed', change: 0.2, least: 0.1 },
		{ cell: 'app/e', metric, kind: 'removed', ...nothing },
	]);
});

test('a list of many rows is cut', () => {
	const rows = Array.from({ length: 8 }, (_, index) => row('inconclusive', `${index}`));
	assert.match(gateOf(rows).reasons[0] ?? '', /app\/4 throughput and 3 more\.$/);
});

test('unchanged, improved and one-sided rows pass', () => {
	assert.deepEqual(wordsOf(gateOf([row('unchanged', 'a')])), {
		outcome: 'pass',
		reasons: ['No regression beyond the limit in app/a throughput.'],
	});
	assert.deepEqual(gateOf([row('unchanged', 'a'), row('improved', 'b'), row('new', 'c')]).reasons, [
		'No regression beyond the limit in 2 rows. Improved: app/b throughput.',
	]);
});

test('a run without measurements is an error, never a pass', () => {
	assert.equal(gateOf([]).outcome, 'error');
	assert.equal(gateOf([row('invalid', 'a')]).outcome, 'error');
	assert.equal(gateOf([row('invalid', 'a'), row('new', 'b')]).outcome, 'error');
	assert.equal(gateOf([row('invalid', 'a'), row('inconclusive', 'b', false)]).outcome, 'error');
	assert.equal(gateOf([row('invalid', 'a'), row('inconclusive', 'b')]).outcome, 'inconclusive');
	assert.deepEqual(wordsOf(gateOf([row('new', 'a', false)])), {
		outcome: 'error',
		reasons: ['Every row exists on one side only, so nothing was measured.'],
		neutral: 'always',
	});
	assert.deepEqual(gateOf([row('new', 'a', false), row('removed', 'b', false)]).neutral, undefined);
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
