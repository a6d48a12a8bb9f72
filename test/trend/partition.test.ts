import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom, type Random } from '../../src/stats/random.ts';
import { partition } from '../../src/trend/find-levels.ts';
import { type Curve, levelAt } from '../../src/trend/level-filter.ts';
import { assertClose } from '../support/close.ts';

const RULE = { penalty: 6, shortest: 3 };

/** A curve with steps, of up to three eras whose links have errors. */
function drawCurve(random: Random, count: number): Curve {
	const y = new Float64Array(count);
	const weight = new Float64Array(count);
	const jump = new Float64Array(count);
	let level = 0;
	for (let at = 0; at < count; at++) {
		if (random.next() < 0.2) level += 4 * random.normal();
		const variance = 0.3 + random.next();
		weight[at] = 1 / variance;
		jump[at] = at > 0 && random.next() < 0.2 ? 3 * random.next() ** 2 : 0;
		level += Math.sqrt(jump[at] as number) * random.normal();
		y[at] = level + Math.sqrt(variance) * random.normal();
	}
	return { y, weight, jump };
}

/** Every way to cut `count` points into segments of at least `shortest`. */
function* cuttings(count: number, shortest: number, from = 0): Generator<number[]> {
	if (count - from < shortest) return;
	yield [from];
	for (let next = from + shortest; next + shortest <= count; next++) {
		for (const laterCuts of cuttings(count, shortest, next)) yield [from, ...laterCuts];
	}
}

function costOf(curve: Curve, starts: readonly number[]): number {
	const ends = [...starts.slice(1), curve.y.length];
	const costs = starts.map((start, index) => levelAt(curve, start, (ends[index] as number) - 1).cost);
	return costs.reduce((sum, cost) => sum + cost, 0) + RULE.penalty * (starts.length - 1);
}

test('no other cutting of a short curve is cheaper', () => {
	const random = createRandom(11);
	for (let round = 0; round < 150; round++) {
		const curve = drawCurve(random, 3 + Math.floor(random.next() * 12));
		const partitioned = partition(curve, RULE);
		const best = [...cuttings(curve.y.length, RULE.shortest)].reduce((a, b) =>
			costOf(curve, b) < costOf(curve, a) ? b : a,
		);
		assert.deepEqual(partitioned, best, `curve ${round}`);
	}
});

/**
 * Least value of (y − μ)ᵀ V⁻¹ (y − μ) over μ, with V the points' own variances plus the variance of each link for all
 * points after it.
 */
function generalisedLeastSquares(
	{ y, weight, jump }: Curve,
	first: number,
	last: number,
): { cost: number; mean: number } {
	const count = last - first + 1;
	const linkSum = (until: number) => {
		let sum = 0;
		for (let at = first + 1; at <= until; at++) sum += jump[at] as number;
		return sum;
	};
	const matrix = Array.from({ length: count }, (_, i) =>
		Array.from(
			{ length: count },
			(_, j) => linkSum(first + Math.min(i, j)) + (i === j ? 1 / (weight[first + i] as number) : 0),
		),
	);
	const values = Array.from(y.slice(first, last + 1));
	const solved = solve(matrix, [values, values.map(() => 1)]);
	const [vy, v1] = solved as [number[], number[]];
	const sum = (of: readonly number[]) => of.reduce((total, value) => total + value, 0);
	const mean = sum(vy) / sum(v1);
	const cost = values.reduce((total, value, i) => total + value * ((vy[i] as number) - mean * (v1[i] as number)), 0);
	return { cost, mean };
}

/** Solves a symmetric positive system for several right sides, by Gauss and Jordan. */
function solve(matrix: readonly (readonly number[])[], sides: readonly (readonly number[])[]): number[][] {
	const rows = matrix.map((row, i) => [...row, ...sides.map((side) => side[i] as number)]);
	rows.forEach((pivot, i) => {
		const scale = pivot[i] as number;
		for (let k = 0; k < pivot.length; k++) pivot[k] = (pivot[k] as number) / scale;
		rows.forEach((row, j) => {
			const factor = row[i] as number;
			if (j === i) return;
			for (let k = 0; k < row.length; k++) row[k] = (row[k] as number) - factor * (pivot[k] as number);
		});
	});
	return sides.map((_, side) => rows.map((row) => row[rows.length + side] as number));
}

test('the cost of a segment is that of generalised least squares, with links', () => {
	const random = createRandom(12);
	for (let round = 0; round < 60; round++) {
		const curve = drawCurve(random, 12);
		const expected = generalisedLeastSquares(curve, 2, 10);
		assertClose(levelAt(curve, 2, 10).cost, expected.cost, 1e-8, `cost ${round}`);
		// Read backwards, the level is that before the first link: the mean μ itself.
		assertClose(levelAt(curve, 10, 2).mean, expected.mean, 1e-8, `mean ${round}`);
		assertClose(levelAt(curve, 10, 2).cost, expected.cost, 1e-8, `cost backwards ${round}`);
	}
});

test('a change of level at an unknown link costs nothing', () => {
	const y = Float64Array.of(0, 0.1, -0.1, 5, 5.1, 4.9);
	const weight = new Float64Array(6).fill(100);
	const jump = Float64Array.of(0, 0, 0, Number.POSITIVE_INFINITY, 0, 0);
	assert.deepEqual(partition({ y, weight, jump }, RULE), [0]);
	assert.deepEqual(partition({ y, weight, jump: new Float64Array(6) }, RULE), [0, 3]);
});

test('a short curve has one segment, and an empty one none', () => {
	const flat = (count: number): Curve => ({
		y: new Float64Array(count),
		weight: new Float64Array(count).fill(1),
		jump: new Float64Array(count),
	});
	assert.deepEqual(partition(flat(0), RULE), []);
	for (const count of [1, 2, 3, 5]) assert.deepEqual(partition(flat(count), RULE), [0]);
});

test('a history longer than a stretch keeps its steps, wherever stretches are cut', () => {
	const random = createRandom(13);
	const steps = [500, 899, 905, 1201, 1700, 2600, 2990];
	const y = Float64Array.from(
		{ length: 3000 },
		(_, at) => 6 * steps.filter((step) => step <= at).length + random.normal(),
	);
	const curve = { y, weight: new Float64Array(3000).fill(1), jump: new Float64Array(3000) };
	assert.deepEqual(partition(curve, { penalty: 30, shortest: 3 }), [0, ...steps]);
});
