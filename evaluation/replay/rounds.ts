/** Rounds cut and put together anew. */
import type { Round } from '../../src/types/round.ts';
import type { Seconds } from '../../src/types/units.ts';

/**
 * Returns `round` as if only `cells` had been measured in it: the others' numbers are gone, and of its seconds it keeps the share
 * of the cells that stay, each cell counted alike. Start-up is paid once for all cells of a process pair, so this is a little too
 * little for a round that really had fewer cells.
 */
export function keepCells(round: Round, cells: readonly string[]): Round {
	const kept = round.cells.filter(({ cell }) => cells.includes(cell));
	if (kept.length === round.cells.length) return round;
	const share = kept.length / round.cells.length;
	return { ...round, cells: kept, seconds: round.seconds * share, loadSeconds: round.loadSeconds * share };
}

/** Returns `rounds` numbered from 1 in the order given, all of `purpose`. */
export function renumber(rounds: readonly Round[], purpose: Round['purpose'] = 'main'): readonly Round[] {
	return rounds.map((round, index) => renumberOne(round, index + 1, purpose));
}

/** Returns `round` with another number and purpose. */
export function renumberOne(round: Round, number: number, purpose: Round['purpose']): Round {
	return {
		...round,
		round: number,
		purpose,
		cells: round.cells.map((cell) => ({ ...cell, round: number, purpose })),
	};
}

/** Returns `items` from `start` on, once around; `start` may be beyond the end. Empty for none. */
export function rotate<T>(items: readonly T[], start: number): readonly T[] {
	const first = items.length === 0 ? 0 : start % items.length;
	return [...items.slice(first), ...items.slice(0, first)];
}

/** Returns the wall time of `rounds`. */
export function secondsOf(rounds: readonly Round[]): Seconds {
	return rounds.reduce((sum, { seconds }) => sum + seconds, 0);
}

/** Returns the wall time `cell` had of `rounds`: of each round it was part of, an equal share with the round's other cells. */
export function secondsOfCell(rounds: readonly Round[], cell: string): Seconds {
	return secondsOf(rounds.map((round) => keepCells(round, [cell])));
}
