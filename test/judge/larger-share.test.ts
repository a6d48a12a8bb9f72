/**
 * A side with more threads gets over half of the CPU in a duet: a pass that depends on that needs alternating windows.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codesOf, decideTurns } from '../support/decisions.ts';
import { scriptRounds, spread, type Turn } from '../support/rounds.ts';

/**
 * Rounds in which throughput changes by about `d` and the cost of a request rises by `cost`: head's share of the CPU
 * follows.
 */
const costing = (d: number, cost: number, more: Partial<Turn> = {}): readonly Turn[] =>
	spread(4, d, 0.003).map((value) => ({ d: value, cpu: -cost, ...more }));
/** Head has 52.5 % of the CPU. */
const HIDDEN = costing(0, 0.1);

const confirmed = (d: number) =>
	scriptRounds(
		spread(4, d, 0.004).map((value) => ({ d: value })),
		{ purpose: 'confirm' },
	);

test('alternating windows find a drop that a larger share of the CPU hides', () => {
	const { row, decision } = decideTurns(HIDDEN);
	assert.deepEqual([row.verdict, row.final, decision.confirm], ['inconclusive', false, ['app/ping']]);
	const slower = decideTurns(HIDDEN, { confirm: confirmed(-0.1) }).row;
	assert.deepEqual([slower.verdict, codesOf(slower)], ['regressed', ['confirmed-alternating']]);
	assert.match(slower.warnings[0]?.message ?? '', /throughput \(.*\) and CPU per request \(\+10\.5 %\) disagree/);
	assert.equal(decideTurns(HIDDEN, { confirm: confirmed(0) }).row.verdict, 'unchanged');
});

test('alternating windows also check an improvement behind a larger share', () => {
	const { row, decision } = decideTurns(costing(0.057, 0.06));
	assert.deepEqual([row.final, decision.confirm], [false, ['app/ping']]);
});

test('a budget without time to confirm passes nothing', () => {
	const { row } = decideTurns(HIDDEN, { ended: 'budget' });
	assert.deepEqual([row.verdict, codesOf(row)], ['inconclusive', ['unconfirmed']]);
});

for (const [label, turns, plan] of [
	['where a request costs a little more', costing(0, 0.03), {}],
	['of servers that leave CPU to spare', costing(0, 0.1, { server: 0.6, idle: 0.4 }), {}],
	['in alternating windows', HIDDEN, { design: 'alternating' as const }],
] as const) {
	test(`a pass stands ${label}`, () => {
		const { row } = decideTurns(turns, { plan });
		assert.equal(row.verdict, 'unchanged', codesOf(row).join(' '));
	});
}
