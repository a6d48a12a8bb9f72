import type { Results } from './results.ts';

const DIGITS = 6;

/** Returns the results as JSON ending in a line feed; fractions keep six digits, so that files stay comparable. */
export function renderResults(results: Results): string {
	return `${JSON.stringify(results, (_, value) => (typeof value === 'number' ? shorten(value) : value), '\t')}\n`;
}

function shorten(value: number): number {
	return Number.isInteger(value) ? value : Number(value.toPrecision(DIGITS));
}
