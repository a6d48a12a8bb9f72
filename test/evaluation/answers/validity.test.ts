import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linesOf } from '../../../evaluation/answers/lines.ts';
import { validity } from '../../../evaluation/answers/validity.ts';
import { yorkLine } from '../../../evaluation/answers/york.ts';
import type { Mean, ValidityPair } from '../../../evaluation/results.ts';
import type { Effect, Series } from '../../../evaluation/series.ts';
import type { Injection, InjectionKind } from '../../../src/inject/injection.ts';
import type { CellRound } from '../../../src/types/round.ts';
import { syntheticSeries } from '../support/series.ts';
import { PEARSON } from './pearson.ts';
import { mapCells, mapWindows, near, withD } from './support.ts';

const SIX = { experiment: 'validity', rounds: 6 } as const;
const D = [-0.12, -0.1, -0.11, -0.09, -0.1, -0.08];

test('a pair has the mean of each design, its verdict and its title', () => {
	const effect: Effect = { kind: 'injection', injection: { kind: 'cpu', amount: 0.11, every: 50 }, drop: 0.1 };
	const series = withD(syntheticSeries({ ...SIX, effect }), (_, { round }) => D[round - 1] ?? 0);
	const [pair] = validity([series, syntheticSeries({ experiment: 'designs' })]).pairs;
	assert.equal(pair?.title, 'express burns CPU time (a drop of 10 % is intended, 1 request in 50)');
	assert.equal(pair?.effect, 'cpu');
	near(pair?.intended, Math.log(0.9));
	// scipy.stats.t.interval(.95, 5, numpy.mean(D), scipy.stats.sem(D))
	for (const mean of [pair?.throughput.duet, pair?.cpu.sequential, pair?.throughput.alternating]) {
		near(mean?.value, -0.1);
		near(mean?.low, -0.11484126114778588, 1e-9);
		near(mean?.high, -0.0851587388522141, 1e-9);
		assert.equal(mean?.of, 6);
	}
	assert.deepEqual([pair?.verdict, pair?.asksConfirmation], ['regressed', false]);
});

test('the achieved effect of an injection is given in the terms of its kind', () => {
	const injected = (kind: InjectionKind) =>
		({ kind: 'injection', injection: { kind, amount: 1, every: 1 }, drop: null }) as const;
	const pairOfKind = (kind: InjectionKind, change: (cell: CellRound) => CellRound) =>
		validity([mapCells(syntheticSeries({ ...SIX, windowSd: 0, sd: 0, effect: injected(kind) }), change)]).pairs[0];
	const slower = pairOfKind('wait', (cell) => ({
		...cell,
		windows: cell.windows.map((window) => ({
			...window,
			base: window.base && { ...window.base, seconds: 1, completed: 10_000 },
			head: window.head && { ...window.head, seconds: 1, completed: 5_000 },
		})),
	}));
	assert.deepEqual([slower?.achieved?.of, slower?.achieved?.mean.of], ['answer-time', 6]);
	near(slower?.achieved?.mean.value, 100);
	const wrong = pairOfKind('wrong', (cell) =>
		mapWindows(cell, (base) => ({ ...base, completed: 1000, unexpected: 20 })),
	);
	assert.deepEqual(
		[wrong?.achieved?.of, wrong?.achieved?.mean.value, wrong?.verdict],
		['wrong-answers', 0.02, 'invalid'],
	);
	const leak = pairOfKind('leak', (cell) => ({ ...cell, memoryPeak: { base: 100e6, head: 200e6 } }));
	assert.equal(leak?.achieved?.of, 'memory-peak');
	near(leak?.achieved?.mean.value, -Math.log(2));
	const cpu = pairOfKind('threadpool', (cell) => mapWindows(cell, (base) => base));
	assert.deepEqual(cpu?.achieved, { of: 'cpu-per-request', mean: cpu?.cpu.duet });
});

test('a shift of equal work is its own kind of pair, without an intended change', () => {
	const [base, injection] = (['cpu', 'threadpool'] as const).map((kind) => ({ kind, amount: 1 / 9, every: 50 }));
	const effect: Effect = { kind: 'injection', injection: injection as Injection, base: base as Injection, drop: null };
	const [pair] = validity([syntheticSeries({ ...SIX, effect })]).pairs;
	assert.deepEqual([pair?.effect, pair?.intended], ['shift', 0]);
	assert.equal(
		pair?.title,
		"express burns CPU time in a libuv thread, where base burns CPU time (0.11 fraction of a request's own CPU time, 1 request in 50)",
	);
});

test('a design that was not measured has no mean', () => {
	const effect: Effect = { kind: 'servers', base: 'koa', head: 'express' };
	const [pair] = validity([syntheticSeries({ ...SIX, effect, designs: ['duet'] })]).pairs;
	assert.equal(pair?.title, 'koa → express');
	assert.deepEqual([pair?.throughput.sequential, pair?.cpu.alternating], [null, null]);
	assert.equal(pair?.intended, null);
});

test('if throughput and CPU per request disagree, the alternating rounds decide', () => {
	const doubtful = (alternating: number) => {
		const effect: Effect = { kind: 'revisions', base: 'npm:hono@1.0.0', head: 'npm:hono@2.0.0' };
		const planted = withD(syntheticSeries({ ...SIX, effect }), ({ design }, { round }) => {
			return (design === 'alternating' ? alternating : -0.1) + (D[round - 1] ?? 0) + 0.1;
		});
		return validity([cheaperHead(planted)]).pairs[0];
	};
	const [real, none] = [doubtful(-0.1), doubtful(0)];
	assert.deepEqual([real?.asksConfirmation, real?.verdict], [true, 'regressed']);
	assert.deepEqual([none?.asksConfirmation, none?.verdict], [true, 'unchanged']);
	assert.equal(real?.title, 'hono@1.0.0 → hono@2.0.0');
});

test('designs that agree give slope 1 and intercept 0', () => {
	const series = [0, 0.05, 0.1, 0.2].map((drop, index) =>
		syntheticSeries({ ...SIX, drop, seed: index, effect: { kind: 'servers', base: 'a', head: 'b' } }),
	);
	const { lines } = validity(series);
	assert.deepEqual([...new Set(lines.map(({ among }) => among))], ['real', 'all']);
	assert.equal(lines.length, 6 * 2);
	for (const { slope, intercept } of lines) {
		assert.ok(
			Math.abs(slope.value - 1) < 0.15 && Math.abs(intercept.value) < 0.02,
			`${slope.value} ${intercept.value}`,
		);
		assert.ok((slope.low ?? 9) < slope.value && (slope.high ?? -9) > slope.value && slope.of === 4);
	}
});

test('lines take the errors of both coordinates from all pairs together, and widen by the misfit', () => {
	const pairs = PEARSON.map(({ x, y, xError, yError }, index) =>
		pairOf(`p${index}`, meanAt(x, xError), meanAt(y, yError)),
	);
	const line = linesOf(pairs).find(
		({ of, on, among }) => `${of}, ${on}, ${among}` === 'duet throughput, sequential throughput, CPU work',
	);
	// scipy.odr: ODR(RealData(X, Y, sx, sy), unilinear, beta0=[-.5, 5.5]).run().beta, sx = mean(1 / X_WEIGHTS)**.5, sy = mean(1 / Y_WEIGHTS)**.5
	near(line?.slope.value, -0.5445555218, 1e-6);
	near(line?.intercept.value, 5.7802020572, 1e-5);
	const error = (errors: readonly number[]) =>
		Math.sqrt(errors.reduce((sum, one) => sum + one ** 2, 0) / errors.length);
	const xError = error(PEARSON.map((point) => point.xError));
	const yError = error(PEARSON.map((point) => point.yError));
	const york = yorkLine(PEARSON.map((point) => ({ ...point, xError, yError })));
	// scipy.stats.t.ppf(.975, 8)
	const widen = 2.306004135204166 * Math.sqrt(Math.max(1, york?.misfit ?? 0));
	near(line?.slope.low, (york?.slope ?? 0) - widen * (york?.slopeError ?? 0));
	near(line?.intercept.high, (york?.intercept ?? 0) + widen * (york?.interceptError ?? 0));
	assert.equal(line?.slope.of, 10);
});

/** The duet's head used less CPU time, so its cost per request equals that of base. */
function cheaperHead(series: Series): Series {
	return mapCells(series, (cell) => {
		if (cell.design !== 'duet') return cell;
		const windows = cell.windows.map((window) => {
			const { base, head } = window;
			if (!base || !head || base.cpuSeconds === null) return window;
			return { ...window, head: { ...head, cpuSeconds: (base.cpuSeconds * head.completed) / base.completed } };
		});
		return { ...cell, windows };
	});
}

/** The mean of six values with this standard error. scipy.stats.t.ppf(.975, 5) = 2.5705818356 */
function meanAt(value: number, error: number): Mean {
	return { value, low: value - 2.570581835636314 * error, high: value + 2.570581835636314 * error, of: 6 };
}

function pairOf(id: string, sequential: Mean, duet: Mean): ValidityPair {
	const none = { duet: null, alternating: null, sequential: null };
	const throughput = { duet, alternating: null, sequential };
	return {
		id,
		title: id,
		effect: 'cpu',
		intended: null,
		achieved: null,
		throughput,
		cpu: none,
		verdict: '',
		asksConfirmation: false,
		guards: [],
	};
}
