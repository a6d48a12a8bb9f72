/** Sums over the windows of a turn or a round. */
import type { CellRound, Window } from '../types/round.ts';
import type { Seconds } from '../types/units.ts';

/** Counted seconds: a shared window counts once, single-sided windows each. */
export function countLoad(cells: readonly CellRound[]): Seconds {
	const length = (window: Window) =>
		window.kind === 'duet'
			? Math.max(window.base?.seconds ?? 0, window.head?.seconds ?? 0)
			: (window.base?.seconds ?? 0) + (window.head?.seconds ?? 0);
	return cells.flatMap((cell) => cell.windows).reduce((sum, window) => sum + length(window), 0);
}
