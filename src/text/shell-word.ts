/** Matches words without need for quotes; ^ and ~ are special only at the start of a word. */
const PLAIN = /^[\w@%+=:,./-][\w@%+=:,./^~-]*$/;

/** Returns `word`, in single quotes if necessary. */
export function shellWord(word: string): string {
	return PLAIN.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
