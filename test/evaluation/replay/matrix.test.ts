import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matrices } from '../../../evaluation/replay/matrix.ts';
import { drawRuns, independentDraws, poolsOf } from '../../../evaluation/replay/matrix-runs.ts';
import { keepCells } from '../../../evaluation/replay/rounds.ts';
import { sharedVariance } from '../../../evaluation/replay/shared-variance.ts';
import type { Series } from '../../../evaluation/series.ts';
import type { Round } from '../../../src/types/round.ts';
import { spread } from '../../support/rounds.ts';
import { near, withD } from '../answers/support.ts';
import { type SyntheticOptions, syntheticSeries } from '../support/series.ts';

const SCENARIOS = ['ping', 'param-json', 'json-post', 'auth-get'];

function live(options: SyntheticOptions): Series {
	const series = syntheticSeries({ experiment: 'live', scenarios: SCENARIOS, designs: ['duet'], ...options });
	return series;
}

/** Its last rounds lack the first cell, as after its verdict. */
function withDropout(series: Series, from: number): Series {
	const rounds = series.rounds.map((round, index) =>
		index < from ? round : { ...round, cells: round.cells.slice(1), seconds: round.seconds * 0.75 },
	);
	return { ...series, rounds };
}

const SERIES = [
	live({ id: 'a', rounds: 16, sd: 0.01 }),
	withDropout(live({ id: 'b', rounds: 9, sd: 0.01, seed: 2 }), 6),
	live({ id: 'c', rounds: 20, sd: 0.01, seed: 3, servers: ['koa'] }),
];

test('pools hold only rounds with every cell, of one matrix each', () => {
	const pools = poolsOf([...SERIES, live({ experiment: 'designs' })]);
	assert.deepEqual(
		pools.map(({ plan, rounds }) => [plan.cells[0]?.server, rounds.length]),
		[
			['express', 22],
			['koa', 20],
		],
	);
});

test('drawn runs are seeded, use no round twice and go around the pools', () => {
	const pools = poolsOf(SERIES);
	const runs = drawRuns(pools, 20, 7);
	assert.deepEqual(runs, drawRuns(pools, 20, 7));
	assert.notDeepEqual(runs, drawRuns(pools, 20, 8));
	for (const [index, { plan, rounds, planted }] of runs.entries()) {
		assert.equal(plan, pools[index % 2]?.plan);
		assert.equal(rounds.length, 20);
		const used = rounds.map(({ cells }) => JSON.stringify(cells[0]?.windows));
		assert.equal(new Set(used).size, rounds.length);
		assert.ok(plan.cells.some(({ id }) => id === planted));
	}
	assert.ok(new Set(runs.map(({ planted }) => planted)).size >= 6, 'every cell has its turn');
	assert.deepEqual(drawRuns([], 5, 7), []);
});

test('live runs against themselves keep their decisions, replayed ones are decided from their rounds', () => {
	const results = matrices(SERIES, 30);
	assert.deepEqual(
		results.map(({ origin, threshold, cells, runs }) => [origin, threshold, cells, runs]),
		[
			['live', 0.05, 4, 3],
			['replayed', 0.05, 4, 30],
		],
	);
	const [real, replayed] = results;
	assert.deepEqual([real?.redGates.count, real?.redGates.of, replayed?.redGates.count], [0, 3, 0]);
	assert.equal(
		Object.values(replayed?.verdicts ?? {}).reduce((sum, count) => sum + count, 0),
		120,
	);
	assert.deepEqual(real?.verdicts, { unchanged: 12 });
	// 16 and 20 rounds of 16 s; in the second series 6, and three of 12 s.
	assert.deepEqual(real?.seconds.median, 256);
	assert.equal(real?.covered.of, 12);
	// Both ends of an interval hold at 95 %.
	assert.ok((replayed?.covered.count ?? 0) >= 0.9 * 120);
	const [least, middle] = replayed?.power ?? [];
	assert.deepEqual(
		replayed?.power.map(({ drop }) => drop),
		[0.05, 0.07, 0.1],
	);
	assert.ok((least?.red.count ?? 30) < (middle?.red.count ?? 0) && (middle?.red.count ?? 0) > 27);
	assert.equal(replayed?.power[2]?.red.count, 30);
	// A row that is hard to decide keeps the run going.
	assert.ok((least?.seconds.median ?? 0) > (replayed?.seconds.median ?? 0));
	assert.ok((replayed?.seconds.median ?? 0) < 100, 'it ends when every cell is decided');
	assert.ok((replayed?.secondsPerCell ?? 0) >= 16 && (replayed?.secondsPerCell ?? 0) < 30);
});

test('a live run that was really slower is a red gate and not covered', () => {
	const [real] = matrices([live({ rounds: 9, sd: 0.005, drop: 0.1 })], 1);
	assert.deepEqual([real?.redGates.count, real?.covered.count, real?.covered.of], [1, 0, 4]);
	assert.deepEqual(real?.verdicts, { regressed: 4 });
});

test('a threshold of 2 % wants at least 30 rounds', () => {
	const results = matrices([live({ rounds: 40, sd: 0.01 })], 8);
	const small = results.find(({ threshold }) => threshold === 0.02);
	assert.equal(small?.runs, 8);
	assert.equal(small?.redGates.count, 0);
	assert.deepEqual(
		small?.power.map(({ red }) => red.count),
		[8, 8, 8],
	);
});

test('without live series there are no runs', () => {
	assert.deepEqual(matrices([syntheticSeries()]), []);
	assert.deepEqual(sharedVariance([syntheticSeries()]), []);
});

test('shared variance: same runs, fewer rounds, and the promises hold', () => {
	const results = sharedVariance([live({ rounds: 60, sd: 0.02, scenarios: [...SCENARIOS, 'five', 'six'] })], 60);
	assert.deepEqual(
		results.map(({ drop, shared }) => [drop, shared]),
		[
			[0, false],
			[0, true],
			[0.05, false],
			[0.05, true],
			[0.1, false],
			[0.1, true],
		],
	);
	for (const { runs, redGates, inconclusiveRows, wrongPasses, covered, drop } of results) {
		assert.deepEqual([runs, redGates.of, inconclusiveRows.of, covered.of], [60, 60, 360, 360]);
		assert.equal(wrongPasses.of, drop === 0 ? 0 : 60);
		assert.ok(covered.count / covered.of >= 0.9);
	}
	const [plain, shared] = results;
	assert.ok(
		(shared?.roundsPerCell ?? 0) < (plain?.roundsPerCell ?? 0),
		'variances shared between like cells save rounds',
	);
	assert.equal(plain?.redGates.count, 0);
	assert.ok((results[4]?.redGates.count ?? 0) > 55 && (results[5]?.redGates.count ?? 0) > 55);
});

test('pools that hold less than a whole run are not replayed', () => {
	const origins = (rounds: number) => matrices([live({ rounds, sd: 0.01 })], 3).map(({ origin }) => origin);
	assert.deepEqual(origins(19), ['live']);
	assert.deepEqual(origins(20), ['live', 'replayed']);
	assert.deepEqual(sharedVariance([live({ rounds: 19, sd: 0.01 })], 3), []);
});

test('runs drawn from unequal pools are worth as much as the shortest allows', () => {
	const pools = poolsOf(SERIES);
	// 22 and 20 rounds, 5 and 4 of them used: 2² / (5 / 22 + 4 / 20).
	near(independentDraws(pools, [4, 3, 6, 5]), 4 / (5 / 22 + 4 / 20));
	near(independentDraws(pools.slice(0, 1), [11, 11]), 2);
});

test('a round without some of its cells costs what starting it and the others cost', () => {
	const [short] = live({ rounds: 1 }).rounds as [Round];
	const round = { ...short, seconds: short.seconds + 5 };
	const lengths = round.cells.map(({ windows }) => ({
		from: windows[0]?.startedAt ?? 0,
		to: (windows.at(-1)?.startedAt ?? 0) + (windows.at(-1)?.base?.seconds ?? 0),
	}));
	const [first, , , last] = lengths as [Span, Span, Span, Span];
	const kept = keepCells(round, [round.cells[0]?.cell ?? '']);
	// The three other cells, with their windows and gaps, are missing.
	near(kept.seconds, round.seconds - (last.to - first.to), 0.01);
	assert.equal(
		keepCells(
			round,
			round.cells.map(({ cell }) => cell),
		),
		round,
	);
});

test('a run that the end of its series stopped counts if it was red before, but not if only the end decided it', () => {
	const one = live({ experiment: 'matrix', rounds: 5 });
	const [ids] = one.plans.map((plan) => plan.cells.map(({ id }) => id)) as [string[]];
	const consecutive = (d: (cell: string, round: number) => number) =>
		matrices([withD(one, ({ cell }, { round }) => d(cell, round - 1))], 1).find(
			({ origin }) => origin === 'consecutive',
		);
	const wide = spread(5, 0, 0.3);
	const calm = spread(5, -0.2, 0.002);
	const red = consecutive((cell, round) => (cell === ids[0] ? calm : wide)[round] ?? 0);
	assert.deepEqual([red?.runs, red?.cutOff, red?.redGates.count], [1, 0, 1]);
	assert.equal(
		consecutive((_, round) => wide[round] ?? 0),
		undefined,
	);
	// Open after the look at 4, passed by the remaining weight at 5: see test/judge/verdicts.test.ts.
	const late = spread(5, -0.01, 0.016);
	assert.equal(
		consecutive((_, round) => late[round] ?? 0),
		undefined,
	);
});

interface Span {
	readonly from: number;
	readonly to: number;
}

test('long series are cut into consecutive runs; an undecided last one is reported, and does not count', () => {
	const one = live({ experiment: 'matrix', rounds: 4, sd: 0.002, windowSd: 0.002 });
	const runsOf = (rounds: Series['rounds']) => {
		const [consecutive] = matrices([{ ...one, rounds }], 1).filter(({ origin }) => origin === 'consecutive');
		return [consecutive?.runs, consecutive?.cutOff, consecutive?.verdicts];
	};
	const twice = [...one.rounds, ...one.rounds];
	assert.deepEqual(runsOf(one.rounds), [1, 0, { unchanged: 4 }]);
	assert.deepEqual(runsOf(twice), [2, 0, { unchanged: 8 }]);
	assert.deepEqual(runsOf([...twice, ...one.rounds.slice(0, 3)]), [2, 1, { unchanged: 8 }]);
	assert.deepEqual(runsOf(one.rounds.slice(0, 3)), [undefined, undefined, undefined]);
	const other = { ...one, id: 'other', rounds: one.rounds.slice(0, 2) };
	const [both] = matrices([{ ...one, rounds: [...twice, ...one.rounds.slice(0, 1)] }, other], 1);
	assert.deepEqual([both?.origin, both?.runs, both?.cutOff, both?.redGates.of], ['consecutive', 2, 2, 2]);
});
