/** When a second lane pays: simulated machines whose lanes disturb each other by a set amount. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkLanes, type LaneSample, WORTH_FROM } from '../../../src/judge/selftest/check-lanes.ts';
import { createRandom } from '../../../src/stats/random.ts';
import { assertClose } from '../../support/close.ts';

const DROP = 0.05;
const LANES = 2;

interface Disturbance {
	/** Factor on the spread while all lanes measure. */
	readonly spread?: number;
	/** Factor on the length of a round. */
	readonly seconds?: number;
	/** Mean of d of a server against itself. */
	readonly bias?: number;
	/** Apparent size of a planted drop. */
	readonly seen?: number;
	readonly visits?: number;
}

function samplesOf({ spread = 1, seconds = 1, bias = 0, seen = DROP, visits = 60 }: Disturbance): LaneSample[] {
	const random = createRandom(9);
	return ['koa', 'hono'].flatMap((server) =>
		Array.from({ length: visits }, (_, visit) => {
			const drop = visit % 2 === 0 ? 0 : DROP;
			const of = (together: boolean): LaneSample => ({
				server,
				drop,
				together,
				d:
					(together ? bias : 0) +
					(drop === 0 ? 0 : Math.log1p(-(together ? seen : DROP))) +
					0.01 * (together ? spread : 1) * random.normal(),
				seconds: together ? 4 * seconds : 4,
			});
			return [of(false), ...Array.from({ length: LANES }, () => of(true))];
		}).flat(),
	);
}

const check = (disturbance: Disturbance) => checkLanes(samplesOf(disturbance), LANES, DROP, '2 lanes');

test('lanes that do not disturb each other cost half as much and pay', () => {
	const outcome = check({});
	assert.equal(outcome.worth, true);
	assert.deepEqual(outcome.reasons, []);
	assertClose(outcome.gain ?? 0, LANES, 0.25);
	assert.deepEqual(
		outcome.servers.map(({ server, aloneSeconds }) => [server, aloneSeconds]),
		[
			['koa', 4],
			['hono', 4],
		],
	);
	assert.equal(outcome.bias?.rounds, 120);
	assertClose(outcome.together?.value ?? 0, -DROP, 0.1);
});

test('noise and longer rounds use up the gain of a second lane', () => {
	// 2 / (1.3² × 1) = 1.18
	const noisy = check({ spread: 1.3 });
	assert.ok((noisy.gain ?? 9) < WORTH_FROM);
	assert.equal(noisy.worth, false);
	assert.match(noisy.reasons.join(), /^Certainty costs 1\.\d\d times less, and 1\.4 times is the least/);
	const slow = check({ seconds: 1.5 });
	assertClose(slow.gain ?? 0, LANES / 1.5, 0.25);
});

test('a bias or a distorted drop rules a second lane out, however cheap it is', () => {
	const biased = check({ bias: -0.01 });
	assert.equal(biased.worth, false);
	assert.match(biased.reasons.join(), /A server against itself shows −\d/);
	const blind = check({ seen: 0.03 });
	assert.equal(blind.worth, false);
	assert.match(blind.reasons.join(), /A planted drop is [12]\.?\d? % away/);
});

test('too few rounds give no answer', () => {
	for (const visits of [0, 1, 4]) {
		const outcome = check({ visits });
		assert.equal(outcome.worth, null);
		assert.equal(outcome.reasons.length, 1);
	}
	const dead = samplesOf({}).map((sample) => ({ ...sample, d: null }));
	assert.deepEqual([checkLanes(dead, LANES, DROP, '').worth, checkLanes(dead, LANES, DROP, '').gain], [null, null]);
});
