/** Points on each side that say where a point should lie. */
const SIDE = 3;
/** A point may lie so many standard deviations from them. */
const REACH = 2;

/**
 * Returns `y` with each value moved to within ±2 standard deviations of the median of its six neighbours, three on each side, or
 * of the three before, or of those after it, whichever is nearest: the first point after a step agrees with what follows, an
 * outlier with nobody. At an end the neighbours are the nearest six there are. `sd` is each value's own standard deviation.
 * Source: the median filter of Hampel 1974, docs/statistics.md, "Outliers".
 */
export function clipOutliers(y: Float64Array, sd: Float64Array): Float64Array {
	if (y.length <= SIDE) return y;
	return y.map((value, at) => {
		const reach = REACH * (sd[at] as number);
		const centres = centresOf(y, at);
		const nearest = centres.reduce((best, centre) =>
			Math.abs(value - centre) < Math.abs(value - best) ? centre : best,
		);
		return Math.min(nearest + reach, Math.max(nearest - reach, value));
	});
}

function centresOf(y: Float64Array, at: number): number[] {
	const last = y.length - 1;
	const first = Math.max(0, Math.min(at - SIDE, last - 2 * SIDE));
	const around = neighbours(y, first, Math.min(last, first + 2 * SIDE), at);
	const before = neighbours(y, Math.max(0, at - SIDE), at - 1, at);
	const after = neighbours(y, at + 1, Math.min(last, at + SIDE), at);
	return [around, ...[before, after].filter((side) => side.length >= 2)].map(medianOf);
}

function neighbours(y: Float64Array, first: number, last: number, except: number): number[] {
	const values: number[] = [];
	for (let at = first; at <= last; at++) if (at !== except) values.push(y[at] as number);
	return values;
}

function medianOf(values: number[]): number {
	values.sort((a, b) => a - b);
	const middle = values.length >> 1;
	const upper = values[middle] as number;
	return values.length % 2 === 1 ? upper : ((values[middle - 1] as number) + upper) / 2;
}
