/** Errors that rounds do not show: rounding common to all of them, and bursts counted as a whole. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commonErrorOf, largestCountError } from '../../src/stats/count-error.ts';
import { endsOf, locationOf, probabilityAbove, probabilityBelow } from '../../src/stats/location.ts';
import type { CellRound, WindowSide } from '../../src/types/round.ts';
import { assertClose } from '../support/close.ts';
import { decideTurns } from '../support/decisions.ts';
import { scriptRounds, spread, type Turn } from '../support/rounds.ts';

const EQUAL = [0, 0, 0, 0];

/** One of the windows has twenty answers of three seconds per side, as 20 connections give them in one burst. */
const BURST: Turn = {
	...{ d: 0, cpu: 0, answers: 20, windows: [0], idle: 0.98, server: 0.01 },
	latency: { base: [[3_000_000, 20]], head: [[3_000_000, 20]] },
};

function cellsOf(turns: readonly (number | Turn)[]): readonly CellRound[] {
	return scriptRounds(turns).flatMap(({ cells }) => cells);
}

/** The same rounds, with answers counted by their duration, or at a fixed rate. */
function changed(cells: readonly CellRound[], more: Partial<WindowSide>): readonly CellRound[] {
	return cells.map((cell) => ({
		...cell,
		windows: cell.windows.map((window) => ({
			...window,
			base: window.base && { ...window.base, ...more },
			head: window.head && { ...window.head, ...more },
		})),
	}));
}

test('rounds that agree better than the resolution of a clock or stored latency get no smaller error than that', () => {
	const many = cellsOf(EQUAL);
	assert.equal(commonErrorOf('throughput', EQUAL, many), 0.001);
	assert.equal(commonErrorOf('latency-p50', EQUAL, many), 1 / 128);
	for (const metric of ['throughput', 'latency-p50'] as const)
		assert.equal(commonErrorOf(metric, spread(4, 0, 0.01), many), 0);
	assert.equal(commonErrorOf('throughput', [0], many), 0);
});

test('a count of few answers is off by the requests under way on both sides, in metrics that count them', () => {
	const cells = cellsOf([BURST, BURST]);
	// 60 s of waiting in one second are 60 requests under way, of 20 that were counted, on each side.
	assertClose(largestCountError(cells), 6, 1e-9);
	assertClose(commonErrorOf('throughput', [0, 0], cells), 6, 1e-9);
	assert.equal(commonErrorOf('memory-peak', spread(2, 0, 0.01), cells), 0);
	assert.equal(largestCountError(cellsOf(EQUAL)), 0);
	assert.equal(largestCountError([]), 0);
});

test('answers counted by their duration, or at a fixed rate, have no such error', () => {
	const cells = cellsOf([BURST]);
	assert.equal(largestCountError(changed(cells, { answers: 6.7 })), 0);
	assert.equal(largestCountError(changed(cells, { due: 20, late: 0 })), 0);
});

test('a common error moves every limit, and no number of rounds reduces it', () => {
	for (const n of [4, 30]) {
		const d = spread(n, -0.04, 0.001);
		const [sure, coarse] = [locationOf(d), locationOf(d, 1, 0.02)];
		assert.ok(sure && coarse);
		assert.ok(probabilityAbove(sure, -0.0513) < 0.01 && probabilityBelow(sure, -0.025) < 0.01, `${n} rounds`);
		assert.ok(probabilityAbove(coarse, -0.0513) > 0.99 && probabilityBelow(coarse, -0.025) > 0.99, `${n} rounds`);
		const levels = { low: 0.05, high: 0.05 };
		const [narrow, wide] = [endsOf(sure, levels), endsOf(coarse, levels)];
		assertClose((narrow.low ?? 0) - (wide.low ?? 0), 0.02, 1e-12);
		assertClose((wide.high ?? 0) - (narrow.high ?? 0), 0.02, 1e-12);
	}
});

test('twenty answers per side and round neither pass a row nor claim that it could have seen a drop', () => {
	const { row } = decideTurns(Array.from({ length: 20 }, () => BURST));
	assert.equal(row.verdict, 'inconclusive');
	assert.ok((row.smallestDecidableThreshold ?? 0) > 0.99, `${row.smallestDecidableThreshold}`);
	const { low, high } = row.estimate?.interval ?? {};
	assert.ok((low ?? 0) < -0.9 && (high ?? 0) > 0.9, `${low} to ${high}`);
	assert.ok(row.warnings.some(({ code }) => code === 'whole-answers'));
});
