/** Recurrences move x up to here, where the series have full precision. */
const FAR = 12;

/** B₂ₖ / 2k, for 1/x²ᵏ in the series of ψ. */
const DIGAMMA = [1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132, -691 / 32760] as const;

/** B₂ₖ, for 1/x²ᵏ⁺¹ in the series of ψ′. */
const TRIGAMMA = [1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730] as const;

/** B₂ₖ / (2k (2k − 1)), for 1/x, 1/x³, 1/x⁵ ... in Stirling's series. */
const STIRLING = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360] as const;
const HALF_LOG_TWO_PI = 0.5 * Math.log(2 * Math.PI);

/**
 * Returns ln Γ(x) for x > 0, absolute error near 1e-14; NaN else. Source: Stirling's series (DLMF 5.11.1) after moving
 * x above 12 with Γ(x + 1) = x Γ(x).
 */
export function logGamma(x: number): number {
	if (!(x > 0)) return Number.NaN;
	let shifted = x;
	let product = 1;
	while (shifted < 12) {
		product *= shifted;
		shifted++;
	}
	let correction = 0;
	let power = 1 / shifted;
	for (const coefficient of STIRLING) {
		correction += coefficient * power;
		power /= shifted * shifted;
	}
	return (shifted - 0.5) * Math.log(shifted) - shifted + HALF_LOG_TWO_PI + correction - Math.log(product);
}

/**
 * Returns the regularised incomplete beta function I_x(a, b) for 0 ≤ x ≤ 1 and a, b > 0; NaN outside. Small results
 * keep their relative accuracy. Source: continued fraction DLMF 8.17.22, symmetry 8.17.4.
 */
export function incompleteBeta(x: number, a: number, b: number): number {
	if (!(x >= 0 && x <= 1 && a > 0 && b > 0)) return Number.NaN;
	if (x === 0 || x === 1) return x;
	// The fraction converges fast only below the mean of the distribution.
	if (x > (a + 1) / (a + b + 2)) return 1 - betaBelowMean(1 - x, b, a);
	return betaBelowMean(x, a, b);
}

function betaBelowMean(x: number, a: number, b: number): number {
	const logBeta = logGamma(a) + logGamma(b) - logGamma(a + b);
	const front = Math.exp(a * Math.log(x) + b * Math.log1p(-x) - logBeta) / a;
	return front / betaFraction(x, a, b);
}

/** 1 + d₁/(1 + d₂/(1 + ...)), front to back (modified Lentz). */
function betaFraction(x: number, a: number, b: number): number {
	const tiny = 1e-300;
	let value = 1;
	let numerator = 1;
	let denominator = 0;
	for (let term = 1; term <= 1000; term++) {
		const d = betaTerm(term, x, a, b);
		denominator = 1 / nonZero(1 + d * denominator, tiny);
		numerator = nonZero(1 + d / numerator, tiny);
		const factor = numerator * denominator;
		value *= factor;
		if (Math.abs(factor - 1) < 1e-16) break;
	}
	return value;
}

function betaTerm(term: number, x: number, a: number, b: number): number {
	const m = Math.floor(term / 2);
	if (term % 2 === 0) return (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
	return (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
}

function nonZero(value: number, tiny: number): number {
	return Math.abs(value) < tiny ? tiny : value;
}

/** Returns ψ(x), the derivative of ln Γ, for x > 0; NaN else. Source: DLMF 5.11.2 after ψ(x) = ψ(x + 1) − 1/x. */
export function digamma(x: number): number {
	if (!(x > 0)) return Number.NaN;
	let shifted = x;
	let sum = 0;
	for (; shifted < FAR; shifted++) sum -= 1 / shifted;
	return sum + Math.log(shifted) - 1 / (2 * shifted) - powers(DIGAMMA, shifted);
}

/** Returns ψ′(x) for x > 0; NaN else. Source: DLMF 5.15.8 after ψ′(x) = ψ′(x + 1) + 1/x². */
export function trigamma(x: number): number {
	if (!(x > 0)) return Number.NaN;
	let shifted = x;
	let sum = 0;
	for (; shifted < FAR; shifted++) sum += 1 / shifted ** 2;
	return sum + 1 / shifted + 1 / (2 * shifted ** 2) + powers(TRIGAMMA, shifted) / shifted;
}

/** Returns the x in (0, most] with ψ′(x) = value, by bisection; `most` if ψ′(most) > value. */
export function trigammaInverse(value: number, most: number): number {
	if (!(value > trigamma(most))) return most;
	let low = 0;
	let high = most;
	for (;;) {
		const middle = (low + high) / 2;
		if (middle <= low || middle >= high) return high;
		if (trigamma(middle) > value) low = middle;
		else high = middle;
	}
}

/** c₁/x² + c₂/x⁴ + ... */
function powers(coefficients: readonly number[], x: number): number {
	return coefficients.reduceRight((sum, coefficient) => (sum + coefficient) / x ** 2, 0);
}
