import { clipOutliers } from './clip-outliers.ts';
import type { Curve } from './level-filter.ts';
import type { Chain } from './link-eras.ts';
import type { RowPoint } from './row-points.ts';

/** Returns the numbers of a row for a given τ², points clipped to within `reach` standard deviations of their neighbours unless null. */
export function curveOf(points: readonly RowPoint[], chain: Chain, tau2: number, reach: number | null): Curve {
	const y = new Float64Array(points.length);
	const weight = new Float64Array(points.length);
	const jump = new Float64Array(points.length);
	points.forEach(({ point, runs }, at) => {
		const weighed = weighRuns(runs, tau2);
		weight[at] = weighed.weight;
		y[at] = (chain.offsets[point.era] as number) + weighed.value;
		const before = points[at - 1]?.point.era ?? point.era;
		jump[at] = before === point.era ? 0 : chain.between(before, point.era);
	});
	const sd = weight.map((own) => 1 / Math.sqrt(own));
	return { y: reach === null ? y : clipOutliers(y, sd, reach), weight, jump };
}

/** Returns the runs of one point as one figure, for a given τ². */
export function weighRuns(runs: RowPoint['runs'], tau2: number): { readonly weight: number; readonly value: number } {
	const [only] = runs;
	if (only !== undefined && runs.length === 1) return { weight: 1 / (only.se * only.se + tau2), value: only.theta };
	let [weight, sum] = [0, 0];
	for (const { theta, se } of runs) {
		const own = 1 / (se * se + tau2);
		weight += own;
		sum += own * theta;
	}
	return { weight, value: sum / weight };
}
