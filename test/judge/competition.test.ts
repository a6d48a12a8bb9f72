/** Reds of servers that leave CPU idle: the decision allows for the competition of base, and for nothing else. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { largestContention, largestLoss } from '../../src/judge/doubts.ts';
import { assertClose } from '../support/close.ts';
import { codesOf, decideTurns } from '../support/decisions.ts';
import { scriptRounds, spread, type Turn } from '../support/rounds.ts';

/** Head waits longer without more CPU time; both sides together use all CPU that is not idle. */
function waiting(drops: readonly number[], idle: number, more: Partial<Turn> = {}): Turn[] {
	return drops.map((d) => ({ d, cpu: 0, server: Math.min(0.27, 1 - idle), idle, ...more }));
}

test('the more the CPU is idle, the less of the time both sides can want it', () => {
	for (const [idle, contention] of [
		[1, 0],
		[0.81, 0.01],
		[0.64, 0.04],
		[0.25, 0.25],
		[0, 1],
	] as const)
		assertClose(largestContention(idle), contention, 1e-12);
});

test('idle time comes from all counted windows, and only if each has one', () => {
	const cellsOf = (turns: readonly Turn[]) => scriptRounds(turns).flatMap(({ cells }) => cells);
	assertClose(
		largestLoss(
			cellsOf([
				{ d: 0, idle: 0.5 },
				{ d: 0, idle: 0.78, solo: [1, 1] },
			]),
		),
		-2 * Math.log(0.96),
		1e-12,
	);
	assert.equal(largestLoss(cellsOf([{ d: 0, idle: 0.5 }, { d: 0 }])), null);
	assert.equal(largestLoss([]), null);
});

test('base delays head only while base runs: with other programs on the CPU, less than the time that is not idle', () => {
	const cells = scriptRounds([{ d: 0, cpu: 0, idle: 0, server: 0.02 }]).flatMap((round) => round.cells);
	assertClose(largestLoss(cells), -2 * Math.log(0.99), 1e-9);
	const { row } = decideTurns(waiting(spread(4, -0.155, 0.005), 0, { server: 0.02 }));
	assert.equal(row.verdict, 'regressed');
	assert.deepEqual(codesOf(row), ['servers-wait']);
});

test('5 ms of waiting made 6 ms are red at the first look, without alternating windows', () => {
	const { row, decision } = decideTurns(waiting(spread(4, -0.155, 0.005), 0.73));
	assert.equal(row.verdict, 'regressed');
	assert.equal(row.judgedBy, 'throughput');
	assert.deepEqual(codesOf(row), ['servers-wait']);
	assertClose(row.estimate?.mean, -0.155, 1e-9);
	assert.equal(decision.gate.outcome, 'fail');
});

test('a red that an allowance for competition removes waits for alternating windows', () => {
	for (const [label, turns] of Object.entries({
		'too small': waiting(spread(4, -0.065, 0.001), 0.73),
		'too busy': waiting(spread(4, -0.155, 0.001), 0.3),
		'busy with something else': waiting(spread(4, -0.155, 0.001), 0.3, { server: 0.2 }),
		'idle time unknown': waiting(spread(4, -0.155, 0.001), 0.73).map(({ idle, ...turn }) => turn),
	}))
		assert.equal(decideTurns(turns).row.needsConfirmation, true, label);
});

test('a likely but unproven red gets more rounds', () => {
	const { row, decision } = decideTurns(waiting(spread(4, -0.155, 0.0236), 0.73));
	assert.deepEqual([row.final, row.needsConfirmation, decision.undecided], [false, false, ['app/ping']]);
	const more = decideTurns(waiting(spread(6, -0.155, 0.0236), 0.73)).row;
	assert.equal(more.verdict, 'regressed');
	assert.deepEqual(codesOf(more), ['servers-wait']);
});

test('servers without spare CPU are confirmed as before, however idle the CPU is reported', () => {
	const turns = spread(4, -0.08, 0.003).map((d) => ({ d, cpu: d + 0.08, idle: 0.05 }));
	assert.equal(decideTurns(turns).row.needsConfirmation, true);
});
