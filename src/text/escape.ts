/** In characters. */
export const NAME_LIMIT = 60;
/** In characters. */
export const MESSAGE_LIMIT = 400;

const ZERO_WIDTH_SPACE = '\u200b';
/** Characters that reorder text around them. */
const BIDI = /\p{Bidi_Control}/gu;
/** Characters not drawn: format characters, fillers, and uncommon variation selectors. */
const INVISIBLE = /[\p{Cf}\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0]|[\u{e0100}-\u{e01ef}]/gu;
const UNPRINTABLE = /[\p{Cc}\p{Co}\p{Cn}]/gu;

/**
 * Returns foreign text as one harmless line of at most `limit` characters. Line breaks and tabs become spaces; control,
 * bidirectional and unassigned characters `�`; invisible ones are dropped; stacked combining marks thinned; longer text
 * ends in `…`.
 */
export function plainText(text: string, limit: number): string {
	const line = text
		.slice(0, limit * 40)
		.toWellFormed()
		.replace(/[\s\p{Zl}\p{Zp}]+/gu, ' ')
		.replace(BIDI, '\ufffd')
		.replace(INVISIBLE, '')
		.replace(UNPRINTABLE, '\ufffd')
		.replace(/(\p{M}{2})\p{M}+/gu, '$1')
		.trim();
	const characters = [...line];
	if (characters.length <= limit && text.length <= limit * 40) return line;
	return `${characters
		.slice(0, limit - 1)
		.join('')
		.trimEnd()}…`;
}

/**
 * Breaks workflow commands: GitHub's runner obeys `::name::` at the start of a line and `##[name]` anywhere. A server's
 * log could set masks or annotations.
 */
export function breakCommands(text: string): string {
	return text.replace(/^([\s\u0085]*):(?=:)/gm, '$1:\u200b').replaceAll('##[', '#\u200b#[');
}

/**
 * Returns text whose foreign parts cannot control a terminal: control characters other than line breaks and tabs, and
 * bidirectional ones, become `�`.
 */
export function terminalText(text: string): string {
	return text
		.replaceAll('\r\n', '\n')
		.replace(/[^\P{Cc}\n\t]/gu, '\ufffd')
		.replace(BIDI, '\ufffd');
}

/**
 * Returns Markdown that GitHub shows as exactly `text` (a line from `plainText`), apart from zero-width spaces: no
 * emphasis, HTML, link, mention, issue reference, table border or formula. Must not start a line.
 */
export function escapeMarkdown(text: string): string {
	return breakReferences(text)
		.replace(/[\\`*_[\]~|]/g, '\\$&')
		.replaceAll('&', '&amp;')
		.replaceAll('<', '&lt;')
		.replaceAll('>', '&gt;')
		.replaceAll('$', '&#36;');
}

/** Returns `text` (a line from `plainText`) as code in Markdown, inside and outside tables. */
export function codeMarkdown(text: string): string {
	if (text === '') return '–';
	if (!/[`|\\]|^ | $/.test(text)) return `\`${text}\``;
	const encoded = breakReferences(text).replace(/[!-/:-@[-`{-~]/g, (char) => `&#${char.charCodeAt(0)};`);
	return `<code>${encoded}</code>`;
}

/** Escapes `text` for HTML content and quoted attributes. */
export function escapeHtml(text: string): string {
	return text
		.replaceAll('&', '&amp;')
		.replaceAll('<', '&lt;')
		.replaceAll('>', '&gt;')
		.replaceAll('"', '&quot;')
		.replaceAll("'", '&#39;');
}

/** Returns JSON for an HTML script element: it cannot end the element or open a comment. */
export function jsonForScript(value: unknown): string {
	return JSON.stringify(value)
		.replaceAll('<', '\\u003c')
		.replaceAll('>', '\\u003e')
		.replaceAll('&', '\\u0026')
		.replaceAll('\u2028', '\\u2028')
		.replaceAll('\u2029', '\\u2029');
}

/**
 * Escapes cannot prevent that GitHub links mentions, `#1`, `GH-1`, addresses, and commits of seven or more digits,
 * because it looks for them after unescaping.
 */
function breakReferences(text: string): string {
	return text
		.replace(/[@#]/g, `$&${ZERO_WIDTH_SPACE}`)
		.replace(/:(?=\/)/g, `:${ZERO_WIDTH_SPACE}`)
		.replace(/(?<=www)\./gi, `${ZERO_WIDTH_SPACE}.`)
		.replace(/(?<=gh)-(?=\d)/gi, `${ZERO_WIDTH_SPACE}-`)
		.replace(/\b(?=\d*[a-f])[0-9a-f]{7,40}\b/gi, (sha) => sha.replace(/.{6}(?=.)/g, `$&${ZERO_WIDTH_SPACE}`));
}

/** Matches only web addresses without characters that end a Markdown link early. */
const SAFE_URL = /^https?:\/\/[\w.:-]+(?:\/[\w.~%-]+)*\/?(?:#[\w.~%,/-]*)?$/;

/** Whether Markdown and HTML may link to an address. */
export function isSafeUrl(url: string): boolean {
	return SAFE_URL.test(url);
}

/** One field; null is empty. */
export type CsvValue = string | number | null;

/**
 * Returns a line of CSV (RFC 4180, except that it ends in a line feed). Numbers keep every digit. Text cannot become a
 * spreadsheet formula or break a line.
 */
export function csvLine(values: readonly CsvValue[]): string {
	return `${values.map(writeField).join(',')}\n`;
}

function writeField(value: CsvValue): string {
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

/** Matches words without need for quotes; ^ and ~ are special only at the start of a word. */
const PLAIN_WORD = /^[\w@%+=:,./-][\w@%+=:,./^~-]*$/;

/** Returns `word`, in single quotes if necessary. */
export function shellWord(word: string): string {
	return PLAIN_WORD.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
