/** Sums over the windows of a turn or a round. */
import type { CellRound, Window } from '../types/round.ts';
import type { Seconds, Side, Sides } from '../types/units.ts';

/** Answers each side gave in counted windows. */
export function countAnswers(windows: readonly Window[]): Sides<number> {
	const count = (side: Side) => windows.reduce((sum, window) => sum + (window[side]?.completed ?? 0), 0);
	return { base: count('base'), head: count('head') };
}

/** Counted seconds: a shared window counts once, single-sided windows each. */
export function countLoad(cells: readonly CellRound[]): Seconds {
	const length = (window: Window) =>
		window.kind === 'duet'
			? Math.max(window.base?.seconds ?? 0, window.head?.seconds ?? 0)
			: (window.base?.seconds ?? 0) + (window.head?.seconds ?? 0);
	return cells.flatMap((cell) => cell.windows).reduce((sum, window) => sum + length(window), 0);
}
