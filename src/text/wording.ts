import type { Fraction } from '../types/units.ts';
import { formatPercent } from './numbers.ts';

/** Returns a fraction as people read it, with a true minus sign: 0.05 → `5 %`, −0.0614 → `−6.1 %`. */
export function percent(fraction: Fraction, digits = 1): string {
	return formatPercent(fraction, digits);
}

/** Returns a change with its sign always shown: 0.05 → `+5 %`. */
export function signedPercent(change: Fraction, digits = 1): string {
	const text = percent(change, digits);
	return text.startsWith('−') || text === '0 %' ? text : `+${text}`;
}
