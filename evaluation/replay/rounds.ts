/** Cuts and rearranges rounds. */
import { mean } from 'simple-statistics';
import type { Round } from '../../src/types/round.ts';
import type { Seconds } from '../../src/types/units.ts';
import { gapsOf, spanOf, total } from './overhead.ts';

/**
 * Returns `round`, of one process pair, as if it had measured only `cells`: without the windows and one warm-up of each
 * other cell in its numbers and seconds, but with the full time to start and stop the pair. Without windows it keeps
 * the share of the remaining cells.
 */
export function keepCells(round: Round, cells: readonly string[]): Round {
	const kept = round.cells.filter(({ cell }) => cells.includes(cell));
	if (kept.length === round.cells.length) return round;
	const share = kept.length / round.cells.length;
	const loadSeconds = round.loadSeconds * share;
	if (kept.length === 0 || round.cells.some(({ windows }) => windows.length === 0)) {
		return { ...round, cells: kept, seconds: round.seconds * share, loadSeconds };
	}
	const gone = round.cells.filter((cell) => !kept.includes(cell));
	const lost = total(gone.map(spanOf)) + gone.length * mean(gapsOf(round) as Seconds[]);
	return { ...round, cells: kept, seconds: Math.max(0, round.seconds - lost), loadSeconds };
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

/** Returns `items` from `start` on, once around; `start` may be beyond the end. */
export function rotate<T>(items: readonly T[], start: number): readonly T[] {
	const first = items.length === 0 ? 0 : start % items.length;
	return [...items.slice(first), ...items.slice(0, first)];
}

/** Returns the wall time of `rounds`. */
export function secondsOf(rounds: readonly Round[]): Seconds {
	return total(rounds.map(({ seconds }) => seconds));
}

/** Returns the wall time of `cell` in `rounds`: in each of its rounds an equal share with the round's other cells. */
export function secondsOfCell(rounds: readonly Round[], cell: string): Seconds {
	const measured = rounds.filter(({ cells }) => cells.some((one) => one.cell === cell));
	return total(measured.map(({ cells, seconds }) => seconds / cells.length));
}
