/** Character codes and string ends, for scanning hostile JSON before parsing. */
export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const OPENING_LIST = 0x5b;
export const CLOSING_LIST = 0x5d;
export const OPENING_OBJECT = 0x7b;
export const CLOSING_OBJECT = 0x7d;
const BACKSLASH = 0x5c;

/** Returns the index of the quote that closes the string at `start`; the text's length if none. */
export function endOfText(text: string, start: number): number {
	for (let at = start + 1; at < text.length; at++) {
		const code = text.charCodeAt(at);
		if (code === BACKSLASH) at++;
		else if (code === QUOTE) return at;
	}
	return text.length;
}
