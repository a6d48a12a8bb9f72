import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { planTraffic, planTraffics, trafficWarnings, weightedOrder } from '../../src/plan/traffic.ts';
import type { LoadedRequest, Scenario } from '../../src/types/config.ts';
import { builtinScenario } from '../config/example-catalogue.ts';

const plain = (weight: number): LoadedRequest => ({
	weight,
	request: { method: 'GET', path: '/plain', headers: {} },
	expect: { status: [200] },
});
const filled = (weight: number, body?: string): LoadedRequest => ({
	weight,
	request: { method: 'GET', path: '/users/{{id}}', headers: {}, ...(body !== undefined && { body }) },
	expect: { status: [200] },
});

function scenarioOf(mix: readonly LoadedRequest[], rows = 0): Scenario {
	const data = { file: 'users.csv', rows: Array.from({ length: rows }, (_, index) => ({ id: `u${index}` })) };
	return { ...builtinScenario('shop'), mix, ...(rows > 0 && { data }) };
}

const weights = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 });
const seeds = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
const count = (list: readonly number[], wanted: number) => list.filter((one) => one === wanted).length;

test('a cycle has exactly the share of each weight', () => {
	fc.assert(
		fc.property(weights, (drawn) => {
			const order = weightedOrder(drawn);
			const total = drawn.reduce((sum, weight) => sum + weight, 0);
			for (const [index, weight] of drawn.entries()) assert.equal(count(order, index) * total, weight * order.length);
		}),
	);
	assert.deepEqual(weightedOrder([50, 10, 10]), [0, 0, 1, 0, 2, 0, 0]);
	assert.deepEqual(weightedOrder([6, 3, 1]), [0, 1, 0, 0, 1, 0, 2, 0, 1, 0], 'as docs/scenarios.md has it');
	assert.deepEqual(weightedOrder([3]), [0]);
});

test('every stretch of a cycle is near to the shares: no request comes in bursts', () => {
	fc.assert(
		fc.property(weights, (drawn) => {
			const order = weightedOrder(drawn);
			const total = drawn.reduce((sum, weight) => sum + weight, 0);
			for (const [index, weight] of drawn.entries()) {
				for (let length = 1; length <= order.length; length++) {
					const gap = count(order.slice(0, length), index) - (length * weight) / total;
					assert.ok(Math.abs(gap) < drawn.length, `${gap} after ${length}`);
				}
			}
		}),
	);
});

test('the same seed gives the same order, and another seed another; a scenario without a mix has no order', () => {
	const scenario = scenarioOf([plain(1), filled(2)], 50);
	assert.deepEqual(planTraffic(scenario, 7), planTraffic(scenario, 7));
	assert.notDeepEqual(planTraffic(scenario, 7)?.data, planTraffic(scenario, 8)?.data);
	assert.deepEqual(planTraffic(scenario, 7)?.requests, planTraffic(scenario, 8)?.requests);
	assert.equal(planTraffic(builtinScenario('ping'), 7), undefined);
	assert.deepEqual([...planTraffics([scenario, builtinScenario('ping')], 7).keys()], ['shop']);
});

test('every row is used before any repeats, however often the lap runs', () => {
	fc.assert(
		fc.property(
			weights,
			fc.subarray([0, 1, 2, 3, 4, 5, 6, 7]),
			fc.integer({ min: 1, max: 200 }),
			seeds,
			(drawn, which, rows, seed) => {
				const mix = drawn.map((weight, index) => (which.includes(index) ? filled(weight) : plain(weight)));
				const traffic = planTraffic(scenarioOf(mix, rows), seed);
				assert.ok(traffic);
				const used = traffic.rows.filter((row) => row >= 0);
				for (const [at, request] of traffic.requests.entries()) {
					assert.equal((traffic.rows[at] ?? -1) >= 0, which.includes(request));
				}
				if (used.length === 0) return;
				const walked = [...used, ...used];
				for (let start = 0; start + rows <= walked.length; start += rows) {
					assert.equal(new Set(walked.slice(start, start + rows)).size, rows);
				}
				assert.equal(new Set(traffic.data.map(({ id }) => id)).size, rows);
			},
		),
		{ numRuns: 50 },
	);
});

test('one request uses all of 100,000 rows; if more than fit into a lap, the first of the order, each once', () => {
	const all = planTraffic(scenarioOf([filled(1)], 100_000), 1);
	assert.equal(new Set(all?.rows).size, 100_000);
	assert.deepEqual(trafficWarnings([scenarioOf([filled(1)], 100_000)]), []);

	const some = scenarioOf([filled(1), plain(3)], 60_000);
	const traffic = planTraffic(some, 1);
	assert.equal(traffic?.requests.length, 100_000);
	assert.equal(traffic?.data.length, 25_000);
	assert.equal(new Set(traffic?.rows.filter((row) => row >= 0)).size, 25_000);
	assert.deepEqual(trafficWarnings([some]), [
		{
			code: 'data-cut',
			message: 'shop uses 25000 of the 60000 rows of users.csv, drawn by the seed and the same on both sides',
		},
	]);
});

test('prepared requests have a limit, for large bodies too', () => {
	const large = 'x'.repeat(1_000_000);
	const traffic = planTraffic(scenarioOf([filled(1, large)], 1000), 1);
	assert.equal(traffic?.requests.length, 31);
	assert.throws(() => planTraffic(scenarioOf([filled(40, large), plain(1)], 1000), 1), { code: 'bad-config' });
});
