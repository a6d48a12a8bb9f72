import type { Fraction } from '../types/units.ts';
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

/** The normal distribution. */

/** From here on the continued fraction is exact. Below, the series loses no digits. */
const FAR = 3;
const FRACTION_TERMS = 120;

/**
 * Returns P(Z ≤ z) for a standard normal Z, relative error near 1e-13 in the lower tail. Source: the odd power series
 * (Abramowitz and Stegun 26.2.11) near the centre, Laplace's continued fraction (26.2.14) beyond 3.
 */
export function normalCdf(z: number): number {
	if (z > 0) return 1 - normalCdf(-z);
	const x = -z;
	const density = Math.exp(-0.5 * x * x) / Math.sqrt(2 * Math.PI);
	return x < FAR ? 0.5 - density * oddSeries(x) : density / tailFraction(x);
}

/** x + x³/3 + x⁵/(3·5) + ... */
function oddSeries(x: number): number {
	let sum = 0;
	let term = x;
	for (let odd = 3; sum + term !== sum; odd += 2) {
		sum += term;
		term *= (x * x) / odd;
	}
	return sum;
}

/** x + 1/(x + 2/(x + 3/(x + ...))) */
function tailFraction(x: number): number {
	let value = x;
	for (let term = FRACTION_TERMS; term >= 1; term--) value = x + term / value;
	return value;
}

/** Φ⁻¹(0.975), for 95 % intervals. */
export const Z95 = 1.959963984540054;

/** More halvings than bisection to adjacent doubles needs. */
const MOST_HALVINGS = 1100;

/**
 * Returns the x in [0, 1] with I_x(a, b) = p, the quantile of the beta distribution, for 0 ≤ p ≤ 1 and a, b > 0; NaN
 * outside. By bisection. Source: definition, DLMF 8.17.
 */
export function betaQuantile(p: number, a: number, b: number): number {
	if (!(p >= 0 && p <= 1 && a > 0 && b > 0)) return Number.NaN;
	if (p === 0 || p === 1) return p;
	let low = 0;
	let high = 1;
	for (let step = 0; step < MOST_HALVINGS; step++) {
		const middle = low + (high - low) / 2;
		if (middle === low || middle === high) break;
		if (incompleteBeta(middle, a, b) < p) low = middle;
		else high = middle;
	}
	return high;
}

/**
 * Returns the exact interval, of at least `confidence`, of a probability from `count` of `of` independent trials; 0 to
 * 1 without trials. Throws a RangeError unless 0 ≤ count ≤ of are integers. Source: Clopper and Pearson 1934, by the
 * beta distribution.
 */
export function clopperPearson(count: number, of: number, confidence = 0.95): { low: Fraction; high: Fraction } {
	if (!Number.isInteger(count) || !Number.isInteger(of) || count < 0 || count > of) {
		throw new RangeError(`${count} of ${of} is no count of trials`);
	}
	const tail = (1 - confidence) / 2;
	return {
		low: count === 0 ? 0 : betaQuantile(tail, count, of - count + 1),
		// Computed from the other side, to keep all digits of the distance from 1.
		high: count === of ? 1 : 1 - betaQuantile(tail, of - count, count + 1),
	};
}
