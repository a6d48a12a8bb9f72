import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { middleOf, rateFigures } from '../../src/rank/alone.ts';
import { samplesOf } from '../../src/rank/turn-sample.ts';
import type { AloneFigures, RateFigures } from '../../src/types/ranking/load-figures.ts';
import { aloneAt } from '../support/ranking-cases.ts';
import { scriptRound } from '../support/rounds.ts';

const throughputOf = (figures: AloneFigures | null) => figures?.metrics.throughput;

describe('several rounds become one', () => {
	const rounds = [30, 10, 20, 50].map((rate) => aloneAt(1000 * rate));

	test('as the median or the mean of each figure', () => {
		assert.equal(throughputOf(middleOf(rounds, 'median')), 25_000);
		assert.equal(throughputOf(middleOf(rounds, 'mean')), 27_500);
		assert.equal(middleOf([], 'mean'), null);
	});

	test('as the one round whose requests per second are the median, of an even number the upper one', () => {
		assert.deepEqual(middleOf(rounds, 'median-round'), rounds[0]);
		assert.deepEqual(middleOf(rounds.slice(0, 3), 'median-round'), rounds[2]);
		assert.equal(middleOf([], 'median-round'), null);
	});

	test('with the counts of all rounds, even if the figures are those of one', () => {
		const totals = { requests: 50, bytes: 500, seconds: 10, errors: 0, unexpected: 0 };
		const turnFigures = [30, 10, 20].map((rate) => ({ ...aloneAt(1000 * rate), totals }));
		const failing = turnFigures.map((one, at) => (at === 0 ? { ...one, totals: { ...totals, errors: 3 } } : one));
		const middle = middleOf(failing, 'median-round');
		assert.equal(throughputOf(middle), 20_000);
		assert.deepEqual(middle?.totals, { requests: 150, bytes: 1500, seconds: 30, errors: 3, unexpected: 0 });
		assert.equal(middleOf([...failing.slice(1), aloneAt(30_000)], 'median-round')?.totals, undefined);
	});

	test('with each step of a ramp, unless a round of an older log lacks it', () => {
		const step = (connections: number, throughput: number, p99: number | null) => ({
			...{ connections, throughput, p99 },
			p50: p99 === null ? null : p99 / 2,
		});
		const slowTurns = [100, 300].map((rate) => ({
			...aloneAt(rate),
			steps: [step(10, rate, 4), step(50, 2 * rate, rate === 100 ? null : 8)],
		}));
		assert.deepEqual(middleOf(slowTurns, 'mean')?.steps, [step(10, 200, 4), step(50, 400, 8)]);
		assert.deepEqual(middleOf(slowTurns, 'median-round')?.steps, slowTurns[1]?.steps);
		assert.equal(middleOf([...slowTurns, aloneAt(200)], 'mean')?.steps, undefined);
	});

	test('with the seconds of all rounds taken together, and of the round whose figures are shown', () => {
		const turn = (each: readonly number[]) => {
			const rates = { ...rateFigures(each), each };
			return { ...aloneAt(each[0] ?? 0), rates: { requests: rates, bytes: rates } };
		};
		const turns = [turn([100, 120]), turn([300, 310]), turn([200, 190])];
		for (const aggregate of ['median', 'mean'] as const) {
			assert.deepEqual(middleOf(turns, aggregate)?.rates?.requests, rateFigures([100, 120, 300, 310, 200, 190]));
		}
		assert.deepEqual(middleOf(turns, 'median-round')?.rates?.requests, rateFigures([200, 190]));
	});

	test('with the figures of seconds that an older log does not list', () => {
		const [one, other] = [rateFigures([100, 120]), rateFigures([300, 310, 320])];
		const turns = [one, other].map((rates) => ({ ...aloneAt(1000), rates: { requests: rates, bytes: rates } }));
		const pooled = middleOf(turns, 'median')?.rates?.requests;
		const all = rateFigures([100, 120, 300, 310, 320]);
		assert.deepEqual([pooled?.samples, pooled?.min], [5, 100]);
		assert.equal(pooled?.mean.toFixed(6), all.mean.toFixed(6));
		assert.equal(pooled?.sd.toFixed(6), all.sd.toFixed(6));
		assert.deepEqual([pooled?.p1, pooled?.p97_5], [one.p1, other.p97_5]);
	});

	test('with counts added up, unless a round of an older log lacks them', () => {
		const rates: RateFigures = { samples: 10, mean: 5, sd: 1, min: 3, p1: 3, p2_5: 3.5, p50: 5, p97_5: 7 };
		const totals = { requests: 50, bytes: 500, seconds: 10, errors: 1, unexpected: 0 };
		const ratedFigures = { ...aloneAt(1000), rates: { requests: rates, bytes: rates }, totals };
		const both = middleOf(
			[ratedFigures, { ...ratedFigures, rates: { requests: { ...rates, p50: 7 }, bytes: rates } }],
			'mean',
		);
		assert.deepEqual(both?.totals, { requests: 100, bytes: 1000, seconds: 20, errors: 2, unexpected: 0 });
		assert.deepEqual([both?.rates?.requests.samples, both?.rates?.requests.p50], [20, 6]);
		const withStatuses = (statuses: Record<string, number>) => ({ ...ratedFigures, totals: { ...totals, statuses } });
		const mixed = middleOf([withStatuses({ 201: 20, 429: 30 }), withStatuses({ 429: 50 })], 'median');
		assert.deepEqual(mixed?.totals?.statuses, { 201: 20, 429: 80 });
		assert.equal(middleOf([withStatuses({ 429: 50 }), ratedFigures], 'median')?.totals?.statuses, undefined);
		const late = { ...ratedFigures, totals: { ...totals, timeouts: 1 } };
		assert.equal(middleOf([late, late], 'median')?.totals?.timeouts, 2);
		assert.equal(middleOf([late, ratedFigures], 'median')?.totals?.timeouts, undefined);
		const lossy = { ...ratedFigures, totals: { ...totals, resent: 3 } };
		assert.equal(middleOf([lossy, ratedFigures], 'median')?.totals?.resent, 3);
		const older = middleOf([ratedFigures, aloneAt(1000)], 'mean');
		assert.deepEqual([older?.totals, older?.rates?.requests.samples], [undefined, 10]);
	});
});

test('single seconds of a solo window give the figures of rates', () => {
	const round = scriptRound(1, { ping: { d: 0, solo: [1000, 1000] } });
	const cells = round.cells.map((cell) => ({
		...cell,
		windows: cell.windows.map((window) =>
			window.kind === 'solo' && window.head
				? {
						...window,
						head: {
							...window.head,
							perSecond: [900, 1000, 1100].map((requests) => ({ requests, bytes: 10 * requests })),
						},
					}
				: window,
		),
	}));
	const [sample] = samplesOf({ ...round, cells }, () => 'node-http');
	assert.equal(sample?.alone.server?.totals?.timeouts, undefined, 'nobody told of any');
	const { rates, totals, latency } = sample?.alone.server ?? {};
	assert.deepEqual(rates?.requests, {
		samples: 3,
		mean: 1000,
		// Of −100, 0 and 100 the squares add up to 20,000, so σ² = 20,000 / 3.
		sd: Math.sqrt(20_000 / 3),
		min: 900,
		p1: 902,
		p2_5: 905,
		p50: 1000,
		p97_5: 1095,
		each: [900, 1000, 1100],
	});
	assert.equal(rates?.bytes.min, 9000);
	assert.ok(totals && totals.requests > 0 && totals.seconds > 0 && totals.errors === 0);
	assert.deepEqual(totals.statuses, { 200: totals.requests });
	// 900 answers of 1 ms and 100 of 2 ms: the mean is 1.1 ms, the variance 0.9 · 0.1² + 0.1 · 0.9².
	assert.equal(latency?.sd?.toFixed(6), '0.300000');
	assert.equal(latency?.p97_5, 2);
	assert.equal(sample?.alone.reference?.rates, undefined);
});

test('timeouts of all solo windows of a server add up, unless a program does not report them', () => {
	const round = scriptRound(1, { ping: { d: 0, solo: [1000, 1000] } });
	const timeoutsWith = (timeouts: number | undefined) => {
		const cells = round.cells.map((cell) => ({
			...cell,
			windows: [...cell.windows, ...cell.windows.filter(({ kind }) => kind === 'solo')].map((window, at) =>
				window.kind === 'solo' && window.head
					? { ...window, head: { ...window.head, ...(timeouts !== undefined && { timeouts: timeouts + at }) } }
					: window,
			),
		}));
		const sides = cells.flatMap(({ windows }) =>
			windows.flatMap(({ kind, head }) => (kind === 'solo' ? (head ?? []) : [])),
		);
		const [sample] = samplesOf({ ...round, cells }, () => 'node-http');
		assert.ok(sides.length > 1);
		return [sample?.alone.server?.totals?.timeouts, sides.reduce((sum, side) => sum + (side.timeouts ?? 0), 0)];
	};
	const [sum, all] = timeoutsWith(2);
	assert.equal(sum, all);
	assert.deepEqual(timeoutsWith(undefined), [undefined, 0]);
});
