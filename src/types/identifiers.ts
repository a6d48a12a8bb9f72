/** Forms of names on which those who write them and those who read them have to agree, as parts of regular expressions. */

/** The full hash of a commit, also of a repository that uses SHA-256. */
export const FULL_HASH = '(?:[0-9a-f]{40}|[0-9a-f]{64})';

/** A server or a scenario. */
export const NAME = '[A-Za-z0-9][A-Za-z0-9._-]{0,63}';

/** What tells several comments of one pull request apart. */
export const COMMENT_KEY = '[A-Za-z0-9._-]{1,64}';

const WHOLE_HASH = new RegExp(`^${FULL_HASH}$`);

/** Returns whether a text is the full hash of a commit. */
export function isFullHash(text: string): boolean {
	return WHOLE_HASH.test(text);
}
