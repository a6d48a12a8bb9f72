/** Regular expressions of names that one module writes and another reads. */

/** Also matches hashes of SHA-256 repositories. */
export const FULL_HASH = '(?:[0-9a-f]{40}|[0-9a-f]{64})';

/** Name of a server or scenario. */
export const NAME = '[A-Za-z0-9][A-Za-z0-9._-]{0,63}';

/** Distinguishes several comments of one pull request. */
export const COMMENT_KEY = '[A-Za-z0-9._-]{1,64}';

const WHOLE_HASH = new RegExp(`^${FULL_HASH}$`);

export function isFullHash(text: string): boolean {
	return WHOLE_HASH.test(text);
}
