import assert from 'node:assert/strict';
import { test } from 'node:test';
import { absoluteFigures } from '../../src/stats/absolute.ts';
import { summariseGuards } from '../../src/stats/guards.ts';
import type { CellRound, WindowSide } from '../../src/types/round.ts';
import { assertClose } from '../support/close.ts';
import { scriptRounds, type Turn } from '../support/rounds.ts';

function cellRounds(turns: readonly Turn[]): CellRound[] {
	return scriptRounds(turns).flatMap((round) => round.cells);
}

const QUIET: Turn = { d: 0 };

test('guards of quiet rounds', () => {
	const guards = summariseGuards(cellRounds([QUIET, QUIET]), [0.01, -0.01, 0.01, -0.01]);
	assert.deepEqual(guards, {
		generatorUtilisation: 0.5,
		serverUtilisation: 1,
		cpuShare: 0.5,
		nonExpected: 0,
		errors: 0,
		lag1: -0.75,
	});
});

test('guards see shares, errors and wrong answers of the worse side', () => {
	const guards = summariseGuards(
		cellRounds([{ d: 0, cpu: -0.2, server: 0.8, unexpected: 10, errors: 5, generator: 0.97 }]),
		[],
	);
	assertClose(guards.serverUtilisation, 0.8);
	assertClose(guards.cpuShare, Math.exp(0.2) / (1 + Math.exp(0.2)));
	assertClose(guards.nonExpected, 60 / 8020);
	assert.equal(guards.errors, 20);
	assert.equal(guards.generatorUtilisation, 0.97);
	assert.equal(guards.lag1, null);
});

test('guards are null if the platform cannot measure them, and ignore solo windows', () => {
	const guards = summariseGuards(cellRounds([{ d: 0, cpu: null, solo: [10, 10] }]), []);
	assert.equal(guards.cpuShare, null);
	assert.equal(guards.serverUtilisation, null);
	assert.equal(guards.generatorUtilisation, 0.5);
	assert.equal(summariseGuards([], []).generatorUtilisation, null);
});

test('absolute figures come from solo windows: the median over rounds, in the unit of the metric', () => {
	const rounds = cellRounds([
		{ d: 0, solo: [1000, 900] },
		{ d: 0, solo: [1200, 950] },
		{ d: 0, solo: [5000, 800] },
		QUIET,
	]);
	const figures = absoluteFigures(rounds, 'duet');
	assert.deepEqual(figures.throughput, { base: 1200, head: 900, source: 'solo' });
	assertClose(figures['cpu-per-request'].base, 750);
	assertClose(figures['cpu-per-request'].head, 1000);
	assert.deepEqual(figures['latency-p50'], { base: 1, head: 1, source: 'solo' });
	assert.deepEqual(figures['memory-peak'], { base: 80, head: 80, source: 'duet' });
});

test('if solo windows disagree with the duet, the level is a range, and latency is that of the duet', () => {
	// Both sides answer 2000 a second beside each other, so one alone answers about 4000.
	const figuresOf = (solo: readonly [number, number], turn: Partial<Turn> = {}) =>
		absoluteFigures(cellRounds([{ d: 0, idle: 0, solo, ...turn }, QUIET]), 'duet');
	for (const usual of [
		[4100, 3900],
		[3300, 3500],
		[5900, 6100],
	] as const) {
		assert.equal(figuresOf(usual).throughput.level, undefined, String(usual));
		assert.equal(figuresOf(usual)['latency-p50'].source, 'solo');
	}
	const { throughput, ...others } = figuresOf([1500, 1600]);
	assertClose(throughput.level?.low, 1500);
	assertClose(throughput.level?.high, 4000);
	assert.deepEqual([throughput.base, throughput.head, throughput.source], [1500, 1600, 'solo']);
	assert.equal(others['latency-p50'].source, 'duet');
	// Base was disturbed, head was not.
	const { low, high } = figuresOf([2000, 3800], { idle: 0.6 }).throughput.level ?? {};
	assert.deepEqual(
		[low, high].map((end) => Math.round(end ?? 0)),
		[2000, 3800],
	);
	// A difference that the duet shows too is no disagreement.
	const apart = absoluteFigures(cellRounds([{ d: Math.log(0.5), idle: 0, solo: [3800, 1900] }]), 'duet');
	assert.equal(apart.throughput.level, undefined);
});

test('solo windows may disagree with the duet if a server waits, or may wait', () => {
	for (const idle of [0.6, undefined]) {
		const waiting: Turn = { d: 0, solo: [2100, 2050], ...(idle !== undefined && { idle }) };
		assert.equal(absoluteFigures(cellRounds([waiting]), 'duet').throughput.level, undefined);
	}
	// Other programs keep the CPU busy, and the server uses a fiftieth of it.
	const crowded = cellRounds([{ d: 0, solo: [2100, 2050], idle: 0 }]).map((cellRound) => ({
		...cellRound,
		windows: cellRound.windows.map((window) => {
			const waits = (side: WindowSide | null) => side && { ...side, cpuSeconds: 0.02 };
			return window.kind === 'solo' ? { ...window, base: waits(window.base), head: waits(window.head) } : window;
		}),
	}));
	assert.equal(absoluteFigures(crowded, 'duet').throughput.level, undefined);
});

test('solo windows without an answer show no level', () => {
	const { throughput } = absoluteFigures(cellRounds([{ d: 0, answers: 20, solo: [0, 20] }]), 'duet');
	assert.deepEqual(throughput, { base: 20, head: 20, source: 'duet' });
});

test('servers that use under a tenth of their CPU wait, even if other programs use the rest', () => {
	const utilisationOf = (turn: Turn) => summariseGuards(cellRounds([turn]), []).serverUtilisation;
	assertClose(utilisationOf({ d: 0, server: 0.02, idle: 0 }), 0.02);
	assertClose(utilisationOf({ d: 0, server: 0.2, idle: 0 }), 1);
	assertClose(utilisationOf({ d: 0, server: 0.2, idle: 0.2 }), 0.5);
});

test('without solo windows absolute figures are those of the design, and say so', () => {
	const figures = absoluteFigures(cellRounds([{ d: Math.log(0.9), answers: 1000, cpu: null }]), 'duet');
	assert.equal(figures.throughput.base, 1000);
	assertClose(figures.throughput.head, 900);
	assert.equal(figures.throughput.source, 'duet');
	assert.deepEqual(figures['cpu-per-request'], { base: null, head: null, source: 'duet' });
	assert.deepEqual(absoluteFigures([], 'duet').throughput, { base: null, head: null, source: 'duet' });
});
