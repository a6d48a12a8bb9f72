/** Longest name (server, scenario, revision, package) a report shows, in characters. */
export const NAME_LIMIT = 60;
/** Longest foreign sentence a report shows, in characters. */
export const MESSAGE_LIMIT = 400;

const ZERO_WIDTH_SPACE = '\u200b';
/** Marks, overrides and isolates that reorder text around them. */
const BIDI = /\p{Bidi_Control}/gu;
/** Format characters, fillers, and variation selectors beyond the common ones: drawn as nothing. */
const INVISIBLE = /[\p{Cf}\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0]|[\u{e0100}-\u{e01ef}]/gu;
const UNPRINTABLE = /[\p{Cc}\p{Co}\p{Cn}]/gu;

/**
 * Returns foreign text as one harmless line of at most `limit` characters: line breaks and tabs become spaces, control,
 * bidirectional and unassigned characters become `�`, invisible ones go, stacked combining marks are thinned, and what
 * is too long ends in `…`.
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
 * Returns text for a terminal that nothing foreign in it can steer: control characters but line breaks and tabs become `�`, and so do
 * those that reorder text.
 */
export function terminalText(text: string): string {
	return text
		.replaceAll('\r\n', '\n')
		.replace(/[^\P{Cc}\n\t]/gu, '\ufffd')
		.replace(BIDI, '\ufffd');
}

/**
 * Returns Markdown that GitHub shows as exactly `text` (a line from `plainText`), up to zero-width spaces: no emphasis,
 * HTML, link, mention, issue reference, table border or formula comes out of it. For use inside a line, not at its start.
 */
export function escapeMarkdown(text: string): string {
	return breakReferences(text)
		.replace(/[\\`*_[\]~|]/g, '\\$&')
		.replaceAll('&', '&amp;')
		.replaceAll('<', '&lt;')
		.replaceAll('>', '&gt;')
		.replaceAll('$', '&#36;');
}

/** Returns Markdown that shows `text` (a line from `plainText`) in code style, inside and outside tables. */
export function codeMarkdown(text: string): string {
	if (text === '') return '–';
	if (!/[`|\\]|^ | $/.test(text)) return `\`${text}\``;
	const encoded = breakReferences(text).replace(/[!-/:-@[-`{-~]/g, (char) => `&#${char.charCodeAt(0)};`);
	return `<code>${encoded}</code>`;
}

/** Returns `text` safe between HTML tags and inside quoted attributes. */
export function escapeHtml(text: string): string {
	return text
		.replaceAll('&', '&amp;')
		.replaceAll('<', '&lt;')
		.replaceAll('>', '&gt;')
		.replaceAll('"', '&quot;')
		.replaceAll("'", '&#39;');
}

/** Returns JSON that can stand inside an HTML script element: nothing in it can end the element or open a comment. */
export function jsonForScript(value: unknown): string {
	return JSON.stringify(value)
		.replaceAll('<', '\\u003c')
		.replaceAll('>', '\\u003e')
		.replaceAll('&', '\\u0026')
		.replaceAll('\u2028', '\\u2028')
		.replaceAll('\u2029', '\\u2029');
}

/**
 * Escaping cannot stop links GitHub makes from plain text (mentions, `#1`, `GH-1`, addresses, commits of seven digits and more): it
 * looks after unescaping.
 */
function breakReferences(text: string): string {
	return text
		.replace(/[@#]/g, `$&${ZERO_WIDTH_SPACE}`)
		.replace(/:(?=\/)/g, `:${ZERO_WIDTH_SPACE}`)
		.replace(/(?<=www)\./gi, `${ZERO_WIDTH_SPACE}.`)
		.replace(/(?<=gh)-(?=\d)/gi, `${ZERO_WIDTH_SPACE}-`)
		.replace(/\b(?=\d*[a-f])[0-9a-f]{7,40}\b/gi, (sha) => sha.replace(/.{6}(?=.)/g, `$&${ZERO_WIDTH_SPACE}`));
}
