/** Whether the sides held the rate they were loaded at. Source: docs/statistics.md 14. */
import { GENERATOR_LIMIT, summariseGuards } from '../stats/guards.ts';
import type { CellRound } from '../types/round.ts';
import { type Fraction, otherSide, SIDES, type Warning } from '../types/units.ts';
import type { Guards } from '../types/verdict.ts';
import { type WarningCode, warn } from './warnings.ts';

/** Every fault that says that a rate was not held. */
export const RATE_FAULTS = [
	'rate-not-held',
	'rate-not-sent',
	'rate-nearly-held',
] as const satisfies readonly WarningCode[];

/** Below this share of what fell due a side does not hold the rate: it is then some seconds behind within minutes. */
const HELD: Fraction = 0.98;
/** From this share on it surely does. In between nobody can tell who of both is at his limit. */
const SURELY_HELD: Fraction = 0.995;
/** Share of requests that were sent late from which on it is told. */
const MANY_LATE: Fraction = 0.01;

/**
 * Returns why a cell at a fixed rate says nothing: `rate-not-held`, of each side that did not hold it while the other surely did, or
 * of both; `rate-nearly-held` or `rate-not-sent`, which are no side's. None below `fewest` rounds, where a machine that stood still for a
 * moment would look the same.
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

/** Returns whether more than one request in a hundred of a side was sent late. */
export function isManyLate({ base, head }: NonNullable<Guards['fixedRate']>): boolean {
	return Math.max(base.late, head.late) > MANY_LATE;
}

/** Returns the warning `late-requests` where many were sent late. */
export function lateWarnings({ fixedRate }: Pick<Guards, 'fixedRate'>): readonly Warning[] {
	if (!fixedRate || !isManyLate(fixedRate)) return [];
	return [warn('late-requests', { base: fixedRate.base.late, head: fixedRate.head.late })];
}
