import { incompleteBeta, logGamma } from './special-functions.ts';

/** Returns P(T ≤ t) for Student's t, `df` > 0; accurate in the lower tail. */
export function studentCdf(t: number, df: number): number {
	return studentSurvival(-t, df);
}

/**
 * Returns P(T > t) for Student's t, `df` > 0; accurate in the upper tail. Source: P(T > t) = ½ I_x(df/2, ½) with x =
 * df/(df + t²) for t > 0 (Abramowitz and Stegun 26.7.1 and 26.5.2).
 */
export function studentSurvival(t: number, df: number): number {
	if (Number.isNaN(t) || !(df > 0)) return Number.NaN;
	if (t < 0) return 1 - studentSurvival(-t, df);
	if (t === Number.POSITIVE_INFINITY) return 0;
	const square = t * t;
	// Near the centre x rounds to 1 and would lose its distance from 1, the result.
	if (square < 1) return 0.5 - 0.5 * incompleteBeta(square / (df + square), 0.5, df / 2);
	return 0.5 * incompleteBeta(df / (df + square), df / 2, 0.5);
}

/**
 * Returns the t with P(T ≤ t) = p; ∓∞ at p = 0 and 1, NaN outside. For an upper critical value use
 * `-studentQuantile(alpha, df)`, which keeps all digits of a small alpha.
 */
export function studentQuantile(p: number, df: number): number {
	if (!(p >= 0 && p <= 1 && df > 0)) return Number.NaN;
	if (p === 0.5) return 0;
	if (p > 0.5) return upperCritical(1 - p, df);
	return -upperCritical(p, df);
}

/** The t > 0 with P(T > t) = tail < ½: Newton's method on ln P(T > t) in a shrinking bracket. */
function upperCritical(tail: number, df: number): number {
	if (tail === 0) return Number.POSITIVE_INFINITY;
	let high = 1;
	while (studentSurvival(high, df) > tail) high *= 2;
	let low = high === 1 ? 0 : high / 2;
	let t = (low + high) / 2;
	for (let step = 0; step < 200; step++) {
		const survival = studentSurvival(t, df);
		if (survival > tail) low = t;
		else high = t;
		const newton = t + (Math.log(survival / tail) * survival) / studentDensity(t, df);
		const following = newton > low && newton < high ? newton : (low + high) / 2;
		if (Math.abs(following - t) <= 1e-15 * following) return following;
		t = following;
	}
	return t;
}

function studentDensity(t: number, df: number): number {
	const logScale = logGamma((df + 1) / 2) - logGamma(df / 2) - 0.5 * Math.log(df * Math.PI);
	return Math.exp(logScale - ((df + 1) / 2) * Math.log1p((t * t) / df));
}
