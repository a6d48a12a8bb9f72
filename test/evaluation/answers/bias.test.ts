import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bias } from '../../../evaluation/answers/bias.ts';
import type { Series } from '../../../evaluation/series.ts';
import { planRound } from '../../../src/plan/plan-round.ts';
import type { Round } from '../../../src/types/round.ts';
import { syntheticSeries } from '../support/series.ts';
import { near, withD } from './support.ts';

/** Fastify against itself, from docs/statistics.md, in percent. */
const FASTIFY = [
	0.3, -0.1, 0.6, 0.8, 0.1, 2.6, 0, 2, -0.3, -3.2, -35.2, 0.6, 2.1, 6.9, 24.1, -0.7, -2.1, -2.4, -0.6, -2.1,
];

function lineOf(series: Series, of: string, design = 'duet') {
	return bias([series]).find((line) => line.of === of && line.design === design);
}

test('mean and ranks of all rounds', () => {
	const series = withD(syntheticSeries(), (_, { round }) => (FASTIFY[round - 1] ?? 0) / 100);
	const [all, ranks] = [lineOf(series, 'all'), lineOf(series, 'all, ranks')];
	// scipy.stats.t.interval(.95, 19, d.mean(), scipy.stats.sem(d))
	near(all?.throughput.value, -0.0033);
	near(all?.throughput.low, -0.050195958, 1e-8);
	near(all?.throughput.high, 0.043595958, 1e-8);
	// numpy: sorted (d[i] + d[j]) / 2 for i <= j; median, and elements 52 and -53 because P(W <= 52) = .0242 for n = 20.
	near(ranks?.throughput.value, 0.00025);
	near(ranks?.throughput.low, -0.011);
	near(ranks?.cpu.high, 0.013);
	assert.equal(ranks?.throughput.of, 20);
});

test('an advantage of the first side shows in its own split and in no other', () => {
	const plain = syntheticSeries({ scenarios: ['a', 'b'], rounds: 40 });
	const gains = {
		'process started first': (round: Round) => drawn(plain, round).startFirst,
		'slot 0': (round: Round) => (drawn(plain, round).slot.base === 0 ? 'base' : 'head'),
		'client created first': (round: Round, cell: string) =>
			drawn(plain, round).turns.find((turn) => turn.cell === cell)?.clientFirst,
	};
	for (const [name, first] of Object.entries(gains)) {
		const series = withD(plain, ({ cell }, round) => (first(round, cell) === 'head' ? 0.02 : -0.02));
		near(lineOf(series, `${name}: head`)?.throughput.value, 0.02);
		near(lineOf(series, `${name}: base`, 'sequential')?.cpu.value, -0.02);
		near(lineOf(series, 'all')?.throughput.value, 0);
		for (const other of Object.keys(gains).filter((candidate) => candidate !== name)) {
			const value = lineOf(series, `${other}: head`)?.throughput.value ?? Number.NaN;
			assert.ok(Math.abs(value) < 0.015, `${name} moves ${other} to ${value}`);
		}
	}
});

test('cells of one process pair are one value', () => {
	const scenarios = ['a', 'b', 'c'];
	const series = withD(syntheticSeries({ scenarios, rounds: 4 }), ({ cell }, { round }) =>
		cell.endsWith('a') ? 0.03 * round : 0,
	);
	const all = lineOf(series, 'all');
	assert.equal(all?.throughput.of, 4);
	near(all?.throughput.value, 0.025);
});

test('planted series and confirmation rounds do not count', () => {
	const planted = syntheticSeries({ effect: { kind: 'servers', base: 'a', head: 'b' } });
	assert.deepEqual(bias([planted]), []);
	const plain = syntheticSeries({ rounds: 4 });
	const confirm = plain.rounds.map((round): Round => ({ ...round, purpose: 'confirm' }));
	assert.equal(lineOf({ ...plain, rounds: [...plain.rounds, ...confirm] }, 'all')?.throughput.of, 4);
});

function drawn({ plans }: Series, { round, cells }: Round) {
	const plan = plans.find(({ design }) => design === cells[0]?.design);
	if (!plan) throw new Error('no plan');
	const ids = cells.map(({ cell }) => cell);
	const [pair] = planRound(plan, round, ids, 'main').pairs;
	if (!pair) throw new Error('no pair');
	return pair;
}
