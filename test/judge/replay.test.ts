import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decide } from '../../src/judge/decide.ts';
import { createRandom } from '../../src/stats/random.ts';
import type { Round, WindowSide } from '../../src/types/round.ts';
import { decideTurns } from '../support/decisions.ts';
import { scriptPlan, scriptRound, scriptRounds, type Turn } from '../support/rounds.ts';

const NAMES = ['ping', 'json', 'html'];

/** Twenty rounds of three cells with every kind of trouble, drawn from `seed`; a cell may be missing from a round. */
function troubledRounds(seed: number): Round[] {
	const random = createRandom(seed);
	const effects = NAMES.map(() => (random.next() - 0.6) * 0.2);
	const skews = NAMES.map(() => (random.coin() ? 0 : (random.next() - 0.5) * 0.3));
	const sd = 0.005 + random.next() * 0.04;
	return Array.from({ length: 20 }, (_, index) => {
		const speed = random.next() < 0.1 ? 0.5 : 1;
		const turns = NAMES.flatMap((name, cell): [string, Turn][] => {
			const d = (effects[cell] as number) + sd * random.normal();
			const cpu = random.next() < 0.02 ? null : d + (skews[cell] as number);
			const unexpected = random.next() < 0.01 ? 100 : 0;
			return random.next() < 0.05 ? [] : [[name, { d, cpu, speed, unexpected }]];
		});
		const purpose = index > 5 && random.next() < 0.3 ? 'confirm' : 'main';
		return scriptRound(index + 1, Object.fromEntries(turns), { purpose });
	});
}

test('later rounds and the end of the run leave final decisions unchanged, to the last bit', () => {
	let finals = 0;
	fc.assert(
		fc.property(fc.integer({ min: 0, max: 1e6 }), fc.integer({ min: 1, max: 19 }), (seed, seen) => {
			const plan = scriptPlan(NAMES, { metrics: ['throughput', 'cpu-per-request'] });
			const rounds = troubledRounds(seed);
			const early = decide(plan, rounds.slice(0, seen), null).rows;
			for (const ended of [null, 'budget'] as const) {
				const late = decide(plan, rounds, ended).rows;
				for (const [position, row] of early.entries()) {
					if (!row.final) continue;
					finals++;
					assert.deepEqual(late[position], row);
				}
			}
		}),
		{ seed: 7, numRuns: 60 },
	);
	assert.ok(finals > 100, `only ${finals} decisions were final early`);
});

test('at the end of a run every row is final and no row is left to measure', () => {
	fc.assert(
		fc.property(fc.integer({ min: 0, max: 1e6 }), fc.integer({ min: 0, max: 20 }), (seed, seen) => {
			const plan = scriptPlan(NAMES, { metrics: ['throughput', 'cpu-per-request', 'latency-p99'] });
			const decision = decide(plan, troubledRounds(seed).slice(0, seen), 'budget');
			assert.ok(decision.rows.every((row) => row.final && !row.needsConfirmation));
			assert.deepEqual([...decision.undecided, ...decision.confirm], []);
			for (const { verdict, estimate, judgedBy } of decision.rows) {
				if (verdict !== 'regressed') continue;
				assert.ok(estimate && estimate.centre <= Math.log(0.95), 'a red is at or beyond the threshold');
				assert.equal(estimate.metric, judgedBy);
			}
		}),
		{ seed: 8, numRuns: 60 },
	);
});

test('the same rounds after a round trip through JSON give the same decision', () => {
	const plan = scriptPlan(NAMES);
	for (const seed of [1, 2, 3, 4, 5]) {
		const rounds = troubledRounds(seed);
		const copy = JSON.parse(JSON.stringify(rounds)) as Round[];
		assert.deepEqual(decide(plan, copy, 'budget'), decide(plan, rounds, 'budget'));
	}
});

test('decisions do not depend on the order of cells within a round', () => {
	const plan = scriptPlan(NAMES);
	for (const seed of [6, 7, 8]) {
		const rounds = troubledRounds(seed);
		const turned = rounds.map((round) => ({ ...round, cells: round.cells.toReversed() }));
		assert.deepEqual(decide(plan, turned, 'rounds').rows, decide(plan, rounds, 'rounds').rows);
	}
});

test('swapping base and head negates estimates and exchanges regressed and improved p-values', () => {
	const d = fc.array(fc.double({ min: -0.2, max: 0.2, noNaN: true }), { minLength: 4, maxLength: 12 });
	fc.assert(
		fc.property(d, (values) => {
			const rounds = scriptRounds(values);
			const swapped = rounds.map((round) => ({
				...round,
				cells: round.cells.map((cell) => ({
					...cell,
					windows: cell.windows.map((window) => ({ ...window, base: window.head, head: window.base })),
				})),
			}));
			// One look at all rounds, so that neither direction can be final before the other.
			const looks = [{ rounds: values.length, weightRegressed: 1, weightUnchanged: 1 }];
			const [there] = decide(scriptPlan(['ping'], { looks }), rounds, 'rounds').rows;
			const [back] = decide(scriptPlan(['ping'], { looks }), swapped, 'rounds').rows;
			assert.ok(Math.abs((there?.estimate?.centre ?? 0) + (back?.estimate?.centre ?? 1)) < 1e-12);
			assert.ok(Math.abs((there?.pRegressed ?? 0) - (back?.pImproved ?? 1)) < 1e-9);
		}),
		{ seed: 9, numRuns: 60 },
	);
});

test('a larger drop never raises p-values of regression, or turns a red green', () => {
	const noise = fc.array(fc.double({ min: -0.03, max: 0.03, noNaN: true }), { minLength: 4, maxLength: 4 });
	const effect = fc.double({ min: -0.2, max: 0.1, noNaN: true });
	const rank = { regressed: 0, inconclusive: 1, unchanged: 2, improved: 3 } as Record<string, number>;
	fc.assert(
		fc.property(noise, effect, fc.double({ min: 0, max: 0.1, noNaN: true }), (values, centre, more) => {
			const mild = decideTurns(values.map((value) => value + centre)).row;
			const worse = decideTurns(values.map((value) => value + centre - more)).row;
			assert.ok((worse.pRegressed ?? 1) <= (mild.pRegressed ?? 0) + 1e-9);
			assert.ok((rank[worse.verdict] as number) <= (rank[mild.verdict] as number) || !mild.final);
		}),
		{ seed: 10, numRuns: 200 },
	);
});

test('decisions after each round read the latencies of a window once', () => {
	let reads = 0;
	const counted = (side: WindowSide | null) => {
		if (side === null) return null;
		const { latency, ...rest } = side;
		return {
			...rest,
			get latency() {
				reads++;
				return latency;
			},
		};
	};
	const rounds = scriptRounds([0, 0.01, -0.02, 0.01, 0, 0.02]).map((round) => ({
		...round,
		cells: round.cells.map((turn) => ({
			...turn,
			windows: turn.windows.map((window) => ({ ...window, base: counted(window.base), head: counted(window.head) })),
		})),
	}));
	for (const [seen] of rounds.entries()) decide(scriptPlan(['ping']), rounds.slice(0, seen + 1), null);
	const sides = rounds.flatMap(({ cells }) => cells.flatMap(({ windows }) => windows.flatMap((w) => [w.base, w.head])));
	assert.equal(reads, sides.filter((side) => side !== null).length);
});
