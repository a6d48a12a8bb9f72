import type { Fraction, Seconds } from '../types/units.ts';
import type { Interval } from '../types/verdict.ts';

/** For baselines and rankings. */
export const INTERVAL_95 = '95 % interval';
export const NONE = '–';
/** In place of an interval. */
export const UNKNOWN = 'unknown';
const MINUS = '−';
/** Of one end to the other: rounds that allow both show nothing. */
const WIDEST = 100;

/** Formats a change: `−6.1 %`, `+250 %`, `0.0 %`; `–` for null. */
export function formatChange(change: Fraction | null): string {
	return change === null ? NONE : `${signedPercent(change)} %`;
}

/** Formats an end of a scale in whole percent: `−15 %`. */
export function formatScaleEnd(change: Fraction): string {
	return `${change < 0 ? MINUS : '+'}${Math.abs(change * 100).toFixed(0)} %`;
}

/** Formats an interval in percent: `[−8.2 … −3.9]`; unbounded ends are `−∞` and `+∞`; `unknown` if too wide; `–` for null. */
export function formatInterval(interval: Pick<Interval, 'low' | 'high'> | null): string {
	if (interval === null) return NONE;
	if (isTooWide(interval)) return UNKNOWN;
	const low = interval.low === null ? `${MINUS}∞` : signedPercent(interval.low);
	const high = interval.high === null ? '+∞' : signedPercent(interval.high);
	return `[${low} … ${high}]`;
}

/** Formats an interval for a sentence: `−8.2 % to −3.9 %`. */
export function formatRange(interval: Pick<Interval, 'low' | 'high'> | null): string {
	if (interval === null) return NONE;
	if (isTooWide(interval)) return UNKNOWN;
	const low = interval.low === null ? `${MINUS}∞` : formatChange(interval.low);
	return `${low} to ${interval.high === null ? '+∞' : formatChange(interval.high)}`;
}

function isTooWide({ low, high }: Pick<Interval, 'low' | 'high'>): boolean {
	return low !== null && high !== null && 1 + high > WIDEST * (1 + low);
}

/** Formats a share: `5 %`, `2.5 %`, `0.42 %`, signed only if negative; `–` for null. */
export function formatPercent(fraction: Fraction | null, digits = Math.abs(fraction ?? 0) < 0.01 ? 2 : 1): string {
	if (fraction === null) return NONE;
	const text = trimZeros(Math.abs(fraction * 100).toFixed(digits));
	return `${fraction < 0 && text !== '0' ? MINUS : ''}${text} %`;
}

/** Formats a change for a sentence: 0.05 → `+5 %`. */
export function formatSignedPercent(change: Fraction): string {
	const text = formatPercent(change, 1);
	return text.startsWith(MINUS) || text === '0 %' ? text : `+${text}`;
}

/** Largest half interval, as a part of the share. */
const WIDEST_SHARE = 0.25;

/** For shares less certain than ±25 %. */
export const TOO_NOISY = 'too noisy';

/** Formats a share with its interval: `42 % [40 … 44]`, `too noisy`, `–` for null. */
export function formatShare(
	share: { readonly value: number; readonly low: number; readonly high: number } | null,
): string {
	if (share === null) return NONE;
	if ((share.high - share.low) / 2 > WIDEST_SHARE * share.value) return TOO_NOISY;
	const [low, high] = [share.low, share.high].map((end) => (100 * end).toFixed(0));
	return `${(100 * share.value).toFixed(0)} % [${low} … ${high}]`;
}

/** Formats a count: `12,345`. */
export function formatCount(count: number): string {
	return groupThousands(count.toFixed(0));
}

/** Formats the length of a window: `50 ms`, `0.5 s`. */
export function formatWindow(seconds: Seconds): string {
	return seconds < 0.1 ? `${Math.round(seconds * 1000)} ms` : formatDuration(seconds);
}

/** Formats a duration: `9.4 s`, `58 s`, `4 min 12 s`, `1 h 3 min`. */
export function formatDuration(seconds: Seconds): string {
	if (seconds < 9.95) return `${trimZeros(seconds.toFixed(1))} s`;
	const whole = Math.round(seconds);
	if (whole < 60) return `${whole} s`;
	const minutes = whole < 3600 ? Math.floor(whole / 60) : Math.round(whole / 60);
	if (whole < 3600) return whole % 60 === 0 ? `${minutes} min` : `${minutes} min ${whole % 60} s`;
	return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Formats an ISO 8601 time in UTC: `2026-11-21 09:30 UTC`; `date unknown` if malformed. */
export function formatMoment(moment: string): string {
	return /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(moment)
		? `${moment.slice(0, 10)} ${moment.slice(11, 16)} UTC`
		: 'date unknown';
}

export interface FigurePair {
	readonly base: string;
	readonly head: string;
	readonly unit: string;
}

/** Formats both with one unit and equally many decimals. */
export function formatPair(base: number | null, head: number | null, unit: string): FigurePair {
	const largest = Math.max(Math.abs(base ?? 0), Math.abs(head ?? 0));
	const scale = chooseScale(largest, unit);
	const decimals = chooseDecimals(largest * scale.factor);
	const format = (value: number | null): string =>
		value === null || !Number.isFinite(value) ? NONE : groupThousands((value * scale.factor).toFixed(decimals));
	return { base: format(base), head: format(head), unit: scale.unit };
}

/** Formats both ranges with two digits and one unit: `26,000–66,000`. */
export function formatRanges(
	base: readonly [number, number],
	head: readonly [number, number],
	unit: string,
): FigurePair {
	const scale = chooseScale(Math.max(...base, ...head), unit);
	const format = (value: number): string => {
		const rounded = Number((value * scale.factor).toPrecision(2));
		return groupThousands(rounded.toFixed(rounded < 1 ? 2 : rounded < 10 ? 1 : 0));
	};
	const range = (ends: readonly [number, number]): string => ends.map(format).join('–');
	return { base: range(base), head: range(head), unit: scale.unit };
}

export function formatMicroseconds(value: number): string {
	return `${microsecondDigits(value)} µs`;
}

/** `+3.1 µs [2.6 … 3.6]`. */
export function formatCostChange(change: number, low: number | null, high: number | null): string {
	const sign = (value: number) => (value < 0 && Number(microsecondDigits(value)) !== 0 ? MINUS : '');
	const end = (value: number | null, infinite: string) =>
		value === null ? infinite : `${sign(value)}${microsecondDigits(value)}`;
	const mark = change > 0 ? '+' : sign(change);
	return `${mark}${formatMicroseconds(change)} [${end(low, `${MINUS}∞`)} … ${end(high, '+∞')}]`;
}

function microsecondDigits(value: number): string {
	const size = Math.abs(value);
	return groupThousands(size.toFixed(size >= 100 ? 0 : size >= 1 ? 1 : 2));
}

export function superscript(number: number): string {
	return String(number).replace(/\d/g, (digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)] ?? digit);
}

/** Returns `1 cell`, `12 cells`. */
export function countOf(count: number, noun: string): string {
	return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

function signedPercent(fraction: Fraction): string {
	const percent = fraction * 100;
	if (!Number.isFinite(percent)) return percent > 0 ? '+∞' : percent < 0 ? `${MINUS}∞` : NONE;
	const digits = Math.abs(percent).toFixed(Math.abs(percent) < 99.95 ? 1 : 0);
	if (Number(digits) === 0) return digits;
	return `${percent < 0 ? MINUS : '+'}${groupThousands(digits)}`;
}

function chooseScale(largest: number, unit: string): { readonly unit: string; readonly factor: number } {
	if (unit === 'µs' && largest >= 1e6) return { unit: 's', factor: 1e-6 };
	if (unit === 'µs' && largest >= 1000) return { unit: 'ms', factor: 1e-3 };
	if (unit === 'ms' && largest >= 1000) return { unit: 's', factor: 1e-3 };
	if (unit === 'ms' && largest > 0 && largest < 0.1) return { unit: 'µs', factor: 1000 };
	if (unit === 'MB' && largest >= 1000) return { unit: 'GB', factor: 1e-3 };
	return { unit, factor: 1 };
}

function chooseDecimals(largest: number): number {
	if (largest >= 100) return 0;
	return largest >= 10 ? 1 : 2;
}

function groupThousands(digits: string): string {
	const [whole = '', fraction] = digits.split('.');
	const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',').replace('-', MINUS);
	return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

function trimZeros(digits: string): string {
	return digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits;
}

/** Whether a decimal number stays the same as a JavaScript number, unlike `197038439483310086`. */
export function isExactNumber(source: string): boolean {
	const [written, kept] = [significantOf(source), significantOf(String(Number(source)))];
	return written !== null && written === kept;
}

/**
 * Returns an object that JSON.stringify writes as `text`, a JSON number. Throws a SyntaxError if it is malformed. V8
 * has the function since Node 21: https://github.com/tc39/proposal-json-parse-with-source.
 */
export function rawJson(text: string): unknown {
	return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(text);
}

/** Significant digits and power of ten. */
function significantOf(decimal: string): string | null {
	const [, whole, fraction = '', exponent = '0'] = /^[-+]?(\d*)\.?(\d*)(?:e([-+]?\d+))?$/i.exec(decimal) ?? [];
	if (whole === undefined || whole + fraction === '') return null;
	const digits = (whole + fraction).replace(/^0+/, '');
	const significant = digits.replace(/(?<!0)0+$/, '');
	return significant === ''
		? '0'
		: `${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}
