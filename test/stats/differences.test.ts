import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { roundDifferences } from '../../src/stats/differences.ts';
import { countOf, histogramQuantile, mergeHistograms } from '../../src/stats/histogram.ts';
import { pairWindows, poolPairs } from '../../src/stats/windows.ts';
import type { CellRound, WindowSide } from '../../src/types/round.ts';
import { assertClose } from '../support/close.ts';
import { type RoundOptions, scriptRounds, type Turn } from '../support/rounds.ts';

function cellRound(turn: Turn, options: RoundOptions = {}): CellRound {
	return scriptRounds([turn], options)[0]?.cells[0] as CellRound;
}

function eachSide(cell: CellRound, change: (side: WindowSide, name: 'base' | 'head') => WindowSide): CellRound {
	const windows = cell.windows.map((window) => ({
		...window,
		base: window.base && change(window.base, 'base'),
		head: window.head && change(window.head, 'head'),
	}));
	return { ...cell, windows };
}

test('d of throughput is the Hodges–Lehmann centre of the windows, so that one stalled window does not dominate it', () => {
	assertClose(roundDifferences(cellRound({ d: -0.05 })).throughput, -0.05);
	assertClose(roundDifferences(cellRound({ d: -0.05, windows: [-0.01, 0, 0, 0.01, -0.3] })).throughput, -0.055);
});

test('CPU per request, latency and memory are signed so that negative is worse', () => {
	const d = roundDifferences(
		cellRound({
			d: -0.05,
			cpu: -0.08,
			latency: { base: [[1000, 10]], head: [[1250, 10]] },
			memory: [100, 80],
		}),
	);
	assertClose(d['cpu-per-request'], -0.08);
	assertClose(d['latency-p50'], -Math.log(1.25));
	assertClose(d['latency-p99'], -Math.log(1.25));
	assertClose(d['memory-peak'], Math.log(1.25));
});

test('windows with few answers are taken together until both sides have 1000', () => {
	const cell = cellRound({ d: 0, windows: [0, 0, 0, 0, 0], answers: 400 });
	const groups = poolPairs(pairWindows(cell), 1000);
	assert.deepEqual(
		groups.map((group) => group.base.completed),
		[2000],
	);
	const [first, second] = poolPairs(pairWindows(cellRound({ d: -0.5, windows: [0, 0, 0, 0, 0], answers: 900 })), 1000);
	assert.equal(first?.base.completed, 1800);
	assert.equal(second?.base.completed, 2700);
	assert.equal(poolPairs(pairWindows(cellRound({ d: 0, answers: 10 })), 1000).length, 1);
});

test('alternating windows are paired in ABBA order', () => {
	const cell = cellRound({ d: -0.1, windows: [-0.2, 0, 0.2] }, { purpose: 'confirm' });
	assert.deepEqual(cell.windows.map((window) => (window.base ? 'A' : 'B')).join(''), 'ABBAAB');
	const ratios = pairWindows(cell).map(({ base, head }) => Math.log(head.completed / base.completed));
	for (const [index, expected] of [-0.3, -0.1, 0.1].entries()) assertClose(ratios[index], expected, 1e-9);
});

test('solo windows never enter a difference', () => {
	for (const design of ['duet', 'alternating', 'sequential'] as const) {
		const turn = { d: -0.03, windows: [-0.02, 0, 0.02] };
		const plain = roundDifferences(cellRound(turn, { design }));
		assertClose(plain.throughput, -0.03);
		assert.deepEqual(roundDifferences(cellRound({ ...turn, solo: [50000, 100] }, { design })), plain);
	}
});

test('a figure that a side lacks gives null, not zero', () => {
	const silent = eachSide(cellRound({ d: 0 }), (side, name) => (name === 'head' ? { ...side, completed: 0 } : side));
	assert.equal(roundDifferences(silent).throughput, null);
	assert.equal(roundDifferences(silent)['cpu-per-request'], null);
	assert.equal(roundDifferences(cellRound({ d: 0, cpu: null }))['cpu-per-request'], null);
	assert.equal(roundDifferences({ ...cellRound({ d: 0 }), windows: [] }).throughput, null);
	const unknown = { ...cellRound({ d: 0 }), memoryPeak: { base: 1e6, head: null } };
	assert.equal(roundDifferences(unknown)['memory-peak'], null);
});

test('a window shorter than the CPU clock keeps CPU per request', () => {
	const cell = cellRound({ d: -0.1 });
	const coarse = { ...cell, windows: cell.windows.map((window, index) => (index === 0 ? withoutCpu(window) : window)) };
	assertClose(roundDifferences(coarse)['cpu-per-request'], -0.1);
});

function withoutCpu<T extends CellRound['windows'][number]>(window: T): T {
	const zero = (side: WindowSide | null) => side && { ...side, cpuSeconds: 0 };
	return { ...window, base: zero(window.base), head: zero(window.head) };
}

test('swapping the sides negates every difference', () => {
	const turn = fc.record({
		d: fc.double({ min: -0.5, max: 0.5, noNaN: true }),
		cpu: fc.double({ min: -0.5, max: 0.5, noNaN: true }),
		windows: fc.array(fc.double({ min: -0.1, max: 0.1, noNaN: true }), { minLength: 1, maxLength: 8 }),
		answers: fc.integer({ min: 100, max: 5000 }),
	});
	fc.assert(
		fc.property(turn, (given) => {
			const cell = cellRound({ ...given, memory: [50, 70] });
			const swapped = {
				...cell,
				windows: cell.windows.map((window) => ({ ...window, base: window.head, head: window.base })),
				memoryPeak: { base: cell.memoryPeak.head, head: cell.memoryPeak.base },
			};
			const there = roundDifferences(cell);
			for (const [metric, value] of Object.entries(roundDifferences(swapped))) {
				assert.equal((value as number) + (there[metric as keyof typeof there] as number), 0, metric);
			}
		}),
		{ seed: 4, numRuns: 200 },
	);
});

test('a machine twice as fast changes nothing', () => {
	fc.assert(
		fc.property(
			fc.double({ min: -0.4, max: 0.4, noNaN: true }),
			fc.double({ min: 1, max: 8, noNaN: true }),
			(d, speed) => {
				const there = roundDifferences(cellRound({ d, windows: [0.01, -0.02, 0] })).throughput as number;
				const here = roundDifferences(cellRound({ d, windows: [0.01, -0.02, 0], speed })).throughput as number;
				assert.ok(Math.abs(there - here) < 1e-12);
			},
		),
		{ seed: 5, numRuns: 200 },
	);
});

test('histogram quantiles agree with numpy.quantile of the same answers', () => {
	const histogram = [
		[100, 3],
		[200, 5],
		[310, 1],
		[5000, 1],
	] as const;
	for (const [p, expected] of [
		[0, 100],
		[0.25, 125],
		[0.5, 200],
		[0.9, 779],
		[0.99, 4577.9],
		[1, 5000],
	] as const) {
		assertClose(histogramQuantile(histogram, p), expected, 1e-12, `p ${p}`);
	}
	assert.equal(histogramQuantile([], 0.5), null);
});

test('merged histograms keep every answer, in order', () => {
	const merged = mergeHistograms([
		[
			[100, 1],
			[300, 2],
		],
		[
			[50, 4],
			[300, 1],
		],
	]);
	assert.deepEqual(merged, [
		[50, 4],
		[100, 1],
		[300, 3],
	]);
	assert.equal(countOf(merged), 8);
});
