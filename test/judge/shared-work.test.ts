/**
 * Servers that share a database: a passing duet needs alternating windows if a side alone could bring the database to
 * its limit.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decide } from '../../src/judge/decide.ts';
import { codesOf, decideTurns } from '../support/decisions.ts';
import { scriptPlan, scriptRounds, spread, type Turn } from '../support/rounds.ts';

const [CELL] = scriptPlan(['ping']).cells;
const SHARED = { plan: { cells: [{ ...CELL, sharesWork: true }] as NonNullable<typeof CELL>[] } };
const SAME: readonly Turn[] = spread(4, -0.003, 0.003).map((d) => ({ d, otherCpu: 0.7 }));

const confirmed = (d: number, more: Partial<Turn> = {}) =>
	scriptRounds(
		spread(4, d, 0.004).map((value) => ({ d: value, otherCpu: 0.9, ...more })),
		{ purpose: 'confirm' },
	);

test('alternating windows find a drop that a busy database may hide', () => {
	const { row, decision } = decideTurns(SAME, SHARED);
	assert.deepEqual([row.verdict, row.final, decision.confirm], ['inconclusive', false, ['app/ping']]);
	const slower = decideTurns(SAME, { ...SHARED, confirm: confirmed(-0.3) }).row;
	assert.equal(slower.verdict, 'regressed');
	assert.deepEqual(codesOf(slower), ['confirmed-alternating']);
	assert.match(
		slower.warnings[0]?.message ?? '',
		/^Measured side by side, throughput changed by −0\.3 %\. But other programs, such as the database of the servers, used 70 % of a CPU\..* −25\.9 % over 4 rounds\.$/,
	);
	const same = decideTurns(SAME, { ...SHARED, confirm: confirmed(-0.003) }).row;
	assert.equal(same.verdict, 'unchanged');
});

test('a budget without time to confirm passes nothing', () => {
	const { row } = decideTurns(SAME, { ...SHARED, ended: 'budget' });
	assert.deepEqual([row.verdict, codesOf(row)], ['inconclusive', ['unconfirmed']]);
});

for (const [label, turns, options] of [
	['of servers that share nothing', SAME, {}],
	['with a database at work for less than half of a CPU', SAME.map((turn) => ({ ...turn, otherCpu: 0.4 })), SHARED],
	['without figures of other programs', SAME.map((turn) => ({ ...turn, otherCpu: null })), SHARED],
	['of servers that leave CPU to spare', SAME.map((turn) => ({ ...turn, server: 0.6, idle: 0.4 })), SHARED],
	['in alternating windows', SAME, { plan: { ...SHARED.plan, design: 'alternating' as const } }],
] as const) {
	test(`a pass stands ${label}`, () => {
		const { row } = decideTurns(turns, options);
		assert.equal(row.verdict, 'unchanged', codesOf(row).join(' '));
	});
}

test('an improvement stands', () => {
	const faster = spread(4, 0.2, 0.003).map((d) => ({ d, otherCpu: 0.7 }));
	assert.equal(decideTurns(faster, SHARED).row.verdict, 'improved');
});

const SLOWER = spread(4, -0.2, 0.003).map((d) => ({ d, otherCpu: 0.7 }));

test('alternating windows give the size of a red', () => {
	const { row, decision } = decideTurns(SLOWER, SHARED);
	assert.deepEqual([row.verdict, row.final, decision.confirm], ['inconclusive', false, ['app/ping']]);
	const larger = decideTurns(SLOWER, { ...SHARED, confirm: confirmed(-0.5) }).row;
	assert.deepEqual([larger.verdict, codesOf(larger)], ['regressed', ['confirmed-alternating']]);
	assert.equal(larger.estimate?.change.toFixed(2), '-0.39');
});

test('a red stands without time for them, because a duet makes the database hold base back less', () => {
	const { row } = decideTurns(SLOWER, { ...SHARED, ended: 'budget' });
	assert.deepEqual([row.verdict, codesOf(row)], ['regressed', ['size-unconfirmed']]);
	assert.match(
		row.warnings[0]?.message ?? '',
		/^Measured side by side, throughput changed by −18\.1 %\. .*may be larger\./,
	);
	const few = confirmed(-0.5).slice(0, 1);
	assert.equal(decideTurns(SLOWER, { ...SHARED, confirm: few, ended: 'budget' }).row.verdict, 'regressed');
});

test('a red that alternating windows refute is not red', () => {
	assert.equal(decideTurns(SLOWER, { ...SHARED, confirm: confirmed(0) }).row.verdict, 'unchanged');
});

test("a red by CPU per request stands at the generator's limit, which hides a drop in alternating windows too", () => {
	const turns = spread(4, -0.01, 0.003).map((d) => ({ d, cpu: d - 0.2, otherCpu: 0.7, generator: 0.99 }));
	const { row } = decideTurns(turns, SHARED);
	assert.deepEqual([row.verdict, row.judgedBy, row.final], ['regressed', 'cpu-per-request', true]);
	assert.ok(!codesOf(row).includes('confirmed-alternating'));
});

test('windows in which head worked while base was loaded pass no row', () => {
	const resting = [0.01, 0.2] as const;
	const passed = decideTurns(SAME, { ...SHARED, confirm: confirmed(0, { resting }) });
	assert.deepEqual(
		[passed.row.verdict, passed.row.final, passed.decision.confirm],
		['inconclusive', false, ['app/ping']],
	);
	const { row } = decideTurns(SAME, { ...SHARED, confirm: confirmed(0, { resting }), ended: 'budget' });
	assert.deepEqual([row.verdict, codesOf(row)], ['inconclusive', ['unconfirmed', 'put-off']]);
	assert.match(
		row.warnings.at(-1)?.message ?? '',
		/^Head used 20 % of a CPU while nothing was asked of it and base was loaded; base used 1 % while head was\. /,
	);
	const red = decideTurns(SLOWER, { ...SHARED, confirm: confirmed(0, { resting }), ended: 'budget' }).row;
	assert.deepEqual([red.verdict, codesOf(red)], ['regressed', ['size-unconfirmed', 'put-off']]);
	const design = 'alternating';
	const turns = SAME.map((turn) => ({ ...turn, resting }));
	const [main] = decide(scriptPlan(['ping'], { design }), scriptRounds(turns, { design }), 'budget').rows;
	assert.ok(main);
	assert.deepEqual([main.verdict, codesOf(main)], ['inconclusive', ['put-off']]);
});

test('sides that both work a little at rest pass, and so does a head beside a base that does', () => {
	for (const resting of [
		[0.1, 0.1],
		[0.2, 0.01],
		[0.02, 0.03],
	] as const) {
		const { row } = decideTurns(SAME, { ...SHARED, confirm: confirmed(0, { resting }) });
		assert.equal(row.verdict, 'unchanged', `${resting}`);
	}
});
