import { NONE } from '../../src/text/numbers.ts';
import type { Fraction, Seconds } from '../../src/types/units.ts';
import type { Mean, Share } from '../results.ts';

const MINUS = '−';

/** Returns a share with its interval in percent, e.g. `3.1 % [1.0 … 7.1]`; `–` for a share of 0 trials. */
export function shareText({ count, of, low, high }: Share): string {
	return of === 0 ? NONE : `${percent(count / of)} % [${percent(low)} … ${percent(high)}]`;
}

/** Returns a share as a count, e.g. `3 of 96`. */
export function countText({ count, of }: Share): string {
	return `${count} of ${of}`;
}

/** Returns a mean of log ratios with its interval, times 100 and signed: `−4.87 [−5.20 … −4.54]`; `–` for null. */
export function logText(mean: Mean | null): string {
	return mean === null ? NONE : meanText(mean, 100);
}

/** Returns a mean with its interval, signed, times `factor`. Unknown intervals are left out. */
export function meanText({ value, low, high }: Mean, factor = 1): string {
	const middle = signed(value * factor);
	return low === null || high === null ? middle : `${middle} [${signed(low * factor)} … ${signed(high * factor)}]`;
}

/** Returns a signed number with `digits` decimals and a true minus; `–` for NaN. */
export function signed(value: number, digits = 2): string {
	if (!Number.isFinite(value)) return NONE;
	const text = Math.abs(value).toFixed(digits);
	if (Number(text) === 0) return text;
	return `${value < 0 ? MINUS : '+'}${text}`;
}

/** Returns a number with `digits` decimals and a true minus; `–` for NaN. */
export function plain(value: number, digits = 2): string {
	return signed(value, digits).replace('+', '');
}

/** Returns a fraction in percent with two decimals, without a percent sign: columns name the unit. */
export function percent2(fraction: Fraction): string {
	return plain(fraction * 100);
}

/** Returns minutes with one decimal, two below one minute. */
export function minutes(seconds: Seconds): string {
	return plain(seconds / 60, seconds < 59.7 ? 2 : 1);
}

/** Returns a drop as a label: `5 %`. */
export function dropText(drop: Fraction): string {
	return `${Number((drop * 100).toFixed(1))} %`;
}

/** Percent with one decimal, without decimals for 0 and 100. */
function percent(fraction: Fraction): string {
	const value = fraction * 100;
	if (!Number.isFinite(value)) return NONE;
	return value === 0 || value >= 99.95 ? value.toFixed(0) : value.toFixed(1);
}
