/** A word as it is typed into a shell. */

/** Nothing a shell reads as more than text; ^ and ~ mean something only where a word begins. */
const PLAIN = /^[\w@%+=:,./-][\w@%+=:,./^~-]*$/;

/** Returns `word` as it is typed into a POSIX shell: as it is, or in single quotes where it needs them. */
export function shellWord(word: string): string {
	return PLAIN.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
