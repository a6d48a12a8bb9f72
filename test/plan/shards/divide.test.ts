import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { balanceShards, chooseCount, pricesAround, shardSeconds } from '../../../src/plan/shards/divide.ts';
import { costsOf } from '../../../src/plan/shards/shard-costs.ts';
import type { Cell } from '../../../src/types/plan.ts';
import type { ShardCosts } from '../../../src/types/shards.ts';
import { cellsOf } from '../example-plan.ts';

function matrix(servers: number, scenarios: number): Cell[] {
	const names = Array.from({ length: servers }, (_, server) =>
		Array.from({ length: scenarios }, (_unused, scenario) => `server-${server}/scenario-${scenario}`),
	);
	return cellsOf(...names.flat());
}

function costs(cells: readonly Cell[], changes: Partial<ShardCosts> = {}): ShardCosts {
	return { ...costsOf(cells, { design: 'duet' }, null), ...changes };
}

test('a server stays together if that is even enough', () => {
	const cells = matrix(8, 6);
	for (const { cells: ids } of balanceShards(cells, costs(cells), 8)) {
		assert.equal(new Set(ids.map((id) => id.split('/')[0])).size, 1);
	}
});

test('one large server is divided', () => {
	const cells = matrix(1, 12);
	const shards = balanceShards(cells, costs(cells), 4);
	assert.deepEqual(
		shards.map((shard) => shard.cells.length),
		[3, 3, 3, 3],
	);
});

test('an expensive cell has its own shard and does not delay the others', () => {
	const cells = matrix(2, 4);
	const dear = { ...costs(cells).cells, 'server-0/scenario-0': 1_000 };
	const [slowest, ...others] = balanceShards(cells, costs(cells, { cells: dear }), 3).toSorted(
		(a, b) => b.expectedSeconds - a.expectedSeconds,
	);
	assert.deepEqual(slowest?.cells, ['server-0/scenario-0']);
	assert.ok(others.every(({ expectedSeconds }) => expectedSeconds < 300));
});

test('whatever the costs: every cell once, no shard empty, the same for the same input', () => {
	const cost = fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1_000, noNaN: true }));
	fc.assert(
		fc.property(
			fc.integer({ min: 1, max: 5 }),
			fc.integer({ min: 1, max: 6 }),
			fc.integer({ min: 1, max: 40 }),
			fc.array(cost, { minLength: 30, maxLength: 30 }),
			(servers, scenarios, count, drawn) => {
				const cells = matrix(servers, scenarios);
				const drawnCosts = Object.fromEntries(cells.map(({ id }, index) => [id, drawn[index] as number]));
				const allCosts = costs(cells, { cells: drawnCosts });
				const shards = balanceShards(cells, allCosts, count);
				assert.equal(shards.length, Math.min(count, cells.length));
				assert.deepEqual(shards.flatMap((shard) => shard.cells).sort(), cells.map(({ id }) => id).sort());
				assert.ok(shards.every((shard) => shard.cells.length > 0));
				assert.deepEqual(balanceShards(cells, allCosts, count), shards);
				const whole = shardSeconds(cells, allCosts);
				assert.ok(Math.max(...shards.map(({ expectedSeconds }) => expectedSeconds)) <= whole + 1e-6);
			},
		),
		{ seed: 61, numRuns: 150 },
	);
});

test('usual matrices are even: the slowest shard takes at most 1.3 times the fastest', () => {
	for (const [servers, scenarios, count] of [
		[8, 6, 8],
		[6, 8, 4],
		[6, 4, 4],
		[5, 20, 12],
		[1, 48, 12],
	] as const) {
		const cells = matrix(servers, scenarios);
		const seconds = balanceShards(cells, costs(cells), count).map(({ expectedSeconds }) => expectedSeconds);
		const ratio = Math.max(...seconds) / Math.min(...seconds);
		assert.ok(ratio <= 1.3, `${servers} × ${scenarios} in ${count}: ${ratio.toFixed(2)}`);
	}
});

test('as many shards as the budget needs, but none that prepares longer than it measures', () => {
	const cells = matrix(6, 8);
	const allCosts = costs(cells, { setup: 10 });
	const total = shardSeconds(cells, allCosts);
	assert.equal(chooseCount(cells, allCosts, total), 1);
	assert.equal(chooseCount(cells, allCosts, total / 3.5), 4);
	assert.equal(chooseCount(cells, { ...allCosts, setup: total / 2 }, total / 10), 2);
	assert.equal(chooseCount(cells, { ...allCosts, setup: 2 * total }, total / 10), 1);
	assert.equal(chooseCount(cells, { ...allCosts, setup: 0 }, 1), 20);
	assert.equal(chooseCount(cells.slice(0, 3), { ...allCosts, setup: 0 }, 1), 3);
});

test('one shard more waits no longer and costs more machine time', () => {
	const cells = matrix(6, 8);
	const prices = pricesAround(cells, costs(cells), 10_000, 4);
	assert.deepEqual(
		prices.map(({ count }) => count),
		[3, 4, 5],
	);
	for (const [index, price] of prices.slice(1).entries()) {
		assert.ok(price.waitSeconds <= (prices[index]?.waitSeconds ?? 0));
		assert.ok(price.machineSeconds >= (prices[index]?.machineSeconds ?? 0));
	}
	assert.deepEqual(
		pricesAround(cells.slice(0, 1), costs(cells), 600, 1).map(({ count }) => count),
		[1],
	);
});
