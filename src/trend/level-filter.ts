/** A row's points as numbers, for what is computed many times. */
export interface Curve {
	/** Log ratio against the first anchor. */
	readonly y: Float64Array;
	/** 1 / variance of `y` within its era: 1 / (SE² + τ²). */
	readonly weight: Float64Array;
	/** Variance of the link between a point's era and that of the point before; 0 within an era, infinite when it is assumed. */
	readonly jump: Float64Array;
}

/** The level after some points, with its variance, and how badly one level explains them. */
export interface Level {
	readonly mean: number;
	readonly variance: number;
	/** Sum of squared standardised misfits. */
	readonly cost: number;
}

/**
 * Returns the level at point `last` when points `first` to `last` share one. Points of other eras count as far as the links
 * between are sure: a link's error is the same for all points of an era, so that an era boundary alone is no change. The cost is
 * the generalised least squares sum Σ v²/F. Source: Kalman filter of the local level model with a diffuse start, Durbin and
 * Koopman 2012, chapter 2; docs/statistics.md, "Levels across releases".
 */
export function levelAt(curve: Curve, first: number, last: number): Level {
	let mean = 0;
	let precision = 0;
	let cost = 0;
	const step = last >= first ? 1 : -1;
	for (let at = first; ; at += step) {
		if (at !== first) precision = afterJump(precision, curve.jump[step > 0 ? at : at + 1] as number);
		const weight = curve.weight[at] as number;
		const value = curve.y[at] as number;
		const total = precision + weight;
		const miss = value - mean;
		cost += (miss * miss * precision * weight) / total;
		mean += (miss * weight) / total;
		precision = total;
		if (at === last) return { mean, variance: 1 / precision, cost };
	}
}

/** What is left of a precision when the level is carried over a link of this variance. */
export function afterJump(precision: number, variance: number): number {
	if (variance === 0 || precision === 0) return precision;
	return 1 / (1 / precision + variance);
}
