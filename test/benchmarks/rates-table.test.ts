import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeRates, type RatesRound } from '../../benchmarks/shared/rates-table.ts';
import { createRandom } from '../../src/stats/random.ts';
import type { Design } from '../../src/types/config.ts';

function simulate(planted: string, design: Design, d: number, rounds: number): RatesRound[] {
	const random = createRandom(1, planted.length, design.length);
	return Array.from({ length: rounds }, (_, index) => ({
		...{ planted, design, round: index + 1, seconds: 5 },
		d: { 'latency-p50': d + 0.02 * random.normal(), 'cpu-per-request': null },
	}));
}

test('designs that show the same change agree, and others disagree', () => {
	const [same, other, ...more] = describeRates(
		[
			...simulate('wait', 'duet', -0.4, 12),
			...simulate('wait', 'alternating', -0.4, 12),
			...simulate('tail', 'duet', -0.2, 12),
			...simulate('tail', 'alternating', -0.4, 12),
		],
		['latency-p50'],
	);
	assert.deepEqual(more, []);
	assert.deepEqual([same?.planted, same?.agree, other?.planted, other?.agree], ['wait', true, 'tail', false]);
	assert.ok(other && other.ratio.low < 0.5 && other.ratio.high > 0.5);
});

test('a slower head is a rise of latency, between the ends of its interval', () => {
	const [row] = describeRates(
		[...simulate('wait', 'duet', -0.4, 12), ...simulate('wait', 'alternating', -0.4, 12)],
		['latency-p50'],
	);
	assert.ok(row);
	for (const { centre, low, high } of [row.duet, row.alternating]) {
		assert.ok(low < centre && centre < high);
		assert.ok(low < Math.expm1(0.4) && high > Math.expm1(0.4), `${low} ${high}`);
	}
});

test('an unknown metric, and one with a single round of a design, have no figures', () => {
	const rounds = [...simulate('wait', 'duet', -0.4, 1), ...simulate('wait', 'alternating', -0.4, 12)];
	assert.deepEqual(describeRates(rounds, ['latency-p50']), []);
	const both = [...simulate('wait', 'duet', -0.4, 3), ...simulate('wait', 'alternating', -0.4, 3)];
	assert.deepEqual(describeRates(both, ['cpu-per-request']), []);
});
