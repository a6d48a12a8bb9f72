import type { Fraction } from '../types/units.ts';

/** Returns a fraction as people read it, with a true minus sign: 0.05 → `5 %`, −0.0614 → `−6.1 %`. */
export function percent(fraction: Fraction, digits = 1): string {
	const rounded = Number((fraction * 100).toFixed(digits));
	return `${rounded < 0 ? '−' : ''}${Math.abs(rounded)} %`;
}

/** Returns a change with its sign always shown: 0.05 → `+5 %`. */
export function signedPercent(change: Fraction, digits = 1): string {
	const text = percent(change, digits);
	return text.startsWith('−') || /^0 /.test(text) ? text : `+${text}`;
}
