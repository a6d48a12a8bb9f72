/**
 * Latency must not pass a row whose requests other programs delayed: an equal delay of both sides hides the difference
 * between them.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decide } from '../../src/judge/decide.ts';
import type { Laboratory } from '../../src/measure/laboratory.ts';
import { runRounds } from '../../src/measure/run-rounds.ts';
import { planRound } from '../../src/plan/plan-round.ts';
import { createRandom } from '../../src/stats/random.ts';
import type { LatencyHistogram, Round } from '../../src/types/round.ts';
import { codesOf, decideTurns } from '../support/decisions.ts';
import { scriptPlan, scriptRound, spread, type Turn } from '../support/rounds.ts';

const MARGINS = { 'latency-p99': { threshold: 0.25, tolerance: 0.125 } } as const;
const PLAN = { metrics: ['latency-p99'], margins: MARGINS } as const;
/** The guards of a machine without other users. */
const ALONE: Partial<Turn> = { server: 0.3, idle: 0.69, generator: 0.3, generatorCpu: 0.99, otherCpu: 0.01 };

/** 98 of 100 answers take a millisecond, the rest `slow`, all of them `delay` longer; in ms. */
function latencies(slow: number, delay: number): LatencyHistogram {
	return [
		[1000 * (1 + delay), 980],
		[1000 * (slow + delay), 20],
	];
}

/** A turn whose base has a tail of 5 ms and head one of 25 ms, with a delay of both sides alike. */
function planted(delay: number, more: Partial<Turn> = {}): Turn {
	const latency = { base: latencies(5, delay), head: latencies(25, delay) };
	return { d: 0, cpu: 0, rate: { due: 1000, late: delay > 0 ? 0.2 : 0 }, latency, ...ALONE, ...more };
}

/** So many rounds of a turn, each with a small random change of head. */
function roundsOf(turn: Turn, count = 20): Turn[] {
	const { base = [], head = [] } = turn.latency ?? {};
	return spread(count, 0, 0.02).map((noise) => {
		const moved = head.map(([value, answers]) => [value * Math.exp(noise), answers] as const);
		return { ...turn, latency: { base, head: moved } };
	});
}

const endOf = (turn: Turn) => decideTurns(roundsOf(turn), { plan: PLAN, ended: 'rounds' }).row;

test('a tail of 20 ms hidden by a crowded machine is not unchanged', () => {
	assert.equal(endOf(planted(0)).verdict, 'regressed');
	for (const crowded of [{ generatorCpu: 0.6 }, { idle: 0.5 }] as const) {
		const row = endOf(planted(200, crowded));
		assert.equal(row.judgedBy, 'latency-p99');
		assert.deepEqual([row.verdict, codesOf(row)], ['inconclusive', ['late-requests', 'crowded-latency']]);
		assert.match(row.warnings[1]?.message ?? '', /20 % of base's requests and 20 % of head's were sent late/);
	}
});

test('without pinning or without counts of other programs, the row passes only on a quiet machine', () => {
	const verdict = (more: Partial<Turn>) => {
		const { idle: _, ...turn } = planted(200, { pinned: false, generatorCpu: 0.1, ...more });
		return endOf(turn).verdict;
	};
	assert.equal(verdict({ otherCpu: 0.01 }), 'unchanged');
	assert.equal(verdict({ otherCpu: 0.3 }), 'inconclusive');
	assert.equal(verdict({ otherCpu: null }), 'inconclusive');
});

test('requests that wait for connections on a quiet machine count as latency, and pass as before', () => {
	const row = endOf(planted(200));
	assert.deepEqual([row.verdict, codesOf(row)], ['unchanged', ['late-requests']]);
});

test('an improvement, a regression and other metrics are unaffected', () => {
	const crowded = { generatorCpu: 0.6, rate: { due: 1000, late: 0.2 } };
	const better = { base: latencies(25, 0), head: latencies(5, 0) };
	assert.equal(endOf(planted(0, { ...crowded, latency: better })).verdict, 'improved');
	assert.equal(endOf(planted(0, crowded)).verdict, 'regressed');
	const plan = { metrics: ['cpu-per-request'] } as const;
	const turns = roundsOf(planted(200, crowded)).map((turn, at) => ({ ...turn, cpu: at % 2 === 0 ? 0.01 : -0.01 }));
	assert.equal(decideTurns(turns, { plan, ended: 'rounds' }).row.verdict, 'unchanged');
});

test('a delayed row passes once its rounds are quiet', () => {
	const same = { base: latencies(5, 0), head: latencies(5, 0) };
	const crowded = planted(200, { latency: same, generatorCpu: 0.6, rate: { due: 1000, late: 0.02 } });
	const quiet = planted(0, { latency: same });
	const open = decideTurns(roundsOf(crowded, 6), { plan: PLAN });
	assert.deepEqual([open.row.final, open.decision.undecided], [false, ['app/ping']]);
	const turns = [...roundsOf(crowded, 6), ...roundsOf(quiet, 14)];
	const { row } = decideTurns(turns, { plan: PLAN, ended: 'rounds' });
	assert.deepEqual([row.verdict, codesOf(row)], ['unchanged', []]);
});

test('latency of late requests passes no row on a machine with other users, whatever the rounds', () => {
	const turn = fc.record({
		base: fc.integer({ min: 1, max: 60 }),
		head: fc.integer({ min: 1, max: 60 }),
	});
	const drawn = fc.record({
		turns: fc.array(turn, { minLength: 4, maxLength: 20 }),
		late: fc.constantFrom(0, 0.05, 0.4),
		delay: fc.constantFrom(0, 1000, 1000),
		generatorCpu: fc.constantFrom(0.5, 0.99),
		idle: fc.constantFrom(0.4, 0.69, undefined),
		otherCpu: fc.constantFrom(0, 0.4, null),
		pinned: fc.boolean(),
	});
	let [passed, denied] = [0, 0];
	fc.assert(
		fc.property(drawn, ({ turns, late, delay, idle, ...machine }) => {
			const moved = turns.map(({ base, head }): Turn => {
				const latency = { base: latencies(base, delay), head: latencies(head, delay) };
				const seen = { ...machine, ...(idle !== undefined && { idle }) };
				return { d: 0, cpu: 0, server: 0.3, generator: 0.3, rate: { due: 1000, late }, latency, ...seen };
			});
			const { row } = decideTurns(moved, { plan: PLAN, ended: 'rounds' });
			const { pinned, generatorCpu, otherCpu } = machine;
			const alone =
				pinned && idle !== undefined ? generatorCpu > 0.9 && idle > 0.64 : otherCpu !== null && otherCpu <= 0.05;
			if (row.verdict === 'unchanged') passed++;
			if (codesOf(row).includes('crowded-latency')) denied++;
			if (late > 0 && !alone) assert.notEqual(row.verdict, 'unchanged');
			else assert.ok(!codesOf(row).includes('crowded-latency'));
		}),
		{ seed: 16, numRuns: 150 },
	);
	assert.ok(passed > 10 && denied > 10, `${passed} passed, ${denied} denied`);
});

test('a run on a crowded machine measures all its rounds and reports the tail as neither red nor green', async () => {
	const plan = scriptPlan(['ping'], PLAN);
	const random = createRandom(7);
	const laboratory: Laboratory = {
		verify: async () => [],
		warnings: () => [],
		async runRound({ round }): Promise<Round> {
			const delay = 200 * Math.exp(0.05 * random.normal());
			return scriptRound(round, { ping: planted(delay, { generatorCpu: 0.5, idle: 0.2 }) });
		},
	};
	let now = 0;
	const { rounds } = await runRounds(plan, {
		laboratory,
		cells: ['app/ping'],
		decide: (seen) => decide(plan, seen, null),
		planRound: (round, cells, purpose) => planRound(plan, round, cells, purpose),
		clock: () => now++,
		signal: new AbortController().signal,
		onDecision: async () => {},
	});
	assert.equal(rounds.length, 20);
	const { rows, gate } = decide(plan, rounds, 'rounds');
	assert.equal(rows[0]?.verdict, 'inconclusive');
	assert.notEqual(gate.outcome, 'pass');
});
