import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DatabaseRound, describeCases } from '../../benchmarks/shared/database-table.ts';
import { createRandom } from '../../src/stats/random.ts';
import type { Design } from '../../src/types/config.ts';

function simulate(name: string, design: Design, d: number, sd: number, rounds: number, seed = 1): DatabaseRound[] {
	const random = createRandom(seed, name.length, design.length);
	return Array.from({ length: rounds }, (_, index) => ({
		name,
		design,
		round: index + 1,
		seconds: 5,
		d: d + sd * random.normal(),
		cpu: null,
		idle: 0.25,
		others: index === 0 ? null : 0.5,
	}));
}

test('a duet that shows half of the change that alternating windows show has a ratio of a half, inside its interval', () => {
	const [row, ...others] = describeCases([
		...simulate('scan', 'duet', -0.2, 0.02, 60),
		...simulate('scan', 'alternating', -0.4, 0.05, 60),
	]);
	assert.deepEqual(others, []);
	assert.ok(row !== undefined);
	assert.ok(row.ratio.low > 0.42 && row.ratio.low < 0.5, `${row.ratio.low}`);
	assert.ok(row.ratio.high < 0.58 && row.ratio.high > 0.5, `${row.ratio.high}`);
	assert.ok(row.duet.d.low < -0.2 && row.duet.d.high > -0.2);
	assert.deepEqual([row.duet.idle, row.duet.cpu, row.duet.others], [0.25, null, 0.5]);
});

test('at least nine intervals of ten hold the planted ratio', () => {
	const held = Array.from({ length: 400 }, (_, seed) =>
		describeCases([
			...simulate('query', 'duet', -0.3, 0.03, 6, seed),
			...simulate('query', 'alternating', -0.3, 0.08, 6, seed),
		]),
	).filter(([row]) => row && row.ratio.low <= 1 && row.ratio.high >= 1);
	assert.ok(held.length >= 370, `${held.length} of 400`);
});

test('a change that may be zero leaves the ratio unbounded, and one round gives no ratio', () => {
	const [none] = describeCases([
		...simulate('none', 'duet', 0, 0.02, 5),
		...simulate('none', 'alternating', 0, 0.05, 5),
		...simulate('one', 'duet', -0.2, 0.02, 1),
		...simulate('one', 'alternating', -0.2, 0.02, 5),
	]);
	assert.equal(none?.name, 'none');
	assert.deepEqual([none.ratio.low, none.ratio.high], [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]);
});
