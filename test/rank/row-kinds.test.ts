import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CellSetup, type CellState, cellStates, openCells } from '../../src/rank/cell-state.ts';
import { shareOf } from '../../src/rank/ratios.ts';
import { createRandom } from '../../src/stats/random.ts';
import type { MetricName } from '../../src/types/metric.ts';
import type { RankingSample } from '../../src/types/ranking/ranking.ts';
import { scriptSample } from '../support/ranking-cases.ts';

const LOAD = { connections: 50, pipelining: 1 };
const SETUP: CellSetup = {
	design: 'alternating',
	scenarios: [
		{ name: 'ping', load: LOAD },
		{ name: 'param-json', load: LOAD },
		{ name: 'startup', load: LOAD, metrics: ['cold-start', 'reload'] },
		{ name: 'footprint', load: LOAD, metrics: ['memory-at-rest'] },
		{ name: 'inprocess-ping', load: LOAD, inProcess: true },
		{ name: 'rated', load: { ...LOAD, rate: 1000 } },
	],
};
const BOUND = { generatorUtilisation: 0.99 };

/** Returns a round with these log ratios. */
function sampleOf(
	cell: string,
	round: number,
	d: RankingSample['d'],
	guards: Partial<RankingSample['guards']> = {},
): RankingSample {
	const [server = '', scenario = ''] = cell.split('/');
	return { ...scriptSample({ server, scenario, round, share: 1, guards }), d };
}

/** Returns three rounds that spread by about `sd`, in each of these metrics. */
function rowOf(
	cell: string,
	spreads: Readonly<Partial<Record<MetricName, number>>>,
	guards: Partial<RankingSample['guards']> = {},
): RankingSample[] {
	return [-1, 0, 1].map((offset, at) => {
		const d = Object.entries(spreads).map(([metric, sd]) => [metric, sd * offset]);
		return sampleOf(cell, at + 1, Object.fromEntries(d), guards);
	});
}

function only(states: ReadonlyMap<string, CellState>, ids: Iterable<string>) {
	return [...ids].map((id) => states.get(id));
}

/** Asserts that the states of each part do not depend on the others; returns the states of all rows together. */
function assertApart(...parts: readonly (readonly RankingSample[])[]): ReadonlyMap<string, CellState> {
	const together = cellStates(parts.flat(), SETUP);
	for (const part of parts) {
		const alone = cellStates(part, SETUP);
		assert.deepEqual(only(together, alone.keys()), [...alone.values()]);
	}
	return together;
}

test('a row is judged beside rows with the same load, in whichever scenario', () => {
	const calm = rowOf('koa/ping', { throughput: 0.01 });
	const same = rowOf('koa/param-json', { throughput: 0.05 });
	const [apart, together] = [cellStates(calm, SETUP), cellStates([...calm, ...same], SETUP)];
	const widthOf = (states: ReadonlyMap<string, CellState>) => states.get('koa/ping')?.halfWidth ?? Number.NaN;
	assert.equal(together.get('koa/ping')?.share?.df, 4);
	assert.ok(widthOf(together) > widthOf(apart));
});

test('rows ranked by another metric, or loaded in another way, do not affect it', () => {
	assertApart(
		[...rowOf('koa/ping', { throughput: 0.01 }), ...rowOf('hono/ping', { throughput: 0.02 })],
		[...rowOf('koa/startup', { 'cold-start': 0.04 }), ...rowOf('hono/startup', { 'cold-start': 0.2 })],
		[...rowOf('koa/footprint', { 'memory-at-rest': 0.001 }), ...rowOf('hono/footprint', { 'memory-at-rest': 0.004 })],
		[...rowOf('koa/inprocess-ping', { throughput: 0.05 }), ...rowOf('hono/inprocess-ping', { throughput: 0.06 })],
		[...rowOf('koa/rated', { 'cpu-per-request': 0.03 }), ...rowOf('hono/rated', { 'cpu-per-request': 0.02 })],
	);
});

test('a row whose requests per second the generator hides is judged by the CPU time of rows that it does not hide', () => {
	const names = Array.from({ length: 11 }, (_, at) => `s${at}/ping`);
	const others = names.flatMap((cell) => rowOf(cell, { throughput: 0.01, 'cpu-per-request': 0.05 }));
	const fast = (guards: Partial<RankingSample['guards']>) =>
		cellStates([...others, ...rowOf('uws/ping', { throughput: 0.01, 'cpu-per-request': 0.01 }, guards)], SETUP);
	const [usual, bound] = [fast({}), fast(BOUND)];
	assert.deepEqual(
		[usual, bound].map((states) => states.get('uws/ping')?.judgedBy),
		['throughput', 'cpu-per-request'],
	);
	const widths = [usual, bound].map((states) => states.get('uws/ping')?.halfWidth ?? Number.NaN);
	assert.ok((widths[1] as number) > 3 * (widths[0] as number), widths.join(', '));
	// At the edge of the generator's limit only its interval changes.
	assert.deepEqual(only(bound, names), only(usual, names));
});

test('intervals of 130 quiet rows and of 12 of another kind that spread four times as much keep their coverage', () => {
	const RUNS = 8;
	const rule = { precision: 0.05, fewest: 3, most: 60 };
	const kinds = [
		{ scenario: 'ping', metric: 'throughput', rows: 130, spread: 0.035 },
		{ scenario: 'startup', metric: 'cold-start', rows: 12, spread: 0.14 },
	] as const;
	const random = createRandom(17);
	const normal = () => Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
	const measure = ({ scenario, metric, rows, spread }: (typeof kinds)[number]): readonly RankingSample[] => {
		const ids = Array.from({ length: rows }, (_, at) => `s${at}/${scenario}`);
		const samples: RankingSample[] = [];
		for (let round = 1; ; round++) {
			const open = openCells(ids, cellStates(samples, SETUP), rule);
			if (open.length === 0) return samples;
			for (const id of open) samples.push(sampleOf(id, round, { [metric]: spread * normal() }));
		}
	};
	const missed = new Map<string, number>();
	for (let run = 0; run < RUNS; run++) {
		// The kinds are independent, and measuring them apart is faster.
		for (const [id, { share }] of assertApart(...kinds.map(measure))) {
			const { low, high } = shareOf(share ?? assert.fail(`${id} has no share`));
			const scenario = id.slice(id.indexOf('/') + 1);
			if (low > 1 || high < 1) missed.set(scenario, (missed.get(scenario) ?? 0) + 1);
		}
	}
	// In the long run 3 to 4 % miss (decision 0067); 240 rows leave a margin.
	for (const { scenario, rows } of kinds) {
		const part = (missed.get(scenario) ?? 0) / (RUNS * rows);
		assert.ok(part >= 0.02 && part <= 0.07, `${scenario}: ${part}`);
	}
});
