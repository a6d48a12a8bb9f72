import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../../src/stats/random.ts';
import { BISECT_RULE, type BisectState } from '../../../src/trend/bisect/bisect-state.ts';
import { posteriorOf } from '../../../src/trend/bisect/posterior.ts';

const NOTHING: BisectState = {
	...{ count: 4, prior: [1, 1, 1, 1], expected: null },
	...{ probes: [], broken: [], same: [], proofs: [] },
};
const RULE = BISECT_RULE;

function probe(commit: number, ...d: number[]) {
	return { commit, d, seconds: 18, buildSeconds: 15 };
}

function sum(values: readonly number[]): number {
	return values.reduce((total, value) => total + value, 0);
}

function logNormal(x: number, mean: number, variance: number): number {
	return -0.5 * Math.log(2 * Math.PI * variance) - (x - mean) ** 2 / (2 * variance);
}

/** Integrates over a normal prior by brute force. */
function integrate(sd: number, likelihood: (value: number) => number): number {
	const steps = 1500;
	const width = (16 * sd) / steps;
	let total = 0;
	for (let step = 0; step <= steps; step++) {
		const value = -8 * sd + step * width;
		total += Math.exp(logNormal(value, 0, sd * sd)) * likelihood(value) * width;
	}
	return total;
}

/** The posterior of zero or one change, without closed forms. */
function bruteForce(state: BisectState): number[] {
	const byCommit = Map.groupBy(state.probes, ({ commit }) => commit);
	const weights = Array.from({ length: state.count + 1 }, () => 0);
	for (let z = -3; z <= 3; z += 0.5) {
		const sigma = RULE.roundSd * RULE.roundSdFactor ** z;
		/** Density of all rounds of some commits that share a level; builds differ. */
		const density = (level: number, commits: readonly number[]) => {
			let log = 0;
			for (const commit of commits) {
				const d = (byCommit.get(commit) ?? []).flatMap((one) => one.d);
				if (d.length === 0) continue;
				const mean = sum(d) / d.length;
				log += logNormal(mean, level, sigma ** 2 / d.length + RULE.buildSd ** 2);
				log -= (d.length - 1) * Math.log(sigma) + sum(d.map((value) => (value - mean) ** 2)) / (2 * sigma ** 2);
			}
			return Math.exp(log);
		};
		const grid = Math.exp(-0.5 * z * z);
		for (let first = 1; first <= state.count + 1; first++) {
			const all = Array.from({ length: state.count }, (_, index) => index + 1);
			const [before, after] = [all.filter((commit) => commit < first), all.filter((commit) => commit >= first)];
			const share = first > state.count ? RULE.none : (1 - RULE.none - RULE.two) / state.count;
			const old = integrate(RULE.buildSd, (level) => density(level, before));
			const recent = after.length === 0 ? 1 : integrate(RULE.usualChange, (level) => density(level, after));
			weights[first - 1] = (weights[first - 1] as number) + grid * share * old * recent;
		}
	}
	return weights;
}

test('one change has the posterior that brute force integration gives', () => {
	const state = {
		...NOTHING,
		probes: [probe(4, -0.05, -0.02, -0.06), probe(2, 0.01, -0.03, 0.0), probe(2, -0.01), probe(3, -0.03, -0.05)],
	};
	const rule = { ...RULE, two: 0 };
	const expected = bruteForce(state).map((weight, _, all) => weight / sum(all));
	// Without the share of two changes, the other weights match brute force up to a common factor.
	const { first, none } = posteriorOf(state, rule);
	const scaled = bruteForceWithShares(expected, rule.none);
	[...first, none].forEach((probability, index) => {
		assert.ok(Math.abs(probability - (scaled[index] as number)) < 1e-6, `${index}: ${probability} ${scaled[index]}`);
	});
});

/** Brute force has used the shares of the rule with two changes. */
function bruteForceWithShares(weights: readonly number[], none: number): number[] {
	const factor = (1 - none) / (1 - none - RULE.two);
	const shared = weights.map((weight, index) => (index < NOTHING.count ? weight * factor : weight));
	return shared.map((weight) => weight / sum(shared));
}

test('without measurements the posterior is the prior', () => {
	const { first, none, theta } = posteriorOf({ ...NOTHING, prior: [1, 0.02, 1, 0] }, RULE);
	assert.ok(Math.abs(sum(first) + none - 1) < 1e-12);
	assert.deepEqual(
		first.map((probability) => Math.round((probability / (first[0] as number)) * 100)),
		[100, 2, 100, 0],
	);
	assert.ok(Math.abs(none - RULE.none) < 0.01, `${none}`);
	assert.equal(Math.abs(theta), 0);
});

test('probabilities add up and never underflow, however many rounds there are', () => {
	const random = createRandom(5);
	for (let round = 0; round < 60; round++) {
		const count = 1 + Math.floor(random.next() * 300);
		const probes = Array.from({ length: Math.floor(random.next() * 40) }, () => {
			const commit = 1 + Math.floor(random.next() * count);
			const d = Array.from({ length: 1 + Math.floor(random.next() * 30) }, () => 0.3 * random.normal());
			return probe(commit, ...d);
		});
		const prior = Array.from({ length: count }, () => (random.coin() ? 1 : 0.02));
		const { first, none, theta, thetaSd, roundSd } = posteriorOf({ ...NOTHING, count, prior, probes }, RULE);
		assert.equal(first.length, count);
		assert.ok(Math.abs(sum(first) + none - 1) < 1e-9);
		assert.ok([...first, none, theta, thetaSd, roundSd].every(Number.isFinite));
		assert.ok(first.every((probability) => probability >= 0));
	}
});

test('grouping indistinguishable commits changes nothing', () => {
	const probes = [probe(4, -0.05, -0.02, -0.06), probe(2, 0.01, -0.03, 0.0)];
	const fine = posteriorOf({ ...NOTHING, probes: [...probes, probe(1), probe(3)] }, { ...RULE, two: 0 });
	const coarse = posteriorOf({ ...NOTHING, probes }, { ...RULE, two: 0 });
	fine.first.forEach((probability, index) => {
		assert.ok(Math.abs(probability - (coarse.first[index] as number)) < 1e-9);
	});
});

test('a commit that packs to the code of good is before the change', () => {
	const { first } = posteriorOf({ ...NOTHING, same: [3], probes: [probe(4, -0.05, -0.04, -0.05)] }, RULE);
	assert.ok((first[3] as number) > 0.95, first.join(' '));
});

test('a proof moves probability to the commit it shows, and away from one it refutes', () => {
	const state = { ...NOTHING, probes: [probe(4, -0.04, -0.05, -0.03), probe(2, -0.02, -0.02, -0.02)] };
	const proof = { before: 1, after: 2, outcome: 'shown' as const };
	const at = (d: readonly number[]) => posteriorOf({ ...state, proofs: [{ ...proof, d }] }, RULE).first[1] as number;
	const without = posteriorOf(state, RULE).first[1] as number;
	const shown = at(Array.from({ length: 8 }, (_, index) => -0.04 + 0.01 * (index % 3)));
	const refuted = at(Array.from({ length: 8 }, (_, index) => -0.01 + 0.01 * (index % 3)));
	assert.ok(shown > without && without > refuted, `${shown} ${without} ${refuted}`);
});

test('the noise is learnt: rounds that agree make it small, and others make it large', () => {
	const noise = (spread: number) =>
		posteriorOf(
			{ ...NOTHING, probes: [probe(4, -0.04 - spread, -0.04, -0.04 + spread, -0.04 - spread, -0.04 + spread)] },
			RULE,
		).roundSd;
	assert.ok(noise(0.004) < 0.015 && noise(0.06) > 0.04, `${noise(0.004)} ${noise(0.06)}`);
});

test('an unusually large change is not taken for two', () => {
	const probes = [probe(4, -0.53, -1.16, -0.47), probe(3, -0.6, -1.01, -0.97), probe(2, 0.02, -0.04, -0.03)];
	const { first } = posteriorOf({ ...NOTHING, probes }, RULE);
	assert.ok((first[2] as number) > 0.9, first.join(' '));
});
