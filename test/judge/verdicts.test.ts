import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decide } from '../../src/judge/decide.ts';
import { planLooks } from '../../src/plan/looks.ts';
import { assertClose } from '../support/close.ts';
import { codesOf, decideTurns } from '../support/decisions.ts';
import { scriptPlan, scriptRound, scriptRounds, spread } from '../support/rounds.ts';

test('sequential p-values agree with SciPy over three looks', () => {
	const d = [-0.061, -0.043, -0.078, -0.052, -0.031, -0.066, -0.049, -0.089, -0.055];
	// python3 test/oracle/reference.py, "sequential". The row is red at the third look and not earlier.
	const { row } = decideTurns(d);
	assertClose(row.pRegressed, 0.00440893744754044, 1e-9);
	assert.equal(row.pUnchanged, 1);
	assert.equal(row.pImproved, 1);
	assert.equal(row.verdict, 'regressed');
	assert.equal(decideTurns(d.slice(0, 8)).row.final, false);
});

test('no look before 4 rounds: even a huge drop stays open, with its numbers shown', () => {
	const { row, decision } = decideTurns(spread(3, -0.5, 0.001));
	assert.equal(row.final, false);
	assert.equal(row.verdict, 'inconclusive');
	assert.equal(row.pRegressed, null);
	assertClose(row.estimate?.mean, -0.5, 1e-9);
	assert.deepEqual(decision.undecided, ['app/ping']);
});

test('regressed: significant, and the estimate at or beyond the threshold', () => {
	const { row, decision } = decideTurns(spread(4, -0.1, 0.005));
	assert.equal(row.verdict, 'regressed');
	assert.equal(row.final, true);
	assert.deepEqual(decision.undecided, []);
	assert.equal(decision.gate.outcome, 'fail');
	assert.ok((row.estimate?.interval.high ?? 0) < -0.025);
});

test('a significant drop inside the threshold is never regressed', () => {
	const turns = spread(20, -0.045, 0.004);
	const { row } = decideTurns(turns, { ended: 'rounds' });
	assert.ok((row.pRegressed ?? 1) < 0.05);
	assert.equal(row.verdict, 'unchanged');
	assert.deepEqual(codesOf(row), ['small-drop']);
});

test('unchanged: a drop of the threshold is excluded', () => {
	const { row, decision } = decideTurns(spread(4, 0, 0.01));
	assert.equal(row.verdict, 'unchanged');
	assert.equal(row.final, true);
	assert.deepEqual(codesOf(row), []);
	assert.equal(decision.gate.outcome, 'pass');
	assert.ok((row.estimate?.interval.low ?? -1) > -0.05);
});

test('improved is the mirror of regressed', () => {
	const { row } = decideTurns(spread(4, 0.1, 0.005));
	assert.equal(row.verdict, 'improved');
	assert.equal(row.final, true);
	const mirrored = decideTurns(spread(4, -0.1, 0.005)).row;
	assertClose(row.pImproved, mirrored.pRegressed as number, 1e-6);
});

test('a large rise that is not yet clear continues past unchanged, and ends as unchanged with a note', () => {
	const turns = spread(4, 0.06, 0.03);
	const open = decideTurns(turns);
	assert.ok((open.row.pUnchanged ?? 1) < 0.05);
	assert.equal(open.row.final, false);
	assert.deepEqual(open.decision.undecided, ['app/ping']);
	const ended = decideTurns(turns, { ended: 'budget' }).row;
	assert.equal(ended.verdict, 'unchanged');
	assert.deepEqual(codesOf(ended), ['possible-improvement']);
	const fallen = decideTurns([...turns, -0.05, -0.05]).row;
	assert.equal(fallen.final, false, 'rounds that follow each other take back what the first four excluded');
	const proven = decideTurns([...spread(4, 0.06, 0.03), ...spread(10, 0.07, 0.01)]).row;
	assert.equal(proven.verdict, 'improved');
});

test('inconclusive when the planned rounds are used up, with the smallest threshold they could decide', () => {
	const { row, decision } = decideTurns(spread(20, -0.04, 0.06));
	assert.equal(row.verdict, 'inconclusive');
	assert.equal(row.final, true);
	assert.equal(decision.gate.outcome, 'inconclusive');
	assertClose(row.smallestDecidableThreshold, 1 - Math.exp(-1.7 * 0.06), 1e-9);
});

test('a budget that ends between looks gives a last look with all the weight that is left', () => {
	const turns = spread(5, -0.01, 0.016);
	assert.equal(decideTurns(turns).row.final, false);
	const { row } = decideTurns(turns, { ended: 'budget' });
	assert.equal(row.verdict, 'unchanged');
	assert.equal(row.estimate?.rounds, 5);
});

test('spent weight is not available again: the last look does not get all of it', () => {
	const turns = spread(4, -0.04, 0.012);
	const after = decideTurns(turns, { ended: 'budget' }).row;
	const only = decideTurns(turns, { plan: { looks: planLooks(4) } }).row;
	assertClose((after.pUnchanged ?? 0) / (only.pUnchanged ?? 1), 1 / 0.85, 1e-9);
});

test('too few rounds are inconclusive, with the seconds of a round', () => {
	const { row, decision } = decideTurns(spread(2, -0.2, 0.01), { ended: 'budget' });
	assert.equal(row.verdict, 'inconclusive');
	assert.equal(row.final, true);
	assert.deepEqual(codesOf(row), ['budget-too-small']);
	assert.match(row.warnings[0]?.message ?? '', /needs 4\. A round took 10\.0 s\.$/);
	assert.equal(decision.gate.outcome, 'inconclusive');
	const none = decideTurns([], { ended: 'budget' });
	assert.equal(none.row.estimate, null);
	assert.equal(none.decision.gate.outcome, 'error');
	const stopped = decideTurns([0], { ended: 'interrupted' }).row;
	assert.deepEqual(codesOf(stopped), ['too-few-rounds']);
});

test('two or three planned rounds can decide, one cannot', () => {
	const verdict = (rounds: number) =>
		decideTurns(spread(Math.max(rounds, 2), -0.2, 0.001).slice(0, rounds), {
			ended: 'rounds',
			plan: { looks: planLooks(rounds) },
		}).row;
	assert.equal(verdict(2).verdict, 'regressed');
	assert.equal(verdict(3).verdict, 'regressed');
	assert.equal(verdict(1).verdict, 'inconclusive');
	assert.deepEqual(codesOf(verdict(1)), ['too-few-rounds']);
});

test('equal rounds do not divide by zero', () => {
	assert.equal(decideTurns([0, 0, 0, 0]).row.verdict, 'unchanged');
	assert.equal(decideTurns([-0.1, -0.1, -0.1, -0.1]).row.verdict, 'regressed');
});

test('the family is corrected: a row that is red alone is open among many', () => {
	const d = spread(4, -0.08, 0.0068);
	const alone = decideTurns(d).row;
	assert.equal(alone.verdict, 'regressed');
	const scenarios = ['ping', ...Array.from({ length: 19 }, (_, index) => `other-${index}`)];
	const others = spread(4, -0.03, 0.03);
	const rounds = d.map((value, index) =>
		scriptRound(
			index + 1,
			Object.fromEntries(scenarios.map((name) => [name, { d: name === 'ping' ? value : (others[index] as number) }])),
		),
	);
	const [row] = decide(scriptPlan(scenarios), rounds, null).rows;
	assert.equal(row?.final, false);
	assert.ok((row?.pRegressed ?? 1) < 0.05);
});

test('decided rows stay in the family: an early red stays red, a late one is corrected for all', () => {
	const plan = scriptPlan(['ping', 'json']);
	const early = spread(4, -0.1, 0.004);
	const late = spread(9, -0.07, 0.02);
	const rounds = late.map((value, index) =>
		scriptRound(index + 1, { json: { d: value }, ...(index < 4 ? { ping: { d: early[index] as number } } : {}) }),
	);
	const first = decide(plan, rounds.slice(0, 4), null);
	assert.equal(first.rows[0]?.verdict, 'regressed');
	assert.deepEqual(first.undecided, ['app/json']);
	assert.deepEqual(decide(plan, rounds, null).rows[0], first.rows[0]);
});

test('each metric of a cell is its own row', () => {
	const turns = spread(4, -0.001, 0.002).map((d, index) => ({ d, memory: [80e6, 100e6 + index * 1e5] as const }));
	const plan = scriptPlan(['ping'], { metrics: ['throughput', 'memory-peak'] });
	const { rows } = decide(plan, scriptRounds(turns), null);
	assert.deepEqual(
		rows.map((row) => [row.metric, row.judgedBy, row.verdict]),
		[
			['throughput', 'throughput', 'unchanged'],
			['memory-peak', 'memory-peak', 'regressed'],
		],
	);
	assert.ok((rows[1]?.estimate?.change ?? 0) > 0.25, 'more memory is a positive change');
});

test('a metric that the platform cannot measure ends its row, not the budget', () => {
	const turns = spread(4, 0, 0.01).map((d) => ({ d, cpu: null }));
	const plan = scriptPlan(['ping'], { metrics: ['cpu-per-request'] });
	const decision = decide(plan, scriptRounds(turns), null);
	assert.equal(decision.rows[0]?.verdict, 'inconclusive');
	assert.deepEqual(codesOf(decision.rows[0] ?? { warnings: [] }), ['metric-unavailable']);
	assert.deepEqual(decision.undecided, []);
});

test('one-sided cells are final as new or removed; one that head lacks fails the gate, a new one does not', () => {
	const cell = { server: 'app', threshold: 0.05, tolerance: 0.025 };
	const oneSided = [
		{ ...cell, id: 'app/added', scenario: 'added', verdict: 'new' as const, reason: 'Only head has it.' },
		{ ...cell, id: 'app/gone', scenario: 'gone', verdict: 'removed' as const, reason: 'Only base has it.' },
	];
	const decision = decide(scriptPlan(['ping'], { oneSided }), scriptRounds(spread(4, 0, 0.01)), null);
	assert.deepEqual(
		decision.rows.map((row) => [row.cell, row.verdict, row.final]),
		[
			['app/ping', 'unchanged', true],
			['app/added', 'new', true],
			['app/gone', 'removed', true],
		],
	);
	assert.equal(decision.gate.outcome, 'fail');
	const added = decide(
		scriptPlan(['ping'], { oneSided: oneSided.slice(0, 1) }),
		scriptRounds(spread(4, 0, 0.01)),
		null,
	);
	assert.equal(added.gate.outcome, 'pass');
});

test('a pass and its interval agree, even if rounds turn out to correlate', () => {
	const turns = spread(4, 0.06, 0.03);
	assert.equal(decideTurns(turns, { ended: 'budget' }).row.verdict, 'unchanged');
	const { row } = decideTurns([...turns, -0.05, -0.05], { ended: 'budget' });
	assert.equal(row.verdict, 'inconclusive');
	assert.ok((row.estimate?.interval.low ?? 0) < -0.05);
});
