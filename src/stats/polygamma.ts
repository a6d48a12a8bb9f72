/** Derivatives of ln Γ. */
/** Below it the recurrences move x up, because the series are good to full precision only from there on. */
const FAR = 12;
/** B₂ₖ / 2k: coefficients of 1/x²ᵏ in the series of ψ. */
const DIGAMMA = [1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132, -691 / 32760] as const;
/** B₂ₖ: coefficients of 1/x²ᵏ⁺¹ in the series of ψ′. */
const TRIGAMMA = [1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730] as const;

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

/** Returns the x in (0, most] with ψ′(x) = value, and `most` where ψ′ is larger than `value` all the way. By bisection. */
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
