import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { GUARD_CODES, guardCounts } from '../../../evaluation/answers/guards.ts';
import { independence, skewOf } from '../../../evaluation/answers/independence.ts';
import { together } from '../../../evaluation/answers/together.ts';
import { syntheticSeries } from '../support/series.ts';
import { mapCells, near, withD } from './support.ts';

const D = [1, 2, 3, 10, 4, 2, 1, 0];

test('skewness is that of SciPy', () => {
	near(skewOf(D), 2.004794462955618, 1e-12); // scipy.stats.skew([1, 2, 3, 10, 4, 2, 1, 0], bias=False)
	near(skewOf(D.map((value) => -value)), -2.004794462955618, 1e-12);
});

test('series are described around their own centres', () => {
	const series = [0, 5].map((shift) =>
		withD(syntheticSeries({ rounds: 8, id: `s${shift}` }), (_, { round }) => ((D[round - 1] ?? 0) + shift) / 100),
	);
	const short = syntheticSeries({ rounds: 7, sd: 1 });
	const lines = independence([...series, short, syntheticSeries({ experiment: 'timing', sd: 1 })]);
	assert.deepEqual(
		lines.map(({ design, cell, rounds }) => `${design} ${cell} ${rounds}`),
		['duet', 'alternating', 'sequential'].map((design) => `${design} express/param-json 16`),
	);
	const [line] = lines;
	// numpy: r = d - d.mean(); (r[1:] * r[:-1]).sum() / (r * r).sum()
	near(line?.lag1, 0.23933756805807624);
	// Twice 68.875 squares over 16 - 2 degrees of freedom.
	near(line?.sd, Math.sqrt(137.75 / 14) / 100);
	// Distances from the median 2: 1 0 1 8 2 0 1 2, median 1; 8 > 4 × 1.4826.
	near(line?.robustSd, 0.014826);
	assert.equal(line?.outliers, 2);
});

test('the rule can emit every known code', () => {
	const source = globSync('src/{judge,stats}/**/*.ts', { cwd: new URL('../../..', import.meta.url).pathname })
		.map((file) => readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8'))
		.join('\n');
	for (const code of GUARD_CODES) assert.ok(source.includes(`'${code}'`), code);
});

test('guards are counted in runs that share no rounds', () => {
	const quiet = syntheticSeries({ rounds: 20, sd: 0.002, windowSd: 0.001 });
	const unpinned = mapCells(quiet, (cell, { round }) => ({ ...cell, pinned: cell.design !== 'duet' || round > 4 }));
	const live = syntheticSeries({ experiment: 'live', designs: ['duet'], rounds: 4, sd: 0.002, windowSd: 0.001 });
	const failing = mapCells(live, (cell) => ({
		...cell,
		faults: [{ code: 'crashed', side: 'head', message: 'it ended' }],
	}));
	const matrix = syntheticSeries({ experiment: 'matrix', designs: ['duet'], rounds: 10, sd: 0.002, windowSd: 0.001 });
	const counts = guardCounts([unpinned, failing, matrix, syntheticSeries({ experiment: 'timing' })]);
	const of = (code: string) => counts.find((count) => count.code === code)?.runs;
	// 20 rounds, each run decided at its first look of 4; the live run; and two runs of the matrix, whose last two rounds are too few.
	assert.deepEqual([of('not-pinned')?.count, of('not-pinned')?.of], [1, 8]);
	assert.equal(of('crashed')?.count, 1);
	assert.equal(of('generator-bound')?.count, 0);
	// scipy.stats.beta.ppf(.975, 2, 7)
	near(of('crashed')?.high, 0.5265096708752065, 1e-9);
});

test('simultaneous pairs share the time of a round', () => {
	const options = { experiment: 'together', designs: ['duet'], rounds: 8 } as const;
	const dOf = (factor: number, round: number) => (factor * (D[round - 1] ?? 0)) / 100;
	const one = withD(syntheticSeries({ ...options, id: 'together-1-koa', seconds: 6 }), (_, { round }) => dOf(1, round));
	// Rounds of 8 s that hold both pairs.
	const two = withD(
		syntheticSeries({ ...options, id: 'together-2-koa-hono', seconds: 4, servers: ['koa', 'hono'] }),
		(_, { round }, place) => dOf(place, round),
	);
	const lines = together([one, two]);
	assert.deepEqual(
		lines.map(({ id, pairsAtOnce, rounds }) => `${id} ${pairsAtOnce} ${rounds}`),
		['together-1-koa 1 8', 'together-2-koa-hono: koa 2 8', 'together-2-koa-hono: hono 2 8'],
	);
	const sd = Math.sqrt(68.875 / 7);
	near(lines[0]?.sd, sd / 100);
	near(lines[0]?.cost, sd * sd * 6);
	near(lines[2]?.sd, (2 * sd) / 100);
	near(lines[2]?.secondsPerCell, 4);
	assert.throws(() => together([syntheticSeries({ id: 'pairs', experiment: 'together' })]), /pairs does not say/);
});
