/** Exact intervals of shares. */
import type { Fraction } from '../types/units.ts';
import { incompleteBeta } from './special-functions.ts';

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
