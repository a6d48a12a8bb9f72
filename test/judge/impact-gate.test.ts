import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gateOf } from '../../src/judge/gate.ts';
import { gateRowOf } from '../../src/judge/gate-row.ts';
import { warnOfImpact, withUncovered } from '../../src/judge/summarise.ts';
import type { ImpactReason } from '../../src/types/impact.ts';
import { type RowSketch, resultOf } from '../support/results.ts';

const gate = (...rows: RowSketch[]) => gateOf(resultOf(rows).cells.map(gateRowOf));
const unaffected: RowSketch = { scenario: 'static', verdict: 'unaffected' };
const changed = {
	...{ omitted: 0, notExercised: 1, uncovered: 'neutral' as const },
	changes: [{ kind: 'function' as const, name: 'send', path: 'a.js', line: 3, side: 'head' as const, cells: [] }],
};

test('rows that run no changed code pass, alone and beside new ones, and hide nothing', () => {
	assert.equal(gate(unaffected).outcome, 'pass');
	assert.equal(gate(unaffected, { scenario: 'fresh', verdict: 'new' }).outcome, 'pass');
	assert.equal(gate(unaffected, { scenario: 'gone', verdict: 'removed' }).outcome, 'fail');
	assert.equal(gate(unaffected, { scenario: 'slow', verdict: 'regressed', change: -0.2 }).outcome, 'fail');
	assert.equal(gate(unaffected, { scenario: 'open', verdict: 'inconclusive', change: -0.03 }).outcome, 'inconclusive');
	assert.equal(gate(unaffected, { scenario: 'broken', verdict: 'invalid' }).outcome, 'inconclusive');
});

test('a run whose rows all have equal code is no pass', () => {
	assert.equal(gate({ scenario: 'ping', verdict: 'same-code' }).outcome, 'error');
});

test('with uncovered: neutral a passed run with code that no row runs is neutral, and names it', () => {
	const passed = gate(unaffected);
	const { outcome, neutral, reasons } = withUncovered(passed, changed);
	const words = 'Changed but not exercised by any scenario: send (a.js:3).';
	assert.deepEqual([outcome, neutral, reasons[0]], ['inconclusive', 'always', words]);
	const { uncovered: _, ...usual } = changed;
	for (const each of [usual, { ...changed, notExercised: null }, { ...changed, changes: [], notExercised: 0 }])
		assert.equal(withUncovered(passed, each), passed);
	const red = gate({ scenario: 'slow', verdict: 'regressed', change: -0.2 });
	assert.equal(withUncovered(red, changed), red);
});

test('each reason for measuring is one warning, without control characters of code under test', () => {
	const why = (name: string): ImpactReason => ({
		...{ kind: 'code', user: null, callsPerRequest: 1 },
		change: { kind: 'function', name, path: 'node_modules/a/b.js', line: 9, side: 'head' },
	});
	const because = { 'api/one': why('send'), 'api/two': why('send'), 'api/three': why('\u001b[31mx') };
	assert.deepEqual(
		warnOfImpact({ because }).map(({ message }) => message),
		[
			'Measured because send changed (a/b.js:9, 1.0× a request): api/one, api/two.',
			'Measured because \ufffd[31mx changed (a/b.js:9, 1.0× a request): api/three.',
		],
	);
});
