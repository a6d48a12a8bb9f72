import type { CellRound, Window } from '../../types/round.ts';
import { otherSide, type Seconds, SIDES, type Side } from '../../types/units.ts';
import type { Pair } from '../pair.ts';
import { vitalsBetween } from './vitals-between.ts';

/**
 * Returns a function that takes the windows since now, and returns what the servers of a pair have reported about themselves meanwhile;
 * nothing where they were not asked to.
 */
export function listenToVitals(pair: Pair, asked = false): (windows: readonly Window[]) => Pick<CellRound, 'vitals'> {
	if (!asked) return () => ({});
	const [base, head] = SIDES.map((side) => pair[side].tellings());
	const since = (side: Side, windows: readonly Window[], before = side === 'base' ? base : head) =>
		vitalsBetween(before ?? [], pair[side].tellings(), restedIn(windows, side));
	return (windows) => ({ vitals: { base: since('base', windows), head: since('head', windows) } });
}

/** How long a side had nothing to do because it was the other one's turn. */
function restedIn(windows: readonly Window[], side: Side): Seconds {
	const others = windows.flatMap((window) => (window.kind === 'alternating' ? (window[otherSide(side)] ?? []) : []));
	return others.reduce((sum, { seconds }) => sum + seconds, 0);
}
