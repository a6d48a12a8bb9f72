import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decide } from '../../src/judge/decide.ts';
import { planLooks } from '../../src/plan/looks.ts';
import { studentCdf } from '../../src/stats/distributions.ts';
import { assertClose } from '../support/close.ts';
import { codesOf, decideTurns } from '../support/decisions.ts';
import { scriptPlan, scriptRound, scriptRounds, spread, type Turn } from '../support/rounds.ts';

const CRASH = { code: 'crashed', side: 'head', message: 'Head exited with code 1.' } as const;
const WRONG = { code: 'wrong-body', side: 'head', message: 'Head answered something else.' } as const;

const DEAD = { code: 'crashed', side: 'base', message: 'Base exited with code 1.' } as const;
const NO_START = { code: 'never-listened', side: 'base', message: 'Base never listened.' } as const;
const DIFFERENT = { code: 'bodies-differ', side: null, message: 'Base and head disagree.' } as const;

test('a fault in any round makes the row invalid at once, with the first fault of each side that has one', () => {
	const { row, decision } = decideTurns([0, { d: 0.3, faults: [CRASH, WRONG] }, { d: 0, faults: [WRONG] }]);
	assert.equal(row.verdict, 'invalid');
	assert.equal(row.final, true);
	assert.equal(row.estimate, null);
	assert.deepEqual(row.warnings, [{ ...CRASH, once: true }]);
	assert.deepEqual(decision.undecided, []);
});

test('if both sides break, both are named; a fault of neither counts only if no side has one', () => {
	const both = decideTurns([{ d: 0, faults: [CRASH, DIFFERENT, DEAD, WRONG] }]).row;
	assert.deepEqual(both.warnings, [
		{ ...CRASH, once: true },
		{ ...DEAD, once: true },
	]);
	const { code, message } = DIFFERENT;
	assert.deepEqual(decideTurns([{ d: 0, faults: [DIFFERENT, DIFFERENT] }]).row.warnings, [{ code, message }]);
	const silent = decideTurns([{ d: 0, answers: 0 }]).row;
	assert.deepEqual(
		silent.warnings.map(({ side, once }) => [side, once]),
		[
			['base', true],
			['head', true],
		],
	);
});

test('a server that does not start was tried twice, so its fault occurred more than once', () => {
	assert.deepEqual(decideTurns([{ d: 0, faults: [NO_START] }]).row.warnings, [NO_START]);
});

test('a fault in a confirm round counts too', () => {
	const doubtful = spread(4, -0.08, 0.003).map((d) => ({ d, cpu: d + 0.08 }));
	const confirm = scriptRounds([{ d: 0, faults: [CRASH] }], { purpose: 'confirm' });
	assert.equal(decideTurns(doubtful, { confirm }).row.verdict, 'invalid');
});

test('a later fault does not revoke a final verdict', () => {
	const { row } = decideTurns([...spread(4, -0.1, 0.003), { d: 0, faults: [CRASH] }]);
	assert.equal(row.verdict, 'regressed');
});

test('more than 0.1 % unexpected or failed answers over all rounds make the row invalid', () => {
	const quiet = spread(3, 0, 0.01);
	assert.equal(decideTurns([...quiet, { d: 0, unexpected: 8 }]).row.verdict, 'unchanged', '32 of 32000 is allowed');
	const wrong = decideTurns([...quiet, { d: 0, unexpected: 9 }]).row;
	assert.equal(wrong.verdict, 'invalid');
	assert.deepEqual(
		wrong.warnings.map(({ code, side }) => [code, side]),
		[['unexpected-answers', 'head']],
	);
	assert.ok((wrong.guards?.nonExpected ?? 0) > 0.001);
	assert.equal(decideTurns([{ d: 0, errors: 9 }]).row.verdict, 'invalid');
});

test('a side without answers is invalid, not infinitely slower', () => {
	const { row } = decideTurns([{ d: Number.NEGATIVE_INFINITY, cpu: 0 }]);
	assert.equal(row.verdict, 'invalid');
	assert.deepEqual(codesOf(row), ['no-answers']);
});

test('from 9 rounds on, one wild round neither makes nor hides a red', () => {
	const { row, decision } = decideTurns([-0.2, ...Array(13).fill(-0.0505)], { ended: 'budget' });
	assert.ok((row.estimate?.mean ?? 0) < Math.log(0.95) && (row.estimate?.centre ?? -1) > Math.log(0.95));
	assert.equal(row.verdict, 'unchanged');
	assert.equal(decision.gate.outcome, 'pass');
	const hidden = decideTurns([0.3, ...spread(13, -0.08, 0.004)]).row;
	assert.ok((hidden.estimate?.change ?? 0) < -0.07);
	assert.equal(hidden.verdict, 'regressed');
});

test('correlated rounds widen the standard error from 6 rounds on, and the report notes it', () => {
	const slow = [-0.03, -0.02, -0.01, 0.01, 0.02, 0.03].map((noise) => noise - 0.04);
	const { row, decision } = decideTurns(slow);
	const lag1 = row.estimate?.lag1 ?? 0;
	assert.ok(lag1 > 0.2);
	const sd = row.estimate?.sd ?? 0;
	assertClose(row.estimate?.se, (sd / Math.sqrt(6)) * Math.sqrt((1 + lag1) / (1 - lag1)), 1e-9);
	assert.deepEqual(codesOf(decision), ['correlated-rounds']);
	const single = decideTurns(slow, {
		plan: {
			looks: planLooks(6)
				.slice(1)
				.map((look) => ({ ...look, weightRegressed: 1 })),
		},
	});
	const { mean = 0, se = 0 } = single.row.estimate ?? {};
	assertClose(single.row.pRegressed, studentCdf((mean - Math.log(0.975)) / se, 5), 1e-9);
	const five = decideTurns(slow.slice(0, 5));
	assertClose(five.row.estimate?.se, (five.row.estimate?.sd ?? 0) / Math.sqrt(5), 1e-9);
	assert.deepEqual(codesOf(five.decision), []);
});

test('a machine event discards the round for all cells, but no more than one round in ten', () => {
	const names = ['ping', 'json', 'html'];
	const plan = scriptPlan(names);
	const noise = spread(20, -0.04, 0.06);
	const rounds = (slowRounds: Record<number, readonly string[]>) =>
		noise.map((d, index) => {
			const slow = slowRounds[index + 1] ?? [];
			const turn = (name: string): Turn => ({
				d: slow.includes(name) ? d - 0.3 : d,
				speed: slow.includes(name) ? 0.5 : 1,
			});
			return scriptRound(index + 1, Object.fromEntries(names.map((name) => [name, turn(name)])));
		});
	assert.deepEqual(decide(plan, rounds({}), null).discardedRounds, []);
	assert.deepEqual(decide(plan, rounds({ 7: ['ping'] }), null).discardedRounds, [], 'one cell of three');
	const two = decide(plan, rounds({ 7: ['ping', 'json'], 12: names }), 'rounds');
	assert.deepEqual(two.discardedRounds, [7, 12]);
	assert.deepEqual(codesOf(two), ['machine-event']);
	assert.equal(two.rows[0]?.estimate?.rounds, 18);
	assert.ok(Math.abs(two.rows[0]?.estimate?.mean ?? 1) < 0.06, 'the slow rounds did not enter');
	assert.deepEqual(decide(plan, rounds({ 3: names, 7: names, 12: names }), null).discardedRounds, [3, 7]);
	assert.deepEqual(decide(plan, rounds({ 3: names }).slice(0, 9), null).discardedRounds, [], 'below ten rounds');
});

test('a round in which one side alone is slow is a regression, not a machine event', () => {
	const turns = [...Array(10).fill(0), Math.log(0.5), 0];
	assert.deepEqual(decideTurns(turns).decision.discardedRounds, []);
});
