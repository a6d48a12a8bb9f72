import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { acceptRedRows, weighResult } from '../../src/judge/acceptance.ts';
import { consequenceOf } from '../../src/judge/consequence.ts';
import { exitCode, gateOf } from '../../src/judge/gate.ts';
import { gateRowOf } from '../../src/judge/gate-row.ts';
import type { Result } from '../../src/types/result.ts';
import type { Side, Warning } from '../../src/types/units.ts';
import type { Acceptance, RedKind } from '../../src/types/verdict.ts';
import { resultOf } from '../support/results.ts';

const fault = (side: Side): Warning => ({ code: 'crashed', side, message: `${side} crashed` });
/** Rows of every kind that the gate distinguishes. */
const ROWS = {
	fine: { change: 0.001 },
	slower: { verdict: 'regressed', change: -0.06 },
	undecided: { verdict: 'inconclusive', change: -0.04 },
	broken: { verdict: 'invalid', warnings: [fault('head')] },
	removed: { verdict: 'removed' },
	answers: { verdict: 'invalid', warnings: [{ code: 'bodies-differ', message: 'they differ' }] },
	drifting: { change: -0.02, drift: { verdict: 'adds', policy: 'enforce', history: [-0.12] } },
	base: { verdict: 'invalid', warnings: [fault('base')] },
	nobody: { verdict: 'invalid', warnings: [{ code: 'no-answer', message: 'Hm' }] },
	new: { verdict: 'new' },
} as const;
type Row = keyof typeof ROWS;
const NAMES = Object.keys(ROWS) as Row[];
const KINDS: readonly (readonly [Row, RedKind])[] = [
	['slower', 'regressed'],
	['broken', 'broken'],
	['removed', 'removed'],
	['answers', 'answer-changed'],
	['drifting', 'adds-to-drift'],
];

/** A result with these rows, named `express/0`, `express/1` …, and their gate. */
function judged(...rows: readonly Row[]): Result {
	const result = resultOf(rows.map((row, at) => ({ scenario: `${at}`, ...ROWS[row] })));
	return { ...result, gate: gateOf(result.cells.map(gateRowOf)) };
}

function accepting(...kinds: readonly (RedKind | null)[]): Acceptance {
	return { by: 'ann', via: 'body', reason: 'x', rows: kinds.map((kind) => ({ cell: null, kind, upTo: null })) };
}

function check(result: Result): string {
	return consequenceOf({ kind: 'compared', result }, { gate: 'enforce', onInconclusive: 'pass' }).checkConclusion;
}

for (const [row, kind] of KINDS) {
	test(`a row that is ${kind} passes when that is accepted, and fails when only other kinds are`, () => {
		const result = judged('fine', row);
		assert.equal(exitCode(result.gate, 'pass'), 1);
		const passed = acceptRedRows(result, [accepting(kind)]);
		assert.deepEqual([passed.gate.outcome, exitCode(passed.gate, 'fail'), check(passed)], ['pass', 0, 'success']);
		const others = KINDS.flatMap(([, other]) => (other === kind ? [] : [accepting(other)]));
		assert.equal(acceptRedRows(result, others), result);
	});
}

test('a run without measured rows is neutral at best once its red rows are accepted, and exits with 3', () => {
	for (const rows of [['broken'], ['removed', 'removed'], ['answers', 'new'], ['broken', 'base']] as Row[][]) {
		const result = judged(...rows);
		assert.equal(check(result), 'failure');
		const accepted = acceptRedRows(result, [accepting(null)]);
		assert.deepEqual([accepted.gate.outcome, check(accepted)], ['error', 'neutral']);
		assert.equal(exitCode(accepted.gate, 'pass'), 3);
	}
	const unknown = acceptRedRows(judged('broken', 'nobody'), [accepting(null)]);
	assert.deepEqual([unknown.gate.outcome, check(unknown)], ['error', 'failure']);
});

test('a red row keeps the gate as bad as it was, even without a measured row', () => {
	const result = judged('broken', 'removed');
	const { gate } = acceptRedRows(result, [accepting('broken')]);
	assert.deepEqual([gate.outcome, gate.neutral, gate.accepted?.by], ['error', undefined, 'ann']);
	const failed = { ...result, gate: { ...result.gate, outcome: 'fail' as const } };
	assert.equal(acceptRedRows(failed, [accepting('broken')]).gate.outcome, 'fail');
	assert.equal(check(acceptRedRows(failed, [accepting(null)])), 'neutral');
});

test('an accepted slowdown was measured: beside a new row it passes, beside a broken base it is neutral', () => {
	assert.equal(check(acceptRedRows(judged('slower', 'new'), [accepting('regressed')])), 'success');
	const neutral = acceptRedRows(judged('slower', 'base'), [accepting('regressed')]);
	assert.deepEqual([neutral.gate.neutral, check(neutral)], ['always', 'neutral']);
	assert.equal(exitCode(neutral.gate, 'fail'), 0);
});

test('no acceptance turns a run green that has an open red row or no number', () => {
	const some = fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 5 });
	const kinds = fc.subarray([...KINDS.map(([, kind]) => kind), null]);
	fc.assert(
		fc.property(some, kinds, (rows, accepted) => {
			const result = acceptRedRows(judged(...rows), [accepting(...accepted)]);
			const measured = rows.some((row) => 'change' in ROWS[row]);
			const { open } = weighResult(result);
			if (open.length > 0 || !measured) assert.notEqual(check(result), 'success');
			if (open.length > 0) assert.equal(check(result), 'failure');
			assert.equal(exitCode(result.gate, 'pass') === 3, !measured);
		}),
		{ seed: 3, numRuns: 2000 },
	);
});
