/** The order of everything in one round. */
import { createRandom, type Random } from '../stats/random.ts';
import { FOOTPRINT_REQUESTS, type MetricName } from '../types/metric.ts';
import type { PairPlan, Plan, RoundPlan, Turn } from '../types/plan.ts';
import { otherSide, type Side, type Sides } from '../types/units.ts';

type Purpose = RoundPlan['purpose'];

/** Separates the coin flips of main and confirm rounds. */
const PURPOSE_STREAM: Readonly<Record<Purpose, number>> = { main: 1, confirm: 2 };
/** Separate the flips for two rounds from the orders for one. */
const BLOCK_STREAM = 1;
const ORDER_STREAM = 2;

/**
 * Returns starts, slots and the order of load in `round` (1-based) for the given cells, a pure function of the plan's
 * seed.
 * The second round of each two swaps all sides and slots, so an even number is balanced.
 */
export function planRound(plan: Plan, round: number, cells: readonly string[], purpose: Purpose): RoundPlan {
	const active = cells.map((id) => {
		const cell = plan.cells.find((candidate) => candidate.id === id);
		if (!cell) throw new RangeError(`the plan has no cell ${id}`);
		return cell;
	});
	const servers = inDrawnOrder([...new Set(active.map((cell) => cell.server))], plan, round, purpose);
	const pairs = servers.map((server) => {
		const ids = active.filter((cell) => cell.server === server).map((cell) => cell.id);
		return planPair(server, inDrawnOrder(ids, plan, round, purpose), plan, round, purpose);
	});
	const design = purpose === 'confirm' ? 'alternating' : plan.design;
	const asks = (metric: MetricName) => purpose === 'main' && plan.metrics.includes(metric);
	return {
		round,
		purpose,
		design,
		...(asks('cold-start') && { startInTurn: true as const }),
		...(asks('reload') && { restart: true as const }),
		...(asks('memory-after-100k') && { footprint: FOOTPRINT_REQUESTS }),
		pairs,
	};
}

function planPair(server: string, cells: readonly string[], plan: Plan, round: number, purpose: Purpose): PairPlan {
	const flip = flipper(server, plan, round, purpose);
	return {
		server,
		startFirst: flip(),
		slot: slots(flip()),
		turns: cells.map((cell) => planTurn(cell, plan, round, purpose)),
	};
}

function planTurn(cell: string, plan: Plan, round: number, purpose: Purpose): Turn {
	const flip = flipper(cell, plan, round, purpose);
	const wanted = purpose === 'main' && plan.cells.find(({ id }) => id === cell)?.metrics?.includes('memory-after-100k');
	const turn = {
		cell,
		clientFirst: flip(),
		windowFirst: flip(),
		...(wanted && { footprint: FOOTPRINT_REQUESTS }),
	};
	const solo = purpose === 'main' && round <= plan.timing.soloRounds;
	return solo ? { ...turn, soloFirst: flip() } : turn;
}

/** Both rounds of a block have the same draws, but the second swaps them. */
function flipper(name: string, { seed }: Plan, round: number, purpose: Purpose): () => Side {
	const block = Math.floor((round - 1) / 2);
	const mirrored = (round - 1) % 2 === 1;
	const random = streamOf(seed, name, purpose, BLOCK_STREAM, block);
	return () => {
		const side: Side = random.coin() ? 'base' : 'head';
		return mirrored ? otherSide(side) : side;
	};
}

function slots(inFirstSlot: Side): Sides<0 | 1> {
	return inFirstSlot === 'base' ? { base: 0, head: 1 } : { base: 1, head: 0 };
}

/** Sorts by a drawn key, so the order of two names does not depend on other names. */
function inDrawnOrder(names: readonly string[], { seed }: Plan, round: number, purpose: Purpose): string[] {
	const drawn = names.map((name) => ({ name, key: streamOf(seed, name, purpose, ORDER_STREAM, round).next() }));
	return drawn.toSorted((first, second) => first.key - second.key).map(({ name }) => name);
}

function streamOf(seed: number, name: string, purpose: Purpose, kind: number, index: number): Random {
	return createRandom(seed, hashName(name), PURPOSE_STREAM[purpose], kind, index);
}

/** Returns the 32-bit FNV-1a hash of UTF-16 code units (Fowler, Noll, Vo). */
export function hashName(name: string): number {
	let hash = 0x811c9dc5;
	for (let index = 0; index < name.length; index++) hash = Math.imul(hash ^ name.charCodeAt(index), 0x01000193);
	return hash >>> 0;
}
