/** Pure: which trial comes when, and on which cell. */
import { createRandom } from '../stats/random.ts';
import { type Config, SEED_LIMIT } from '../types/config.ts';
import type { Fraction } from '../types/units.ts';
import { type PlannedCells, planCells } from './plan-cells.ts';

/** Drops in throughput that are injected. */
export const DROPS: readonly Fraction[] = [0.02, 0.03, 0.05, 0.1];

/** One comparison of a pinned server with itself. */
export interface Trial {
	/** 1-based. */
	readonly number: number;
	/** Drop in throughput injected into head; 0 for a server against itself. */
	readonly drop: Fraction;
	/** Id of the cell it is measured on. */
	readonly cell: string;
	/** Seed of its own coin flips. */
	readonly seed: number;
}

export interface Schedule {
	/** Neighbours should be different servers. */
	readonly cells: readonly string[];
	/** At least one. */
	readonly drops: readonly Fraction[];
	readonly seed: number;
}

/**
 * Returns the cells that trials are run on, servers within scenarios, so that trials that follow each other are on different
 * servers; and those that built-in servers leave out. Throws as `planCells`.
 */
export function planTrialCells(config: Config): Pick<PlannedCells, 'cells' | 'leftOut'> {
	const names = config.servers.map(({ name }) => name);
	const { cells, leftOut } = planCells(config, { servers: { base: names, head: names } });
	const order = config.scenarios.map(({ name }) => name);
	return { cells: cells.toSorted((a, b) => order.indexOf(a.scenario) - order.indexOf(b.scenario)), leftOut };
}

/** Keeps the order of drops and the seeds of trials apart. */
const ORDER_STREAM = 11;
const SEED_STREAM = 12;

/**
 * Returns trial `number` (1-based) of an endless schedule, a pure function of both. Every other trial is a server against
 * itself, because a rare false alarm takes most trials to see; the others take one drop after the other, in an order drawn for
 * each cycle. The trials without a drop, and those of each drop, go through all cells in turn, each drop from another place.
 * So whenever time ends, every kind has been tried about equally often, on servers spread evenly.
 */
export function planTrial({ cells, drops, seed }: Schedule, number: number): Trial {
	const pair = Math.floor((number - 1) / 2);
	const cycle = Math.floor(pair / drops.length);
	const order = createRandom(seed, ORDER_STREAM, cycle).shuffle(drops.map((_, index) => index));
	const drawn = order[pair % drops.length] as number;
	const isSame = number % 2 === 1;
	const turn = isSame ? pair : cycle + drawn;
	return {
		number,
		drop: isSame ? 0 : (drops[drawn] as Fraction),
		cell: cells[turn % cells.length] as string,
		seed: Math.floor(createRandom(seed, SEED_STREAM, number).next() * SEED_LIMIT),
	};
}
