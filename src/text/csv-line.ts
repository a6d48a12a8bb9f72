/** What stands in one place of a table; null is an empty one. */
export type CsvValue = string | number | null;

/**
 * Returns a line of CSV (RFC 4180, but it ends in a line feed). Numbers keep every digit. Texts are kept from being read as
 * formulas by a spreadsheet, and from breaking a line.
 */
export function csvLine(values: readonly CsvValue[]): string {
	return `${values.map(write).join(',')}\n`;
}

function write(value: CsvValue): string {
	if (value === null) return '';
	if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
	const text = disarm(value);
	return /[",;']|^\s|\s$/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const LINE_BREAKING = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
/**
 * Where a spreadsheet would begin a formula, whatever invisible stands before it. A semicolon begins a field where the
 * spreadsheet's language has commas in numbers.
 */
const FORMULA = /(^|;)(?=[\s\p{Cf}"']*[=+\-@＝＋－＠])/gu;

/** Returns text in one line that a spreadsheet takes for text: an apostrophe stands where a formula would begin. */
function disarm(text: string): string {
	return text.toWellFormed().replace(LINE_BREAKING, ' ').replace(FORMULA, "$1'");
}
