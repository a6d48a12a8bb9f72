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
