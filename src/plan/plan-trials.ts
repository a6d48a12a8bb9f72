import { createRandom } from '../stats/random.ts';
import { type Config, SEED_LIMIT } from '../types/config.ts';
import type { Fraction } from '../types/units.ts';
import { type PlannedCells, planCells } from './plan-cells.ts';

export const DROPS: readonly Fraction[] = [0.02, 0.03, 0.05, 0.1];

export interface Trial {
	/** 1-based. */
	readonly number: number;
	/** Injected drop in throughput; 0 for A/A. */
	readonly drop: Fraction;
	readonly cell: string;
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
 * Returns the cells of trials, and the left-out cells. Cells are sorted by scenario, so successive trials differ
 * in server. Throws as `planCells`.
 */
export function planTrialCells(config: Config): Pick<PlannedCells, 'cells' | 'leftOut'> {
	const names = config.servers.map(({ name }) => name);
	const { cells, leftOut } = planCells(config, { servers: { base: names, head: names } });
	const order = config.scenarios.map(({ name }) => name);
	return { cells: cells.toSorted((a, b) => order.indexOf(a.scenario) - order.indexOf(b.scenario)), leftOut };
}

const ORDER_STREAM = 11;
const SEED_STREAM = 12;

/**
 * Returns trial `number` (1-based) of an endless schedule, a pure function of both. Every other trial is A/A, because
 * rare false alarms need most trials; the others cycle through the drops in drawn order. Each kind visits all cells.
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
