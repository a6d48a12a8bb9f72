/** Names, limits and patterns of names that several stages share. No imports: help loads no file definitions. */

/** Default reference of rankings and baselines: Node's own HTTP server, without a framework. */
export const REFERENCE_SERVER = 'node-http';

/** A branch of the measured repository. */
export const DEFAULT_STORE = 'branch:benchgate';

/** File of the artifact that a later job publishes. */
export const PUBLICATION_FILE = 'publication.json';

/** GitHub's limit of matrix jobs. */
export const MOST_SHARDS = 256;

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
