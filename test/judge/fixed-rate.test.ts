import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blameOf } from '../../src/judge/gate-row.ts';
import { codesOf, decideTurns } from '../support/decisions.ts';
import { spread, type Turn } from '../support/rounds.ts';

const ROUNDS = 20;

/**
 * Rounds at 1,000 requests a second: head's CPU per request differs by `d`, and each side answers its share of the
 * rate.
 */
function turnsAt(d: number, held: readonly [number, number], more: Partial<Turn> = {}): Turn[] {
	return spread(ROUNDS, d, 0.01).map((cpu) => ({ d: 0, cpu, server: 0.3, rate: { due: 1000, held }, ...more }));
}

test('at a fixed rate CPU per request judges in place of throughput', () => {
	const slower = decideTurns(turnsAt(-0.1, [1, 1]), { ended: 'rounds' }).row;
	assert.deepEqual([slower.verdict, slower.judgedBy], ['regressed', 'cpu-per-request']);
	assert.ok(codesOf(slower).includes('fixed-rate'));
	const same = decideTurns(turnsAt(0, [1, 1]), { ended: 'rounds' }).row;
	assert.deepEqual([same.verdict, same.judgedBy], ['unchanged', 'cpu-per-request']);
	assert.deepEqual(same.guards?.fixedRate?.head, { due: 1000, held: 1.001, late: 0 });
});

test('without CPU time a throughput row at a fixed rate is never green', () => {
	const turns = turnsAt(0, [1, 1]).map((turn) => ({ ...turn, cpu: null }));
	const { row } = decideTurns(turns, { ended: 'rounds' });
	assert.equal(row.verdict, 'inconclusive');
	const early = decideTurns(turns.slice(0, 4));
	assert.deepEqual([early.row.final, early.decision.undecided], [true, []], 'nobody waits for what cannot be had');
	assert.deepEqual(codesOf(early.row), ['fixed-rate', 'metric-unavailable']);
	assert.match(early.row.warnings[1]?.message ?? '', /cannot measure CPU per request/);
});

test('a head that misses a rate that base holds is broken by head', () => {
	const { row, decision } = decideTurns(turnsAt(0, [1, 0.7]), { ended: 'rounds' });
	assert.equal(row.verdict, 'invalid');
	assert.deepEqual(
		row.warnings.map(({ code, side }) => [code, side]),
		[['rate-not-held', 'head']],
	);
	assert.match(row.warnings[0]?.message ?? '', /The head server answered 70\d of the 1,000 requests\/s it was sent/);
	// No other row has numbers, so nothing softens the gate.
	assert.deepEqual([decision.gate.outcome, decision.gate.neutral, blameOf(row)], ['error', undefined, 'head']);
});

test('a rate that both sides miss is neither green nor red', () => {
	const { row, decision } = decideTurns(turnsAt(0, [0.6, 0.6]), { ended: 'rounds' });
	assert.equal(row.verdict, 'invalid');
	assert.deepEqual(
		row.warnings.map(({ code, side }) => [code, side]),
		[
			['rate-not-held', 'base'],
			['rate-not-held', 'head'],
		],
	);
	assert.equal(decision.gate.outcome, 'error');
	assert.equal(decision.gate.neutral, 'always');
});

test('a rate at the limit of both is the fault of neither, nor is a generator that cannot send it', () => {
	const near = decideTurns(turnsAt(0, [0.985, 0.97]), { ended: 'rounds' });
	assert.deepEqual([near.row.verdict, codesOf(near.row)], ['invalid', ['rate-nearly-held']]);
	assert.notEqual(near.decision.gate.outcome, 'pass');
	assert.notEqual(near.decision.gate.outcome, 'fail');
	const bound = decideTurns(turnsAt(0, [0.99, 0.7], { generator: 0.99 }), { ended: 'rounds' });
	assert.deepEqual([bound.row.verdict, codesOf(bound.row)], ['invalid', ['rate-not-sent']]);
	assert.notEqual(bound.decision.gate.outcome, 'fail');
});

test('a machine that stands still in a round is no server that misses the rate', () => {
	const turns = turnsAt(0, [1, 1]).map((turn, at) =>
		at % 5 === 0 ? { ...turn, rate: { due: 1000, held: [0.9, 0.9] } } : turn,
	);
	assert.equal(decideTurns(turns as Turn[], { ended: 'rounds' }).row.verdict, 'unchanged');
	// One bad round at the start decides nothing, and three are too few for a verdict.
	const early = decideTurns(turnsAt(0, [1, 0.5]).slice(0, 3)).row;
	assert.deepEqual([early.verdict, early.final], ['inconclusive', false]);
	assert.equal(decideTurns(turnsAt(0, [1, 0.5]).slice(0, 3), { ended: 'budget' }).row.verdict, 'inconclusive');
});

test('the report notes latency gated without a fixed rate, and many late requests at one', () => {
	const plan = { metrics: ['latency-p99'] as const };
	const free = decideTurns(spread(ROUNDS, 0, 0.01), { plan, ended: 'rounds' }).row;
	assert.ok(codesOf(free).includes('latency-saturated'));
	const rated = decideTurns(turnsAt(0, [1, 1]), { plan, ended: 'rounds' }).row;
	assert.deepEqual(codesOf(rated), []);
	const late = decideTurns(turnsAt(0, [1, 1], { rate: { due: 1000, late: 0.03 } }), { plan, ended: 'rounds' }).row;
	assert.deepEqual(codesOf(late), ['late-requests']);
	assert.match(late.warnings[0]?.message ?? '', /3 % of base's, 3 % of head's/);
});
