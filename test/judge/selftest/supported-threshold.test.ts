import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Noise, supportOf } from '../../../src/judge/selftest/supported-threshold.ts';
import { CONFIG } from '../../runs/selftest/simulated.ts';

function noise(sd: number, more: Partial<Noise> = {}): Noise {
	return { server: 'app', roundSd: sd, robustSd: sd, secondsPerRound: 5.2, ...more };
}

function thresholdOf(sd: number, cells: number, budget: number): number {
	return supportOf([noise(sd)], cells, budget, CONFIG).threshold ?? Number.POSITIVE_INFINITY;
}

test('more spread, more cells and less time never support a smaller threshold', () => {
	for (const sd of [0.005, 0.01, 0.02, 0.03, 0.05]) {
		assert.ok(thresholdOf(sd, 6, 600) <= thresholdOf(1.5 * sd, 6, 600));
		for (const cells of [1, 6, 24]) {
			assert.ok(thresholdOf(sd, cells, 600) <= thresholdOf(sd, 4 * cells, 600), `${sd} ${cells}`);
			assert.ok(thresholdOf(sd, cells, 1_200) <= thresholdOf(sd, cells, 600), `${sd} ${cells}`);
		}
	}
});

test('a small matrix with enough time is as fine as 20 rounds can be, about 1.7 spreads', () => {
	assert.equal(thresholdOf(0.02, 1, 150), 0.035);
	assert.equal(thresholdOf(0.03, 1, 150), 0.05);
});

test('a budget that runs longer decides smaller thresholds', () => {
	assert.ok(thresholdOf(0.02, 1, 600) < 0.03);
});

test('the server that needs most decides, and outlying rounds hardly count from nine rounds on', () => {
	const both = [noise(0.01, { server: 'quiet' }), noise(0.03, { server: 'noisy' })];
	assert.equal(supportOf(both, 6, 600, CONFIG).server, 'noisy');
	const split = noise(0.1, { robustSd: 0.02 });
	const needed = supportOf([split], 6, 1_200, CONFIG).threshold ?? Number.POSITIVE_INFINITY;
	assert.ok(needed < thresholdOf(0.1, 6, 1_200));
});

test('rows that no threshold up to 20 % can decide are reported', () => {
	const { threshold, server } = supportOf([noise(0.5)], 24, 60, CONFIG);
	assert.equal(threshold, null);
	assert.equal(server, 'app');
});

test('slow rounds support less', () => {
	const slow = supportOf([noise(0.02, { secondsPerRound: 20 })], 24, 600, CONFIG);
	assert.ok((slow.threshold ?? 1) > thresholdOf(0.02, 24, 600));
});
