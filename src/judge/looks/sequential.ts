import { type Location, probabilityAbove, probabilityBelow } from '../../stats/location.ts';
import type { Cell } from '../../types/plan.ts';
import type { Fraction } from '../../types/units.ts';

/** Error rate of a family's reds, and of each row's `unchanged`. */
export const ALPHA = 0.05;

/** Limits on d; negative d is worse. */
export interface Limits {
	/** ln(1 − D0): a smaller drop is harmless. */
	readonly tolerance: number;
	/** ln(1 − D1): a larger drop fails. */
	readonly threshold: number;
	/** −ln(1 − D0) and −ln(1 − D1), so swapping sides mirrors everything. */
	readonly riseTolerance: number;
	readonly riseThreshold: number;
}

export interface Weights {
	readonly weightRegressed: Fraction;
	readonly weightUnchanged: Fraction;
}

/** Smallest p / weight of each hypothesis over the looks so far, at most 1. */
export interface SequentialP {
	/** Hypothesis: the drop is no more than the tolerance. */
	readonly regressed: number;
	/** Hypothesis: the drop is the threshold or more. */
	readonly unchanged: number;
	/** Hypothesis: the rise is no more than the tolerance. */
	readonly improved: number;
}

export const UNTESTED: SequentialP = { regressed: 1, unchanged: 1, improved: 1 };

export function limitsOf(cell: Pick<Cell, 'tolerance' | 'threshold'>): Limits {
	const tolerance = Math.log1p(-cell.tolerance);
	const threshold = Math.log1p(-cell.threshold);
	return { tolerance, threshold, riseTolerance: -tolerance, riseThreshold: -threshold };
}

/**
 * Returns the p-values after a look at `location`. By the union bound P(P ≤ a) ≤ Σ weight × a ≤ a, under any
 * dependence. Source: docs/statistics.md, "Two questions, two tests" and "Looking more than once".
 */
export function addLook(sofar: SequentialP, location: Location, limits: Limits, weights: Weights): SequentialP {
	const drop = probabilityBelow(location, limits.tolerance);
	const noDrop = probabilityAbove(location, limits.threshold);
	const rise = probabilityAbove(location, limits.riseTolerance);
	return {
		regressed: Math.min(sofar.regressed, drop / weights.weightRegressed),
		unchanged: Math.min(sofar.unchanged, noDrop / weights.weightUnchanged),
		improved: Math.min(sofar.improved, rise / weights.weightRegressed),
	};
}
