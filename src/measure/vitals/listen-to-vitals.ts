import type { CellRound } from '../../types/round.ts';
import { SIDES, type Side } from '../../types/units.ts';
import type { Pair } from '../pair.ts';
import { vitalsBetween } from './vitals-between.ts';

/** Returns a function that returns what the servers of a pair have reported about themselves since now; nothing where they were not asked to. */
export function listenToVitals(pair: Pair, asked = false): () => Pick<CellRound, 'vitals'> {
	if (!asked) return () => ({});
	const [base, head] = SIDES.map((side) => pair[side].tellings());
	const since = (side: Side, before = side === 'base' ? base : head) =>
		vitalsBetween(before ?? [], pair[side].tellings());
	return () => ({ vitals: { base: since('base'), head: since('head') } });
}
