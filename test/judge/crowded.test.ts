/**
 * CPU per request must not pass effects that it cannot show: waits on a busy machine, and drops of throughput alone.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { planLooks } from '../../src/plan/looks.ts';
import type { Plan } from '../../src/types/plan.ts';
import { codesOf, decideTurns } from '../support/decisions.ts';
import { scriptRounds, spread, type Turn } from '../support/rounds.ts';

/** Head has 55 % of the CPU that both sides use, so CPU per request judges and shows no change. */
const UNEQUAL: readonly Turn[] = spread(20, 0.2, 0.003).map((d) => ({ d, cpu: d - 0.2 }));
/**
 * Head waits while other programs use up the CPU, so none of it is idle. Throughput is too noisy to prove anything in
 * three rounds.
 */
const WAITS: readonly Turn[] = [-0.6, -4.5, -3.1].map((d, round) => ({
	d,
	cpu: 0.01 * round,
	server: 0.3,
	idle: 0,
	answers: 200_000,
}));
const THREE: Partial<Plan> = { looks: planLooks(3) };

const end = (turns: readonly Turn[], plan: Partial<Plan> = {}) => decideTurns(turns, { plan, ended: 'rounds' }).row;

test('CPU per request does not pass a wait on a busy machine', () => {
	const { row } = decideTurns(WAITS, { plan: THREE, ended: 'budget' });
	assert.equal(row.verdict, 'inconclusive');
	assert.deepEqual(codesOf(row), ['unequal-cpu', 'unconfirmed']);
	assert.deepEqual(decideTurns(WAITS, { plan: THREE }).decision.confirm, ['app/ping']);
});

test('with other programs on the CPU of the servers, CPU per request passes nothing, and the row names the reason', () => {
	const { row, decision } = decideTurns(UNEQUAL.slice(0, 6).map((turn) => ({ ...turn, server: 0.8, idle: 0.01 })));
	assert.equal(row.final, false);
	assert.deepEqual(decision.undecided, ['app/ping'], 'later rounds may be quieter');
	const last = end(UNEQUAL.map((turn) => ({ ...turn, server: 0.8, idle: 0.01 })));
	assert.deepEqual(
		[last.verdict, last.judgedBy, codesOf(last)],
		['inconclusive', 'cpu-per-request', ['unequal-cpu', 'crowded-cpu']],
	);
	assert.match(
		last.warnings[1]?.message ?? '',
		/^Other programs were busy on this machine: they used 19 % of the CPU of the servers\./,
	);
});

test('an improvement of throughput itself stands on any machine', () => {
	const faster = spread(20, 0.5, 0.003).map((d) => ({ d, cpu: d - 0.2, server: 0.8, idle: 0.01 }));
	const row = end(faster);
	assert.deepEqual([row.verdict, row.judgedBy], ['improved', 'cpu-per-request']);
});

test('CPU used up by the servers themselves, or by unknown processes, changes no pass', () => {
	for (const usage of [{ server: 0.97, idle: 0.02 }, { server: 0.95 }]) {
		const row = end(UNEQUAL.map((turn) => ({ ...turn, ...usage })));
		assert.deepEqual([row.verdict, codesOf(row)], ['unchanged', ['unequal-cpu']]);
	}
});

test('a delayed row passes once most of its rounds are quiet', () => {
	const turns = UNEQUAL.map((turn, at) => ({ ...turn, server: at < 2 ? 0.8 : 0.99, idle: 0 }));
	const row = end(turns);
	assert.equal(row.verdict, 'unchanged');
	assert.equal(row.estimate?.rounds, 14);
});

test('a generator that lacked CPU proves nothing about the servers', () => {
	const bound = { generator: 0.99, d: 0.001, cpu: 0 };
	const turns = spread(20, 0, 0.003).map((noise) => ({ ...bound, d: noise, cpu: noise }));
	assert.equal(end(turns).verdict, 'unchanged');
	const starved = end(turns.map((turn) => ({ ...turn, generatorCpu: 0.6 })));
	assert.deepEqual([starved.verdict, codesOf(starved)], ['inconclusive', ['generator-bound', 'crowded-cpu']]);
	assert.match(starved.warnings[1]?.message ?? '', /used 40 % of the CPU of the load generator/);
	const beside = end(turns.map((turn) => ({ ...turn, server: 0.6, idle: 0.1 })));
	assert.deepEqual(codesOf(beside), ['generator-bound', 'crowded-cpu'], 'on the CPU of the servers');
});

test('a drop of throughput alone is confirmed, even with the generator at its limit', () => {
	const turns = spread(4, 0, 0.003).map((noise) => ({ generator: 0.99, d: noise - 0.2, cpu: noise }));
	const { row, decision } = decideTurns(turns);
	assert.deepEqual([row.verdict, decision.confirm], ['inconclusive', ['app/ping']]);
	const confirm = scriptRounds(spread(4, -0.2, 0.003), { purpose: 'confirm' });
	assert.equal(decideTurns(turns, { confirm }).row.verdict, 'regressed');
});

test('alternating windows leave nothing to confirm, and the row does not pass', () => {
	const turns = spread(4, 0, 0.003).map((noise) => ({ generator: 0.99, answers: 20_000, d: noise - 2.3, cpu: noise }));
	const rounds = { plan: { design: 'alternating', looks: planLooks(4) } as const, ended: 'rounds' as const };
	const { row } = decideTurns(turns, rounds);
	assert.deepEqual([row.verdict, codesOf(row)], ['inconclusive', ['generator-bound', 'hidden-drop']]);
	assert.match(row.warnings[1]?.message ?? '', /requests\/s \(−90 %\) may have dropped beyond the limit/);
});

test('CPU per request passes no row whose throughput fell or whose CPU other programs used', () => {
	const turn = fc.record({
		d: fc.double({ min: -0.4, max: 0.2, noNaN: true }),
		gap: fc.double({ min: -0.5, max: 0.5, noNaN: true }),
	});
	const drawn = fc.record({
		turns: fc.array(turn, { minLength: 4, maxLength: 20 }),
		wide: fc.constantFrom(0.02, 0.2, 1),
		server: fc.constantFrom(0.5, 0.9, 1),
		idle: fc.constantFrom(0, 0.05, undefined),
		generator: fc.constantFrom(0.5, 0.99),
		cpu: fc.constantFrom(-0.1, 0, 0.1),
	});
	let passed = 0;
	fc.assert(
		fc.property(drawn, ({ turns, wide, server, idle, generator, cpu }) => {
			const scripted = turns.map(({ d, gap }): Turn => {
				const ofCpu = cpu + wide * 0.05 * gap;
				return { d: ofCpu + gap * wide + d * wide, cpu: ofCpu, server, generator, ...(idle !== undefined && { idle }) };
			});
			const { row } = decideTurns(scripted, { ended: 'rounds' });
			const isPass = row.verdict === 'unchanged' || row.verdict === 'improved';
			if (!isPass || row.judgedBy !== 'cpu-per-request') return;
			passed++;
			assert.ok((row.estimates.throughput?.centre ?? -1) > Math.log(0.95));
			const isShown = row.verdict === 'improved' && (row.estimates.throughput?.interval.low ?? -1) > 0;
			assert.ok(isShown || idle === undefined || 1 - server - idle <= 0.051);
		}),
		{ seed: 12, numRuns: 400 },
	);
	assert.ok(passed > 10, `only ${passed} passed by CPU per request`);
});
