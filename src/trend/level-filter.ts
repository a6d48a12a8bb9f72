export interface Curve {
	/** Log ratio against the first anchor. */
	readonly y: Float64Array;
	/** 1 / (SE² + τ²) within the point's era. */
	readonly weight: Float64Array;
	/** Variance of the link from the previous point's era; 0 within an era, infinite if assumed. */
	readonly jump: Float64Array;
}

export interface Level {
	readonly mean: number;
	readonly variance: number;
	readonly cost: number;
}

/**
 * Returns the level at `last`, if points `first` to `last` share one level. All points of an era share the error of
 * its link, so an era boundary is no change. Source: Kalman filter of the local level model with a diffuse start,
 * Durbin and Koopman 2012, chapter 2; docs/statistics.md, "Levels across releases".
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

export function afterJump(precision: number, variance: number): number {
	if (variance === 0 || precision === 0) return precision;
	return 1 / (1 / precision + variance);
}
