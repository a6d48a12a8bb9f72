import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../src/stats/random.ts';
import { levelAt } from '../../src/trend/level-filter.ts';
import { pauleMandel } from '../../src/trend/spread-between-runs.ts';
import { assertClose } from '../support/close.ts';

// Reference values: python3 test/oracle/reference.py (SciPy).
const LEVELS = [-0.012, 0.004, 0.011, -0.003, 0.019, -0.052, -0.031, -0.047, -0.068];
const LEVEL_SE = [0.004, 0.006, 0.005, 0.008, 0.007, 0.005, 0.006, 0.009, 0.007];

/** Squared standardised distances from the means of segments. */
function misfitOf(y: readonly number[], se: readonly number[], starts: readonly number[]) {
	return (tau2: number) => {
		const curve = {
			y: Float64Array.from(y),
			weight: Float64Array.from(se, (one) => 1 / (one ** 2 + tau2)),
			jump: new Float64Array(y.length),
		};
		return starts.reduce((sum, start, index) => {
			return sum + levelAt(curve, start, (starts[index + 1] ?? y.length) - 1).cost;
		}, 0);
	};
}

test('the variance between runs agrees with SciPy, over one segment and over two', () => {
	assertClose(pauleMandel(misfitOf(LEVELS, LEVEL_SE, [0]), 8), 0.000903948851060005, 1e-5);
	assertClose(pauleMandel(misfitOf(LEVELS, LEVEL_SE, [0, 5]), 7), 0.0001445855479996082, 1e-5);
});

test('it is 0 when the standard errors explain the spread, and without degrees of freedom', () => {
	const wide = LEVEL_SE.map(() => 0.1);
	assert.equal(pauleMandel(misfitOf(LEVELS, wide, [0]), 8), 0);
	assert.equal(
		pauleMandel(() => 5, 0),
		0,
	);
	assert.equal(
		pauleMandel(() => Number.POSITIVE_INFINITY, 3),
		0.25,
	);
});

test('its mean over simulations is the true variance', () => {
	const random = createRandom(31);
	let sum = 0;
	for (let round = 0; round < 200; round++) {
		const se = Array.from({ length: 40 }, () => 0.004 + 0.006 * random.next());
		const y = se.map((one) => one * random.normal() + 0.006 * random.normal());
		sum += pauleMandel(misfitOf(y, se, [0]), 39);
	}
	assert.ok(Math.abs(sum / 200 - 0.006 ** 2) < 0.15 * 0.006 ** 2, `${Math.sqrt(sum / 200)}`);
});
