/** The variance between runs, by Paule and Mandel's method. */

const STEPS = 60;
/** No spread between runs is larger: e^0.5 is two thirds more. */
const MOST = 0.25;

/**
 * Returns the variance τ² at which `misfit(τ²)`, a sum of squared standardised misfits that falls with τ², equals its expectation
 * `freedom`: the number of values less that of means; 0 when even τ² = 0 explains the spread. Source: Paule and Mandel 1982, as
 * generalised by DerSimonian and Kacker 2007; docs/statistics.md, "Spread between runs".
 */
export function pauleMandel(misfit: (tau2: number) => number, freedom: number): number {
	if (freedom <= 0 || misfit(0) <= freedom) return 0;
	if (misfit(MOST) >= freedom) return MOST;
	let low = 0;
	let high = MOST;
	for (let step = 0; step < STEPS && high - low > 1e-12 + 1e-5 * low; step++) {
		// Halving on a scale of roots finds the small values that occur in fewer steps.
		const middle = ((Math.sqrt(low) + Math.sqrt(high)) / 2) ** 2;
		if (misfit(middle) > freedom) low = middle;
		else high = middle;
	}
	return (low + high) / 2;
}
