import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { renderJson } from '../../src/formats/json-files.ts';
import { acceptRedRows, weighResult } from '../../src/judge/acceptance.ts';
import type { Acceptance, AcceptedRows } from '../../src/types/verdict.ts';
import { resultCase } from '../support/result-cases.ts';
import { cellOf, resultOf } from '../support/results.ts';

const EVERYTHING: Acceptance = { by: 'octocat', via: 'body', reason: 'a security fix' };

function of(...rows: AcceptedRows[]): Acceptance {
	return { ...EVERYTHING, rows };
}

function upTo(cell: string | null, size: number): AcceptedRows {
	return { cell, kind: 'regressed', upTo: size };
}

/** A failed result with these rows of express. */
function failing(...changes: readonly (readonly [string, number, number])[]) {
	const cells = changes.map(([scenario, change, margin]) =>
		cellOf({ server: 'express', scenario, verdict: 'regressed', change, margin }),
	);
	return resultOf(cells, 'fail');
}

test('accepting everything leaves rows, verdicts and reasons unchanged', () => {
	const failed = resultCase('one-regressed');
	const { gate, ...rest } = acceptRedRows(failed, [EVERYTHING]);
	assert.deepEqual(gate, { ...failed.gate, outcome: 'pass', accepted: EVERYTHING });
	const { gate: failedGate, ...others } = failed;
	assert.deepEqual(rest, others);
	assert.equal(failedGate.outcome, 'fail');
});

test('a result without red rows has nothing to accept', () => {
	for (const name of ['unchanged', 'inconclusive', 'base-broken', 'base-never-starts']) {
		const result = resultCase(name);
		assert.equal(acceptRedRows(result, [EVERYTHING]), result);
	}
});

test('an accepted size covers the change and sizes indistinguishable from it, but no later larger one', () => {
	const accepted = [of(upTo('express/ping', 0.06))];
	const outcome = (change: number, margin: number) =>
		acceptRedRows(failing(['ping', change, margin]), accepted).gate.outcome;
	assert.equal(outcome(-0.06, 0.01), 'pass');
	assert.equal(outcome(-0.075, 0.02), 'pass');
	assert.equal(outcome(-0.075, 0.01), 'fail');
	assert.equal(outcome(-0.5, 0.02), 'fail');
});

test('noise does not stretch a size: over twice of it is another change, whatever the interval', () => {
	const accepted = [of(upTo('express/ping', 0.06))];
	assert.equal(acceptRedRows(failing(['ping', -0.3, 0.29]), accepted).gate.outcome, 'fail');
	assert.equal(acceptRedRows(failing(['ping', -0.119, 0.1]), accepted).gate.outcome, 'pass');
});

test('the accepted size of a cost, where more is worse, is that of the rise', () => {
	const cost = (change: number) => {
		const cell = cellOf({ server: 'express', scenario: 'ping', verdict: 'regressed', change: -0.1 });
		const interval = { low: change - 0.01, high: change + 0.01, confidence: 0.9 };
		return resultOf([{ ...cell, judgedBy: 'cpu-per-request', change, interval }], 'fail');
	};
	const accepted = [of(upTo(null, 0.1))];
	assert.equal(acceptRedRows(cost(0.105), accepted).gate.outcome, 'pass');
	assert.equal(acceptRedRows(cost(0.12), accepted).gate.outcome, 'fail');
});

test('a row without acceptance keeps the gate failed, and the gate names who accepted the others', () => {
	const failed = failing(['ping', -0.06, 0.01], ['json-get', -0.06, 0.01]);
	const result = acceptRedRows(failed, [of(upTo('express/ping', 0.06))]);
	assert.equal(result.gate.outcome, 'fail');
	const { accepted, open } = weighResult(result);
	assert.deepEqual(
		[accepted.map(({ cell }) => cell), open.map(({ cell }) => cell)],
		[['express/ping'], ['express/json-get']],
	);
});

test('accepting a row accepts no inconclusive row beside it', () => {
	const { outcome } = acceptRedRows(resultCase('several'), [EVERYTHING]).gate;
	assert.equal(outcome, 'inconclusive');
	const broken = cellOf({ scenario: 'broken', verdict: 'invalid' });
	const result = resultOf([...failing(['ping', -0.06, 0.01]).cells, broken], 'fail');
	assert.equal(acceptRedRows(result, [EVERYTHING]).gate.outcome, 'inconclusive');
});

test('of several acceptances only the one that covers most counts; they do not add up', () => {
	const failed = failing(['a', -0.06, 0.01], ['b', -0.07, 0.01], ['c', -0.08, 0.01]);
	const one = { ...of(upTo('express/a', 0.06)), by: 'ann' };
	const two = { ...of(upTo('express/b', 0.1), upTo('express/c', 0.1)), by: 'bob' };
	const { gate } = acceptRedRows(failed, [one, two]);
	assert.deepEqual([gate.outcome, gate.accepted?.by], ['fail', 'bob']);
	assert.equal(acceptRedRows(failed, [one, two, EVERYTHING]).gate.outcome, 'pass');
});

test('an acceptance that covers no red row leaves the result unchanged', () => {
	const failed = failing(['ping', -0.06, 0.01]);
	for (const rows of [
		[],
		[upTo('express/pong', 1)],
		[{ cell: 'express/ping', kind: 'removed', upTo: null } as const],
	]) {
		assert.equal(acceptRedRows(failed, [of(...rows)]), failed);
	}
	assert.equal(acceptRedRows(failed, []), failed);
});

test('two rows of one name, possible in a forged artifact, are both weighed', () => {
	const failed = failing(['ping', -0.06, 0.01], ['ping', -0.5, 0.01]);
	assert.equal(acceptRedRows(failed, [of(upTo('express/ping', 0.06))]).gate.outcome, 'fail');
});

test('the result file records who accepted which rows, why and for which commit', () => {
	const acceptance: Acceptance = { ...of(upTo(null, 0.2)), via: 'comment', headSha: 'a'.repeat(40) };
	const { gate } = JSON.parse(renderJson(acceptRedRows(resultCase('one-regressed'), [acceptance])));
	assert.deepEqual(gate.accepted, acceptance);
	assert.deepEqual(Object.keys(gate), ['outcome', 'reasons', 'causes', 'accepted']);
});

const scenario = fc.constantFrom('a', 'b', 'c', 'd');
const drops = fc.uniqueArray(fc.tuple(scenario, fc.double({ min: -0.9, max: -0.01, noNaN: true })), {
	minLength: 1,
	selector: ([name]) => name,
});
const rows: fc.Arbitrary<AcceptedRows> = fc.record({
	cell: fc.option(scenario.map((name) => `express/${name}`)),
	kind: fc.option(fc.constantFrom('regressed', 'broken', 'removed', 'answer-changed')),
	upTo: fc.option(fc.double({ min: 0.001, max: 1, noNaN: true })),
});
const acceptances = fc.array(
	fc.option(fc.array(rows, { maxLength: 4 })).map((some): Acceptance => (some ? of(...some) : EVERYTHING)),
	{ maxLength: 3 },
);

test('the gate of any result passes only when one acceptance covers every red row', () => {
	fc.assert(
		fc.property(drops, acceptances, (changes, list) => {
			const failed = failing(...changes.map(([name, change]) => [name, change, -change / 4] as const));
			const result = acceptRedRows(failed, list);
			const { open } = weighResult(result);
			assert.equal(result.gate.outcome === 'pass', open.length === 0 && result.gate.accepted !== undefined);
			assert.deepEqual(result.gate.reasons, failed.gate.reasons);
			assert.deepEqual(result.cells, failed.cells);
		}),
		{ seed: 1, numRuns: 1000 },
	);
});

test('accepting more never makes a result redder', () => {
	fc.assert(
		fc.property(drops, acceptances, rows, (changes, list, more) => {
			const failed = failing(...changes.map(([name, change]) => [name, change, -change / 4] as const));
			const before = acceptRedRows(failed, list);
			const wider = list.map((each) => (each.rows ? of(...each.rows, more) : each));
			for (const after of [acceptRedRows(failed, wider), acceptRedRows(failed, [...list, of(more)])]) {
				assert.ok(weighResult(after).open.length <= weighResult(before).open.length);
				if (before.gate.outcome === 'pass') assert.equal(after.gate.outcome, 'pass');
			}
		}),
		{ seed: 2, numRuns: 1000 },
	);
});
