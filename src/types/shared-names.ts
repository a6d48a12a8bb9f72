/** Names and limits that `--help` also needs. No imports: help loads no file definitions. */

/** Default reference of rankings and baselines: Node's own HTTP server, without a framework. */
export const REFERENCE_SERVER = 'node-http';

/** A branch of the measured repository. */
export const DEFAULT_STORE = 'branch:benchgate';

/** File of the artifact that a later job publishes. */
export const PUBLICATION_FILE = 'publication.json';

/** GitHub's limit of matrix jobs. */
export const MOST_SHARDS = 256;
