/** A word as it is typed into a shell. */

/** Nothing a shell reads as more than text; ^ and ~ mean something only where a word begins. */
const PLAIN = /^[\w@%+=:,./-][\w@%+=:,./^~-]*$/;

/** Returns `word` as it is typed into a POSIX shell: as it is, or in single quotes where it needs them. */
export function shellWord(word: string): string {
	return PLAIN.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** A command of ours in which a shell finds nothing but words. */
const PLAIN_COMMAND = /^npx benchgate [a-z]+ [\w ./:@=,%+~^-]*$/;

/** Returns whether a command that somebody else wrote can be shown to be copied: it is ours, and a shell does nothing else for it. */
export function isPlainCommand(command: string): boolean {
	return PLAIN_COMMAND.test(command);
}
