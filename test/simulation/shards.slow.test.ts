import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decide } from '../../src/judge/decide.ts';
import { createRandom } from '../../src/stats/random.ts';
import { assertAtMost } from './bounds.ts';
import { type Case, drawCase } from './cases.ts';
import { SHARP } from './runs.ts';
import { dealCells, gatherParts, runPart, simulateShards } from './shard-runs.ts';

// A matrix in shards, gathered: seeded, like family.test.ts. The large table: npm run bench:shards.

const PROMISE = 0.05;
const SEED = 47;
const CELLS = 12;
const SEEDS = fc.integer({ min: 0, max: 1e6 });
const SHARDS = fc.constantFrom(1, 2, 3, 5);

function partsIn({ plan, d }: Case, of: number) {
	return dealCells(plan, of).map((ids, index) => runPart(plan, ids, d, index + 1));
}

for (const count of [1, 4, 12]) {
	test(`${CELLS} cells at tolerance and threshold in ${count} shards: the gate is red in at most 5 % of runs`, () => {
		const tally = simulateShards(
			{ law: 'normal', cells: CELLS, drop: SHARP.threshold, ...SHARP },
			count,
			'together',
			30,
			SEED,
		);
		assertAtMost(PROMISE, tally.redGates, tally.runs, 'red gates', 0.9);
		assert.equal(tally.takenBack, 0);
	});
}

test('a family for each shard is red far too often, and this simulation shows it', () => {
	const trial = { law: 'normal', cells: CELLS, drop: SHARP.threshold, ...SHARP } as const;
	const tally = simulateShards(trial, CELLS, 'apart', 30, SEED);
	assert.ok(tally.redGates / tally.runs > 2 * PROMISE, `${tally.redGates} of ${tally.runs}`);
});

test('one shard is one run, to the last bit', () => {
	fc.assert(
		fc.property(SEEDS, (seed) => {
			const some = drawCase(seed, 4);
			const [part] = partsIn(some, 1);
			assert.ok(part);
			const { family: _, ...plan } = part.plan;
			assert.deepEqual(gatherParts(some.plan, [part]), decide(plan, part.rounds, part.ended));
		}),
		{ seed: 51, numRuns: 40 },
	);
});

test('decisions of a shard stay when all are gathered, and only its open rows get a verdict', () => {
	const seen = { final: 0, added: 0 };
	fc.assert(
		fc.property(SEEDS, SHARDS, (seed, of) => {
			const some = drawCase(seed, 6);
			const parts = partsIn(some, of);
			const gathered = new Map(gatherParts(some.plan, parts).rows.map((row) => [row.cell, row]));
			for (const { plan, rounds, ended } of parts) {
				for (const row of decide(plan, rounds, ended).rows) {
					const later = gathered.get(row.cell);
					if (row.verdict === 'regressed' || row.verdict === 'improved') {
						seen.final++;
						assert.deepEqual(later, row);
					} else if (later?.verdict !== row.verdict) {
						seen.added++;
						assert.ok(
							['regressed', 'improved'].includes(later?.verdict ?? ''),
							`${row.verdict} became ${later?.verdict}`,
						);
						assert.ok(row.verdict === 'inconclusive' || later?.verdict === 'improved');
						assert.deepEqual([later?.pRegressed, later?.estimate], [row.pRegressed, row.estimate]);
					}
				}
				for (let rounded = 0; rounded < rounds.length; rounded++) {
					for (const row of decide(plan, rounds.slice(0, rounded), null).rows) {
						if (row.final) assert.deepEqual(gathered.get(row.cell), row);
					}
				}
			}
		}),
		{ seed: 52, numRuns: 60 },
	);
	assert.ok(seen.final > 50, `only ${seen.final} rows were decided`);
});

test('rows that every shard left open are found when all of them together are sure', () => {
	const trial = { law: 'normal', cells: CELLS, drop: 0.062, threshold: 0.05, tolerance: 0.04 } as const;
	const tally = simulateShards(trial, 4, 'together', 12, SEED);
	assert.ok(tally.added > 0, 'gathering added nothing');
	assert.equal(tally.takenBack, 0);
});

test('the order of shards changes nothing', () => {
	fc.assert(
		fc.property(SEEDS, SHARDS, (seed, of) => {
			const some = drawCase(seed, 6);
			const parts = partsIn(some, of);
			const shuffled = createRandom(seed).shuffle([...parts]);
			const [here, there] = [gatherParts(some.plan, parts), gatherParts(some.plan, shuffled)];
			assert.deepEqual(there.rows, here.rows);
			assert.deepEqual(there.gate, here.gate);
		}),
		{ seed: 53, numRuns: 40 },
	);
});

test('a missing shard leaves its rows open, costs the others nothing, and never helps them', () => {
	fc.assert(
		fc.property(SEEDS, (seed) => {
			const some = drawCase(seed, 6);
			const parts = partsIn(some, 3);
			const all = new Map(gatherParts(some.plan, parts).rows.map((row) => [row.cell, row.verdict]));
			const [gone, ...there] = parts;
			const absent = new Set(gone?.plan.cells.map(({ id }) => id));
			for (const row of gatherParts(some.plan, there).rows) {
				if (absent.has(row.cell)) {
					assert.deepEqual([row.verdict, row.final, row.warnings[0]?.code], ['inconclusive', true, 'shard-missing']);
				} else if (row.verdict === 'regressed') {
					assert.equal(all.get(row.cell), 'regressed');
				}
			}
		}),
		{ seed: 54, numRuns: 40 },
	);
});
