/** One field; null is empty. */
export type CsvValue = string | number | null;

/**
 * Returns a line of CSV (RFC 4180, except that it ends in a line feed). Numbers keep every digit. Text cannot become a
 * spreadsheet formula or break a line.
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
 * Matches where a spreadsheet would begin a formula, even after invisible characters. A semicolon separates fields in
 * locales with decimal commas.
 */
const FORMULA = /(^|;)(?=[\s\p{Cf}"']*[=+\-@＝＋－＠])/gu;

function disarm(text: string): string {
	return text.toWellFormed().replace(LINE_BREAKING, ' ').replace(FORMULA, "$1'");
}
