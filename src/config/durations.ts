import ms, { type StringValue } from 'ms';
import type { Fraction, Seconds } from '../types/units.ts';

/** Above zero, down to a millisecond. */
export const DURATION_PATTERN = '^(?=.*[1-9])(\\d{1,6}(\\.\\d{1,3})?(s|m|h)|\\d{1,9}ms)$';
export const DURATION_FORM = 'a duration in ms, s, m or h, e.g. 90s or 10m';
/** Above 0% and below 100%. */
export const PERCENTAGE_PATTERN = '^(?=.*[1-9])\\d{1,2}(\\.\\d{1,6})?%$';
export const PERCENTAGE_FORM = 'a percentage above 0% and below 100%, e.g. 5%';

const DURATION = new RegExp(DURATION_PATTERN);
const PERCENTAGE = new RegExp(PERCENTAGE_PATTERN);

/** Parses `90s`, `10m`, `500ms` or `1h` to the millisecond; undefined for other forms. */
export function parseDuration(text: string): Seconds | undefined {
	return DURATION.test(text) ? Math.round(ms(text as StringValue)) / 1000 : undefined;
}

/** Returns the shortest exact form, to the millisecond: `1h`, `10m`, `90s`, `500ms`. */
export function writeDuration(seconds: Seconds): string {
	const milliseconds = Math.round(seconds * 1000);
	if (milliseconds < 1000) return `${milliseconds}ms`;
	if (milliseconds % 3_600_000 === 0) return `${milliseconds / 3_600_000}h`;
	if (milliseconds % 60_000 === 0) return `${milliseconds / 60_000}m`;
	// A duration too long for seconds was a fraction of a larger unit.
	const texts = [`${milliseconds / 1000}s`, `${milliseconds / 60_000}m`, `${milliseconds / 3_600_000}h`];
	return texts.find((text) => parseDuration(text) === milliseconds / 1000) ?? `${milliseconds / 1000}s`;
}

/** Parses `5%` to 0.05; undefined for other forms and outside (0%, 100%). */
export function parsePercentage(text: string): Fraction | undefined {
	// A decimal exponent rounds once, a division by 100 twice (2.3% must be 0.023).
	return PERCENTAGE.test(text) ? Number(`${text.slice(0, -1)}e-2`) : undefined;
}

/** A rise: `+0` or `+5%`. */
const RISE_PATTERN = '^\\+(0%?|\\d{1,4}(\\.\\d{1,6})?%)$';
const RISE = new RegExp(RISE_PATTERN);
export const LIMIT_PATTERN = `${PERCENTAGE_PATTERN}|${RISE_PATTERN}`;

/** Parses the limit of a count, `+5%`, to 0.05; undefined for other forms. YAML reads `+0` as a number. */
export function parseRise(limit: unknown): Fraction | undefined {
	if (limit === 0 || limit === '+0') return 0;
	return typeof limit === 'string' && RISE.test(limit) ? Number(`${limit.slice(1, -1)}e-2`) : undefined;
}

export function writePercentage(fraction: Fraction): string {
	return `${Number((fraction * 100).toFixed(6))}%`;
}
