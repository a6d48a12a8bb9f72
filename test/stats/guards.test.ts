import assert from 'node:assert/strict';
import { test } from 'node:test';
import { absoluteFigures } from '../../src/stats/absolute.ts';
import { cellWarnings, machineWarnings, summariseGuards } from '../../src/stats/guards.ts';
import type { CellRound } from '../../src/types/round.ts';
import { assertClose } from '../support/close.ts';
import { scriptRounds, type Turn } from '../support/rounds.ts';

function cellRounds(turns: readonly Turn[]): CellRound[] {
	return scriptRounds(turns).flatMap((round) => round.cells);
}

function codes(warnings: readonly { code: string }[]): string[] {
	return warnings.map((warning) => warning.code);
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

test('guards say null where the platform cannot tell, and ignore solo windows', () => {
	const guards = summariseGuards(cellRounds([{ d: 0, cpu: null, solo: [10, 10] }]), []);
	assert.equal(guards.cpuShare, null);
	assert.equal(guards.serverUtilisation, null);
	assert.equal(guards.generatorUtilisation, 0.5);
	assert.equal(summariseGuards([], []).generatorUtilisation, null);
});

test('few-responses: a side answers less than 1000 requests in a round', () => {
	assert.deepEqual(codes(cellWarnings(cellRounds([QUIET, { d: 0, answers: 240 }]), 0.025)), ['few-responses']);
	assert.deepEqual(codes(cellWarnings(cellRounds([{ d: 0, answers: 250 }]), 0.025)), []);
	assert.deepEqual(codes(cellWarnings([], 0.025)), []);
});

test('still-warming: the ratio drifts within rounds by more than the tolerance, clearly', () => {
	const drifting = [0.04, 0.05, 0.06, 0.05].map((drift) => ({ d: 0, windows: [0, drift / 3, (2 * drift) / 3, drift] }));
	assert.deepEqual(codes(cellWarnings(cellRounds(drifting), 0.025)), ['still-warming']);
	assert.match(cellWarnings(cellRounds(drifting), 0.025)[0]?.message ?? '', /5\.1 %/);
	assert.deepEqual(codes(cellWarnings(cellRounds(drifting), 0.08)), [], 'within the tolerance');
	const noisy = [0.4, -0.3, 0.3, -0.2].map((drift) => ({ d: 0, windows: [0, drift / 2, drift] }));
	assert.deepEqual(codes(cellWarnings(cellRounds(noisy), 0.025)), [], 'noise without a direction');
	// scipy.stats.ttest_1samp([.05, .04, .06, .05, 0], 0).pvalue is 0.0189, without its last value 0.0012.
	const unsure = [0.05, 0.04, 0.06, 0.05, 0].map((drift) => ({
		d: 0,
		windows: [0, drift / 3, (2 * drift) / 3, drift],
	}));
	assert.deepEqual(codes(cellWarnings(cellRounds(unsure), 0.025)), [], 'one run in twenty has such a row by chance');
	assert.deepEqual(codes(cellWarnings(cellRounds(unsure.slice(0, -1)), 0.025)), ['still-warming']);
	assert.deepEqual(codes(cellWarnings(cellRounds(drifting.slice(1)), 0.025)), [], 'three rounds are too few to say');
});

test('busy-machine: other processes use more than 5 % of a CPU in more than 20 % of the windows', () => {
	const rounds = (busy: number) =>
		cellRounds([...Array(busy).fill({ d: 0, otherCpu: 0.06 }), ...Array(10 - busy).fill({ d: 0, otherCpu: 0.05 })]);
	assert.deepEqual(codes(machineWarnings(rounds(2))), []);
	assert.deepEqual(codes(machineWarnings(rounds(3))), ['busy-machine']);
	assert.deepEqual(codes(machineWarnings(cellRounds([{ d: 0, otherCpu: null }]))), []);
});

test('not-pinned: a round ran without pinning', () => {
	assert.deepEqual(codes(machineWarnings(cellRounds([QUIET, { d: 0, pinned: false }]))), ['not-pinned']);
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

test('without solo windows absolute figures are those of the design, and say so', () => {
	const figures = absoluteFigures(cellRounds([{ d: Math.log(0.9), answers: 1000, cpu: null }]), 'duet');
	assert.equal(figures.throughput.base, 1000);
	assertClose(figures.throughput.head, 900);
	assert.equal(figures.throughput.source, 'duet');
	assert.deepEqual(figures['cpu-per-request'], { base: null, head: null, source: 'duet' });
	assert.deepEqual(absoluteFigures([], 'duet').throughput, { base: null, head: null, source: 'duet' });
});
