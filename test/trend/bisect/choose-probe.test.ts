import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BISECT_RULE, type BisectState } from '../../../src/trend/bisect/bisect-state.ts';
import { chooseProbe, informationOf } from '../../../src/trend/bisect/choose-probe.ts';
import { posteriorOf } from '../../../src/trend/bisect/posterior.ts';
import { assertClose } from '../../support/close.ts';

const RULE = BISECT_RULE;
const STATE: BisectState = {
	...{ count: 16, prior: Array.from({ length: 16 }, () => 1), expected: { theta: -0.05, se: 0.004 } },
	...{ probes: [], broken: [], same: [], proofs: [] },
};
const choose = (state: BisectState) => chooseProbe(state, posteriorOf(state, RULE), RULE);

test('information is one bit if the two are far apart, and zero if they are equal', () => {
	assertClose(informationOf(0.5, { mean: 1, sd: 0 }, 0.0001), Math.LN2, 1e-6);
	assertClose(informationOf(0.1, { mean: -1, sd: 0 }, 0.0001), -0.1 * Math.log(0.1) - 0.9 * Math.log(0.9), 1e-6);
	assert.ok(informationOf(0.5, { mean: 0, sd: 0 }, 0.01) < 1e-12);
	assert.equal(informationOf(0, { mean: 1, sd: 0 }, 0.01), 0);
	assert.equal(informationOf(1, { mean: 1, sd: 0 }, 0.01), 0);
});

test('information agrees with sums over a fine grid', () => {
	const [chance, mean, sd, noise] = [0.3, -0.03, 0.01, 0.0002];
	const density = (x: number, centre: number, variance: number) =>
		Math.exp(-((x - centre) ** 2) / (2 * variance)) / Math.sqrt(2 * Math.PI * variance);
	let expected = 0;
	for (let x = -0.3; x < 0.3; x += 1e-5) {
		const [without, withIt] = [(1 - chance) * density(x, 0, noise), chance * density(x, mean, noise + sd * sd)];
		const all = without + withIt;
		for (const [joint, prior] of [
			[without, 1 - chance],
			[withIt, chance],
		] as const) {
			if (joint > 0) expected += joint * Math.log(joint / (all * prior)) * 1e-5;
		}
	}
	assertClose(informationOf(chance, { mean, sd }, noise), expected, 2e-3);
});

test('the middle is probed first, apart from commits that cannot or need not be measured', () => {
	const first = choose(STATE) ?? 0;
	assert.ok(first >= 7 && first <= 9, `${first}`);
	assert.notEqual(choose({ ...STATE, broken: [first] }), first);
	assert.notEqual(choose({ ...STATE, same: [first] }), first);
	assert.equal(choose({ ...STATE, broken: Array.from({ length: 16 }, (_, index) => index + 1) }), null);
});

test('if builds are expensive, a built commit is worth another look', () => {
	const at = (buildSeconds: number) =>
		choose({
			...STATE,
			expected: { theta: -0.03, se: 0.004 },
			probes: [{ commit: 8, d: [-0.02, -0.01, -0.02], seconds: 18, buildSeconds }],
		});
	assert.equal(at(3000), 8);
	assert.notEqual(at(0.1), 8);
});
