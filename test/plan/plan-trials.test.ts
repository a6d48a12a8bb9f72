import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DROPS, planTrial, type Trial } from '../../src/plan/plan-trials.ts';

const CELLS = ['express/ping', 'fastify/ping', 'hono/ping', 'koa/ping', 'node-http/ping'];

function planMany(count: number, seed = 1, cells = CELLS): Trial[] {
	return Array.from({ length: count }, (_, index) => planTrial({ cells, drops: DROPS, seed }, index + 1));
}

function tally<T>(items: readonly T[]): number[] {
	return [...Map.groupBy(items, (item) => item).values()].map((group) => group.length);
}

test('a trial depends on the seed and its number only', () => {
	assert.deepEqual(planMany(50), planMany(50));
	assert.notDeepEqual(planMany(50), planMany(50, 2));
	assert.equal(new Set(planMany(500).map(({ seed }) => seed)).size, 500);
});

test('whenever time ends, every kind had its turn: half without a drop, and drops equally often within one', () => {
	for (const seed of [1, 2, 3]) {
		for (let count = 1; count <= 120; count++) {
			const trials = planMany(count, seed);
			assert.equal(trials.filter(({ drop }) => drop === 0).length, Math.ceil(count / 2));
			const times = DROPS.map((drop) => trials.filter((trial) => trial.drop === drop).length);
			assert.ok(Math.max(...times) - Math.min(...times) <= 1, `${times} after ${count}`);
		}
	}
});

test('every kind goes through all cells evenly', () => {
	const trials = planMany(8 * CELLS.length);
	for (const drop of [0, ...DROPS]) {
		const cells = trials.filter((trial) => trial.drop === drop).map(({ cell }) => cell);
		assert.deepEqual(new Set(cells).size, CELLS.length);
		assert.equal(new Set(tally(cells)).size, 1, `${cells}`);
	}
});

test('the drops of one cycle are on different cells, and their order is drawn', () => {
	const drops = planMany(80).filter(({ drop }) => drop > 0);
	const orders = new Set<string>();
	for (let at = 0; at < drops.length; at += DROPS.length) {
		const cycle = drops.slice(at, at + DROPS.length);
		assert.equal(new Set(cycle.map(({ cell }) => cell)).size, DROPS.length);
		orders.add(cycle.map(({ drop }) => drop).join());
	}
	assert.ok(orders.size > 3);
});

test('one cell is enough', () => {
	assert.deepEqual(new Set(planMany(20, 1, ['koa/ping']).map(({ cell }) => cell)), new Set(['koa/ping']));
});
