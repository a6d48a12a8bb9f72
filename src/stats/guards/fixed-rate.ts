/** What windows at a fixed rate say about the rate itself. */
import { median } from 'simple-statistics';
import type { CellRound, WindowSide } from '../../types/round.ts';
import { SIDES, type Side, type Sides } from '../../types/units.ts';
import type { HeldRate } from '../../types/verdict.ts';
import { countedWindows, sideOf } from '../windows.ts';

/**
 * Returns how each side was loaded in `cellRounds`, counted windows only; null unless they are all at a fixed rate. The share that
 * was held is the median over rounds, because a machine that stands still for a moment misses the rate in one of them; of each
 * window one answer is forgiven that is under way at its end.
 */
export function heldRates(cellRounds: readonly CellRound[]): Sides<HeldRate> | null {
	const rounds = cellRounds.filter((cellRound) => countedWindows(cellRound).length > 0);
	if (rounds.length === 0 || !rounds.every(isRated)) return null;
	const [base, head] = SIDES.map((side) => heldRate(rounds, side)) as [HeldRate, HeldRate];
	return { base, head };
}

/** Returns whether a turn was loaded at a fixed rate. */
function isRated(cellRound: CellRound): boolean {
	const parts = SIDES.flatMap((side) => sideOf(countedWindows(cellRound), side));
	return parts.length > 0 && parts.every(({ due }) => due !== undefined);
}

function heldRate(rounds: readonly CellRound[], side: Side): HeldRate {
	const parts = rounds.map((round) => sideOf(countedWindows(round), side));
	const all = parts.flat();
	const due = sum(all, (part) => part.due ?? 0);
	const seconds = sum(all, (part) => part.seconds);
	return {
		due: seconds === 0 ? 0 : due / seconds,
		held: median(parts.map(heldShare)),
		late: due === 0 ? 0 : Math.min(1, sum(all, (part) => part.late ?? 0) / due),
	};
}

function heldShare(parts: readonly WindowSide[]): number {
	const due = sum(parts, (part) => part.due ?? 0);
	return due === 0 ? 1 : (sum(parts, (part) => part.completed) + parts.length) / due;
}

function sum(parts: readonly WindowSide[], of: (part: WindowSide) => number): number {
	return parts.reduce((total, part) => total + of(part), 0);
}
