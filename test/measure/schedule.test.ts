import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createSchedule } from '../../src/measure/generator/pace.ts';
import { createRandom } from '../../src/stats/random.ts';

const rates = fc.double({ min: 0.5, max: 50_000, noNaN: true });
const starts = fc.double({ min: 0, max: 1e9, noNaN: true });
const draws = fc.integer({ min: 0, max: 1e6 });

/** The first due times. */
function momentsOf(rate: number, startedAt: number, seed: number, count: number): number[] {
	const schedule = createSchedule(rate, startedAt, createRandom(seed).next);
	return Array.from({ length: count }, () => {
		const { next } = schedule;
		schedule.take();
		return next;
	});
}

test('any stretch of time has its share of the requests, give or take two, and they are in order', () => {
	const stretch = fc.tuple(fc.nat({ max: 400 }), fc.nat({ max: 400 }));
	fc.assert(
		fc.property(rates, starts, draws, stretch, (rate, startedAt, seed, [one, other]) => {
			const moments = momentsOf(rate, startedAt, seed, 500);
			assert.ok(moments.every((moment, at) => at === 0 || moment >= (moments[at - 1] ?? 0)));
			assert.ok((moments[0] ?? 0) >= startedAt);
			const slot = 1000 / rate;
			const [from, to] = [startedAt + slot * Math.min(one, other), startedAt + slot * Math.max(one, other)];
			const within = moments.filter((moment) => moment >= from && moment < to).length;
			assert.ok(Math.abs(within - Math.abs(one - other)) <= 2, `${within} of ${Math.abs(one - other)}`);
		}),
		{ seed: 16, numRuns: 300 },
	);
});

test('due requests do not depend on the sent ones', () => {
	fc.assert(
		fc.property(rates, draws, fc.nat({ max: 300 }), (rate, seed, taken) => {
			const schedule = createSchedule(rate, 0, createRandom(seed).next);
			for (let count = 0; count < taken; count++) schedule.take();
			const now = (1000 / rate) * 200.5;
			assert.equal(schedule.dueBy(now), 200);
			assert.equal(schedule.dueBy(-1), 0);
		}),
		{ seed: 17, numRuns: 100 },
	);
});

test('the schedule has no rhythm: within their slots requests are due at any moment', () => {
	const phases = momentsOf(1000, 0, 3, 4000).map((moment, at) => moment - at);
	for (let tenth = 0; tenth < 10; tenth++) {
		const share = phases.filter((phase) => Math.floor(phase * 10) === tenth).length / phases.length;
		assert.ok(Math.abs(share - 0.1) < 0.02, `${share} of the requests in tenth ${tenth}`);
	}
});
