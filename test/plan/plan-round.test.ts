import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { planRound } from '../../src/plan/plan-round.ts';
import type { Cell, PairPlan, Plan, RoundPlan, Turn } from '../../src/types/plan.ts';
import { otherSide, type Side } from '../../src/types/units.ts';
import { examplePlan } from './example-plan.ts';

const SERVERS = ['express', 'fastify', 'koa'];
const IDS = SERVERS.flatMap((server) =>
	['ping', 'json-post', 'validate-10'].map((scenario) => `${server}/${scenario}`),
);

const seeds = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
const rounds = fc.integer({ min: 1, max: 68 });
const purposes = fc.constantFrom('main' as const, 'confirm' as const);
const subsets = fc.subarray(IDS, { minLength: 1 });

const turnsOf = (round: RoundPlan): Turn[] => round.pairs.flatMap((pair) => pair.turns);
const byCell = (round: RoundPlan) => new Map(turnsOf(round).map((turn) => [turn.cell, turn]));
const byServer = (round: RoundPlan) => new Map(round.pairs.map(({ turns: _, ...pair }) => [pair.server, pair]));

/** A round as a list of events in order. */
function tell(round: RoundPlan): string[] {
	const pair = ({ server, startFirst, slot, turns }: PairPlan) => [
		`${server}: start ${startFirst}, base in slot ${slot.base}`,
		...turns.map(
			(turn) => `  ${turn.cell}: client ${turn.clientFirst}, window ${turn.windowFirst}, solo ${turn.soloFirst ?? '-'}`,
		),
	];
	return [`${round.purpose} ${round.round}, ${round.design}`, ...round.pairs.flatMap(pair)];
}

test('the first rounds of seed 1, in order', () => {
	const plan = examplePlan(['express/ping', 'express/json-post', 'koa/ping']);
	const ids = plan.cells.map(({ id }) => id);
	const events = [
		...[1, 2, 5].flatMap((round) => tell(planRound(plan, round, ids, 'main'))),
		...tell(planRound(plan, 1, ['koa/ping'], 'confirm')),
	];
	assert.deepEqual(events, [
		'main 1, duet',
		'koa: start head, base in slot 0',
		'  koa/ping: client base, window head, solo base',
		'express: start base, base in slot 1',
		'  express/json-post: client base, window base, solo head',
		'  express/ping: client head, window base, solo head',
		'main 2, duet',
		'express: start head, base in slot 0',
		'  express/ping: client base, window head, solo -',
		'  express/json-post: client head, window head, solo -',
		'koa: start base, base in slot 1',
		'  koa/ping: client head, window base, solo -',
		'main 5, duet',
		'express: start head, base in slot 1',
		'  express/ping: client head, window head, solo -',
		'  express/json-post: client base, window base, solo -',
		'koa: start base, base in slot 1',
		'  koa/ping: client head, window head, solo -',
		'confirm 1, alternating',
		'koa: start base, base in slot 0',
		'  koa/ping: client base, window base, solo -',
	]);
});

test('the same seed, round and cells give the same round', () => {
	fc.assert(
		fc.property(seeds, rounds, purposes, subsets, (seed, round, purpose, cells) => {
			const [first, second] = [1, 2].map(() => planRound(examplePlan(IDS, { seed }), round, cells, purpose));
			assert.deepEqual(first, second);
		}),
	);
});

test('every active cell is loaded once, under its own server', () => {
	fc.assert(
		fc.property(seeds, rounds, purposes, subsets, (seed, round, purpose, cells) => {
			const planned = planRound(examplePlan(IDS, { seed }), round, cells, purpose);
			assert.deepEqual(
				turnsOf(planned)
					.map(({ cell }) => cell)
					.toSorted(),
				cells.toSorted(),
			);
			for (const { server, turns } of planned.pairs) {
				assert.ok(turns.length > 0 && turns.every(({ cell }) => cell.startsWith(`${server}/`)));
			}
			assert.equal(byServer(planned).size, planned.pairs.length);
		}),
	);
});

test('flips and order of a cell do not depend on the other active cells', () => {
	fc.assert(
		fc.property(seeds, rounds, purposes, subsets, (seed, round, purpose, cells) => {
			const plan = examplePlan(IDS, { seed });
			const some = planRound(plan, round, cells, purpose);
			const all = planRound(plan, round, IDS, purpose);
			for (const [cell, turn] of byCell(some)) assert.deepEqual(turn, byCell(all).get(cell));
			for (const [server, pair] of byServer(some)) assert.deepEqual(pair, byServer(all).get(server));
			const kept = turnsOf(all).filter(({ cell }) => cells.includes(cell));
			assert.deepEqual(turnsOf(some), kept);
		}),
	);
});

test('the second round of a block mirrors the first in everything but the order', () => {
	const swapped = (side: Side | undefined) => side && otherSide(side);
	fc.assert(
		fc.property(seeds, fc.integer({ min: 0, max: 30 }), purposes, (seed, block, purpose) => {
			const { timing, ...usual } = examplePlan(IDS, { seed });
			const plan = { ...usual, timing: { ...timing, soloRounds: 2 } };
			const first = planRound(plan, 2 * block + 1, IDS, purpose);
			const second = planRound(plan, 2 * block + 2, IDS, purpose);
			for (const [cell, turn] of byCell(first)) {
				const mirror = byCell(second).get(cell);
				assert.equal(mirror?.clientFirst, otherSide(turn.clientFirst));
				assert.equal(mirror?.windowFirst, otherSide(turn.windowFirst));
				assert.equal(mirror?.soloFirst, swapped(turn.soloFirst));
			}
			for (const [server, pair] of byServer(first)) {
				const mirror = byServer(second).get(server);
				assert.equal(mirror?.startFirst, otherSide(pair.startFirst));
				assert.deepEqual(mirror?.slot, { base: pair.slot.head, head: pair.slot.base });
				assert.notEqual(pair.slot.base, pair.slot.head);
			}
		}),
	);
});

test('flips of different blocks, cells and kinds are independent', () => {
	const plan = examplePlan(IDS);
	// One bit per flip over 200 blocks; two dependent series would agree nearly always or nearly never.
	const series = new Map<string, boolean[]>();
	for (let round = 1; round < 400; round += 2) {
		for (const purpose of ['main', 'confirm'] as const) {
			const planned = planRound(plan, round, IDS, purpose);
			const flips = [
				...turnsOf(planned).flatMap((turn) => [
					[`${turn.cell} client`, turn.clientFirst === 'base'] as const,
					[`${turn.cell} window`, turn.windowFirst === 'base'] as const,
				]),
				...planned.pairs.flatMap((pair) => [
					[`${pair.server} start`, pair.startFirst === 'base'] as const,
					[`${pair.server} slot`, pair.slot.base === 0] as const,
				]),
			];
			for (const [name, flip] of flips) {
				const key = `${purpose} ${name}`;
				series.set(key, [...(series.get(key) ?? []), flip]);
			}
		}
	}
	const all = [...series.values()];
	assert.equal(all.length, 48);
	for (const [index, one] of all.entries()) {
		const heads = one.filter(Boolean).length;
		assert.ok(heads > 60 && heads < 140, `${heads} of 200`);
		for (const other of all.slice(index + 1)) {
			const equal = one.filter((flip, at) => flip === other[at]).length;
			assert.ok(equal > 60 && equal < 140, `${equal} of 200 agree`);
		}
	}
});

test('every server and every scenario sometimes comes first', () => {
	const plan = examplePlan(IDS);
	const all = Array.from({ length: 300 }, (_, index) => planRound(plan, index + 1, IDS, 'main'));
	const share = (is: (round: RoundPlan) => boolean) => all.filter(is).length / all.length;
	for (const server of SERVERS) {
		const first = share(({ pairs }) => pairs[0]?.server === server);
		assert.ok(first > 0.2 && first < 0.5, `${server} ${first}`);
		const ping = share(
			({ pairs }) => pairs.find((pair) => pair.server === server)?.turns[0]?.cell === `${server}/ping`,
		);
		assert.ok(ping > 0.2 && ping < 0.5, `${server}/ping ${ping}`);
	}
});

test('solo windows belong to the first main round of a duet', () => {
	const solo = (design: 'duet' | 'alternating', round: number, purpose: 'main' | 'confirm') =>
		turnsOf(planRound(examplePlan(IDS, { design }), round, IDS, purpose)).every((turn) => turn.soloFirst !== undefined);
	assert.deepEqual(
		[1, 2, 3].map((round) => solo('duet', round, 'main')),
		[true, false, false],
	);
	assert.equal(solo('duet', 1, 'confirm'), false);
	assert.equal(solo('alternating', 1, 'main'), false);
});

test('sides start in turn, and memory is read after many requests only if it is gated', () => {
	const gated = { ...examplePlan(IDS), metrics: ['cold-start', 'memory-after-100k'] as const };
	const keysOf = (plan: Plan, purpose: 'main' | 'confirm') => {
		const { startInTurn, footprint } = planRound(plan, 1, IDS, purpose);
		return [startInTurn, footprint];
	};
	assert.deepEqual(keysOf(gated, 'main'), [true, 100_000]);
	assert.deepEqual(keysOf(gated, 'confirm'), [undefined, undefined]);
	assert.deepEqual(keysOf(examplePlan(IDS), 'main'), [undefined, undefined]);
});

test('the own metrics of a scenario are read in its turn, from its own processes', () => {
	const plan = examplePlan([...IDS]);
	const [first, ...others] = plan.cells;
	assert.ok(first);
	const withMetrics = (metrics: NonNullable<Cell['metrics']>): Plan => ({
		...plan,
		cells: [{ ...first, metrics }, ...others],
	});
	const turnsOf = (round: RoundPlan) => round.pairs.flatMap(({ turns }) => turns);
	const footprint = planRound(withMetrics(['memory-at-rest', 'memory-after-100k']), 1, IDS, 'main');
	assert.deepEqual(
		turnsOf(footprint).flatMap((turn) => (turn.footprint === undefined ? [] : [[turn.cell, turn.footprint]])),
		[[first.id, 100_000]],
	);
	assert.equal(footprint.footprint, undefined);
	const startup = planRound(withMetrics(['cold-start', 'reload']), 1, IDS, 'main');
	assert.deepEqual([startup.startInTurn, startup.restart], [undefined, undefined]);
	assert.equal(planRound({ ...plan, metrics: ['reload'] }, 1, IDS, 'main').restart, true);
});

test('a cell outside the plan is a mistake of the caller', () => {
	assert.throws(() => planRound(examplePlan(IDS), 1, ['rails/ping'], 'main'), RangeError);
});
