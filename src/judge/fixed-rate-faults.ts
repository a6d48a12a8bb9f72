/** Faults of sides at a fixed rate. Source: docs/statistics.md 14. */
import { GENERATOR_LIMIT, summariseGuards } from '../stats/guards.ts';
import type { CellRound } from '../types/round.ts';
import { type Fraction, otherSide, SIDES, type Warning } from '../types/units.ts';
import type { Guards } from '../types/verdict.ts';
import { type WarningCode, warn } from './warnings.ts';

export const RATE_FAULTS = [
	'rate-not-held',
	'rate-not-sent',
	'rate-nearly-held',
] as const satisfies readonly WarningCode[];

/** Share of due requests that a side must answer. Below it, the side falls behind by seconds within minutes. */
const HELD: Fraction = 0.98;
/** From this share on, a side surely holds the rate. Between both limits, it is unclear which side is at its limit. */
const SURELY_HELD: Fraction = 0.995;
/** Share of late requests above which there is a warning. */
const MANY_LATE: Fraction = 0.01;

/**
 * Returns the faults of a cell at a fixed rate: `rate-not-held` of a side that fell behind while the other surely did
 * not, or of both sides; else `rate-nearly-held` or `rate-not-sent`, which blame no side. Empty below `fewest` rounds,
 * because a machine that stalls once looks the same.
 */
export function rateFaults(cellRounds: readonly CellRound[], fewest: number): readonly Warning[] {
	if (cellRounds.length < fewest) return [];
	const { fixedRate, generatorUtilisation } = summariseGuards(cellRounds, []);
	if (!fixedRate) return [];
	const behind = SIDES.filter((side) => fixedRate[side].held < HELD);
	if (behind.length === 0) return [];
	const due = Math.max(...SIDES.map((side) => fixedRate[side].due));
	if ((generatorUtilisation ?? 0) >= GENERATOR_LIMIT) {
		return [warn('rate-not-sent', { due, utilisation: generatorUtilisation ?? 0 })];
	}
	const isClear = behind.every((side) => {
		const { held } = fixedRate[otherSide(side)];
		return held >= SURELY_HELD || held < HELD;
	});
	if (!isClear) return [warn('rate-nearly-held', { due, base: fixedRate.base.held, head: fixedRate.head.held })];
	return behind.map((side) => ({ ...warn('rate-not-held', { side, ...fixedRate[side] }), side }));
}

export function isManyLate({ base, head }: NonNullable<Guards['fixedRate']>): boolean {
	return Math.max(base.late, head.late) > MANY_LATE;
}

export function lateWarnings({ fixedRate }: Pick<Guards, 'fixedRate'>): readonly Warning[] {
	if (!fixedRate || !isManyLate(fixedRate)) return [];
	return [warn('late-requests', { base: fixedRate.base.late, head: fixedRate.head.late })];
}
