import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decidePrecision, FEWEST_ROUNDS, type PrecisionRule } from '../../../src/judge/baseline/precision.ts';
import type { Cell } from '../../../src/types/plan.ts';
import { scriptPlan, scriptRound, scriptRounds, spread, type Turn } from '../../support/rounds.ts';

const PLAN = scriptPlan(['ping', 'json']);
const RULE: PrecisionRule = { precision: 0.008, fewest: FEWEST_ROUNDS, earlier: () => [] };

function openAfter(ping: readonly number[], json: readonly number[], rule = RULE) {
	const rounds = ping.map((d, at) => scriptRound(at + 1, { ping: { d }, json: { d: json[at] as number } }));
	return decidePrecision(PLAN, rounds, null, rule).undecided;
}

test('rounds continue for imprecise cells only', () => {
	assert.deepEqual(openAfter([], []), ['app/ping', 'app/json']);
	const calm = spread(8, 0, 0.01);
	assert.deepEqual(openAfter(calm, spread(8, 0, 0.04)), ['app/json']);
	assert.deepEqual(openAfter(calm, calm), []);
});

test('no cell is done before the fewest rounds, nor between the two rounds of a block', () => {
	const calm = (n: number) => spread(n, 0, 0.001);
	assert.equal(openAfter(calm(4), calm(4)).length, 2);
	assert.equal(openAfter(calm(6), calm(6)).length, 0);
	assert.equal(openAfter(calm(7), calm(7)).length, 2);
	assert.equal(openAfter(calm(8), calm(8), { ...RULE, fewest: 24 }).length, 2);
});

test('mirrored or shifted rounds end at the same round: the rule ignores their location', () => {
	const d = [0.01, -0.03, 0.02, 0.05, -0.02, 0.015, -0.01, 0.03];
	const changes = [(x: number) => -x, (x: number) => x - 0.2, (x: number) => 0.03 - x];
	for (const precision of [0.004, 0.008, 0.0097, 0.02]) {
		const rule = { ...RULE, precision };
		for (const change of changes) {
			assert.deepEqual(openAfter(d.map(change), d.map(change), rule), openAfter(d, d, rule), `${precision}`);
		}
	}
});

test('a broken cell is done', () => {
	const fault = { code: 'crashed', side: 'head', message: 'the head server crashed' } as const;
	const rounds = scriptRounds([0.01, { d: 0, faults: [fault] }, 0.03]);
	assert.deepEqual(decidePrecision(scriptPlan(['ping']), rounds, null, RULE).undecided, []);
});

test('an unavailable metric delays nothing', () => {
	const plan = scriptPlan(['ping'], { metrics: ['cpu-per-request'] });
	const turns = spread(6, 0, 0.01).map((d): Turn => ({ d, cpu: null }));
	assert.deepEqual(decidePrecision(plan, scriptRounds(turns.slice(0, 4)), null, RULE).undecided, ['app/ping']);
	assert.deepEqual(decidePrecision(plan, scriptRounds(turns), null, RULE).undecided, []);
});

test('throughput has to be precise, other metrics of the gate need not', () => {
	const plan = scriptPlan(['ping'], { metrics: ['cpu-per-request', 'throughput'] });
	const wild = spread(6, 0, 0.2);
	const turns = spread(6, 0, 0.01).map((d, at): Turn => ({ d, cpu: wild[at] as number }));
	assert.deepEqual(decidePrecision(plan, scriptRounds(turns), null, RULE).undecided, []);
});

test('a cell that has rows of other metrics alone gets the fewest rounds', () => {
	const [ping, start] = scriptPlan(['ping', 'startup']).cells as [Cell, Cell];
	const plan = scriptPlan([], { cells: [ping, { ...start, metrics: ['cold-start'] }] });
	const rounds = spread(6, 0, 0.001).map((d, at) => {
		const { cells, ...round } = scriptRound(at + 1, { ping: { d }, startup: { d, start: { seconds: [0.2, 0.21] } } });
		return { ...round, cells: cells.map((one) => (one.cell === 'app/startup' ? { ...one, windows: [] } : one)) };
	});
	assert.deepEqual(decidePrecision(plan, [], null, RULE).undecided, ['app/ping', 'app/startup']);
	assert.deepEqual(decidePrecision(plan, rounds.slice(0, 4), null, RULE).undecided, ['app/ping', 'app/startup']);
	assert.deepEqual(decidePrecision(plan, rounds, null, RULE).undecided, []);
});

test('rows that a comparison would confirm are confirmed once every level is precise', () => {
	const plan = scriptPlan(['ping']);
	// Throughput dropped and CPU per request did not: a comparison waits for alternating windows.
	const turns = spread(20, -0.12, 0.02).map((d): Turn => ({ d, cpu: 0, server: 0.6 }));
	const early = decidePrecision(plan, scriptRounds(turns.slice(0, 8)), null, { ...RULE, precision: 0.001 });
	assert.deepEqual([early.undecided, early.confirm], [['app/ping'], []]);
	const done = decidePrecision(plan, scriptRounds(turns), null, RULE);
	assert.deepEqual([done.undecided, done.confirm], [[], ['app/ping']]);
});
