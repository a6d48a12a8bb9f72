/** Neighbours on each side. */
const SIDE = 3;

/**
 * Returns `y` clipped to ±`reach` standard deviations (`sd` by value) around the nearest of three medians: of the six
 * neighbours, of the three before, and of the three after, so a step of three points survives. Source: the median
 * filter of Hampel 1974, docs/statistics.md, "Outliers".
 */
export function clipOutliers(y: Float64Array, sd: Float64Array, reach: number): Float64Array {
	if (y.length <= SIDE) return y;
	const last = y.length - 1;
	return y.map((value, at) => {
		const most = reach * (sd[at] as number);
		const first = Math.max(0, Math.min(at - SIDE, last - 2 * SIDE));
		const around = medianBeside(y, first, Math.min(last, first + 2 * SIDE), at);
		if (Math.abs(value - around) <= most) return value;
		const before = at >= 2 ? medianBeside(y, Math.max(0, at - SIDE), at - 1, at) : medianBeside(y, 0, SIDE, at);
		const after =
			last - at >= 2 ? medianBeside(y, at + 1, Math.min(last, at + SIDE), at) : medianBeside(y, last - SIDE, last, at);
		const nearest = [around, before, after].reduce((best, centre) =>
			Math.abs(value - centre) < Math.abs(value - best) ? centre : best,
		);
		return Math.min(nearest + most, Math.max(nearest - most, value));
	});
}

function medianBeside(y: Float64Array, first: number, last: number, except: number): number {
	const sorted = new Float64Array(last - first + 1);
	let count = 0;
	for (let at = first; at <= last; at++) {
		if (at === except) continue;
		const value = y[at] as number;
		let place = count++;
		for (; place > 0 && (sorted[place - 1] as number) > value; place--) sorted[place] = sorted[place - 1] as number;
		sorted[place] = value;
	}
	const middle = count >> 1;
	const upper = sorted[middle] as number;
	return count % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
}
