import assert from 'node:assert/strict';
import { test } from 'node:test';
import { best, type CommonChoice } from '../../../evaluation/answers/best.ts';
import { placeCosts } from '../../../evaluation/answers/places.ts';
import { timingCosts } from '../../../evaluation/answers/timing.ts';
import type { TimingCost } from '../../../evaluation/results.ts';
import type { Series } from '../../../evaluation/series.ts';
import type { CellRound, Window } from '../../../src/types/round.ts';
import { syntheticSeries } from '../support/series.ts';
import { mapCells, near, withD } from './support.ts';

const STEP = 0.25;
const WINDOWS = 22;
/** Sample SD 0.02 and 1.4826 × median distance 0.01 × 2 = 0.029652 around the median 0. */
const D = [0.02, -0.02, 0.02, -0.02, 0] as const;

test('the grid cuts warm-up and counted load out of the windows of each place', () => {
	const costs = timingCosts([fineSeries()]);
	assert.equal(costs.length, 2 * 6 * 5);
	const of = (place: number, warmup: number, counted: number) =>
		costs.find(
			({ scenariosPerProcess: scenarios, warmupSeconds, countedSeconds }) =>
				scenarios === place && warmupSeconds === warmup && countedSeconds === counted,
		);
	const warm = of(1, 1, 0.5);
	assert.deepEqual([warm?.server, warm?.rounds, warm?.bias.of], ['express', 5, 5]);
	near(warm?.sd, 0.02);
	near(warm?.robustSd, 0.029652);
	near(warm?.bias.value, 0);
	// The second second is slow on head in all servers, so counting it moves the mean but not the spread.
	near(of(1, 0.25, 0.5)?.bias.value, -10);
	near(of(1, 0.25, 0.5)?.sd, 0.02);
	// 1.3 s to start and stop, and 0.2 s before the first window; 0.4 s before the second if there are two.
	near(warm?.secondsPerCell, 1.5 + 1 + 0.5);
	near(of(2, 1, 0.5)?.secondsPerCell, (1.5 + 0.4) / 2 + 1.5);
	near(of(2, 1, 0.5)?.sd, 0.04);
	near(warm?.cost, 4 * 3);
});

test('a choice that the windows cannot hold is left out', () => {
	const coarse = mapCells(fineSeries(), (cell) => ({ ...cell, windows: cell.windows.slice(0, 8) }));
	const choices = timingCosts([coarse]).map(({ warmupSeconds, countedSeconds }) => warmupSeconds + countedSeconds);
	assert.ok(choices.length > 0 && Math.max(...choices) <= 8 * STEP);
	const [plan] = coarse.plans;
	const halves = { ...coarse, plans: plan ? [{ ...plan, timing: { ...plan.timing, windowSeconds: 0.5 } }] : [] };
	assert.ok(timingCosts([halves]).every(({ warmupSeconds }) => warmupSeconds !== 0.25));
});

test('live series give the spread by place and number of windows', () => {
	const scenarios = ['a', 'b', 'c'];
	const options = { experiment: 'live', scenarios, designs: ['duet'], rounds: 5, windowSd: 0, sd: 0 } as const;
	const series = withD(syntheticSeries(options), (_, { round }, place) => (place === 1 ? 3 : 1) * (D[round - 1] ?? 0));
	const decided = { ...series.rounds[0], cells: series.rounds[0]?.cells.slice(0, 2) } as Series['rounds'][number];
	const costs = placeCosts([{ ...series, rounds: [...series.rounds, decided] }]);
	assert.equal(costs.length, (3 + 1) * 4);
	const at = (place: number | null, counted: number) =>
		costs.find((cost) => cost.place === place && cost.countedSeconds === counted);
	near(at(1, 2)?.sd, 0.06);
	near(at(3, 0.5)?.sd, 0.02);
	// 15 values: (2 × 4 × 0.0004 + 4 × 0.0036) / 14 = 0.0176 / 14
	near(at(null, 1)?.sd, Math.sqrt(0.0176 / 14));
	assert.equal(at(null, 1)?.rounds, 15);
	// A turn of synthetic series takes 4 s: 2 s without and 2 s with windows.
	near(at(2, 0.5)?.secondsPerCell, 2.5);
	near(at(2, 0.5)?.warmupSeconds, 2);
	const whole = timingCosts([series]);
	assert.deepEqual(
		whole.map(({ countedSeconds, scenariosPerProcess }) => [countedSeconds, scenariosPerProcess]),
		[0.5, 1, 1.5, 2].map((counted) => [counted, 3]),
	);
});

test('the best choice is the cheapest of each server and of all in common', () => {
	const costs = [
		cost('koa', 1, 1, 0.01, 0.01), // 2
		cost('koa', 1, 2, 0.02, 0.02), // 12
		cost('express', 1, 1, 0.03, 0.01), // 18, robust 2
		cost('express', 1, 2, 0.02, 0.01), // 12, robust 3
		cost('express', 2, 2, 0.01, 0.01), // 4, which koa lacks
	];
	const [one] = best(costs);
	assert.deepEqual(
		one?.servers.map(({ warmupSeconds, countedSeconds }) => [warmupSeconds, countedSeconds]),
		[
			[1, 1],
			[2, 2],
		],
	);
	const orders = (common: readonly CommonChoice[] = []) => common.map((choice) => choice.countedSeconds);
	assert.deepEqual(orders(one?.common), [1, 2]);
	near(one?.common[0]?.relativeCost, Math.sqrt((2 / 2) * (18 / 4)));
	near(one?.common[1]?.relativeCost, Math.sqrt((12 / 2) * (12 / 4)));
	near(best(costs, 'robustSd')[0]?.common[0]?.relativeCost, 1);
});

test('measured warm-ups without a setting are one choice', () => {
	const [six] = best([cost('koa', 0.8, 1, 0.01, 0.01, 6), cost('express', 1.2, 1, 0.01, 0.01, 6)]);
	assert.deepEqual(six?.common, [{ warmupSeconds: 1, countedSeconds: 1, relativeCost: 1 }]);
});

function cost(
	server: string,
	warmupSeconds: number,
	countedSeconds: number,
	sd: number,
	robustSd: number,
	scenariosPerProcess = 1,
): TimingCost {
	const secondsPerCell = warmupSeconds + countedSeconds;
	const bias = { value: 0, low: 0, high: 0, of: 2 };
	const row = { server, warmupSeconds, countedSeconds, sd, robustSd, scenariosPerProcess, rounds: 9, bias };
	return { ...row, secondsPerCell, cost: (100 * sd) ** 2 * secondsPerCell };
}

/** Two turns of 22 windows: 1.3 s to start and stop, 0.2 s before the first turn's windows, 0.4 s before the second's. */
function fineSeries(): Series {
	const options = { experiment: 'timing', scenarios: ['a', 'b'], designs: ['duet'], rounds: 5 } as const;
	const series = syntheticSeries(options);
	const fine = mapCells(series, (cell, { round, startedAt }, place) => {
		const began = startedAt + (place === 1 ? 0.2 : 0.2 + WINDOWS * STEP + 0.4);
		const d = place * (D[round - 1] ?? 0);
		const windows = Array.from({ length: WINDOWS }, (_, index) =>
			windowAt(cell, began + index * STEP, d + (index < 4 ? -0.1 : 0)),
		);
		return { ...cell, windows };
	});
	const rounds = fine.rounds.map((round) => ({ ...round, seconds: 1.3 + 0.2 + 0.4 + 2 * WINDOWS * STEP }));
	const plans = series.plans.map((plan) => ({
		...plan,
		timing: { ...plan.timing, windowSeconds: STEP, windows: WINDOWS },
	}));
	return { ...fine, rounds, plans };
}

function windowAt(cell: CellRound, startedAt: number, d: number): Window {
	const [window] = cell.windows as [Window];
	const base = window.base && { ...window.base, seconds: STEP, completed: 4000 };
	return { ...window, startedAt, base, head: base && { ...base, completed: 4000 * Math.exp(d) } };
}
