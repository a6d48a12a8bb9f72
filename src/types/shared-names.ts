/** Names and limits that also the command line's help needs. They import nothing, so that help loads no definition of a file. */

/** The ranking's default reference, and the server whose figures baselines are compared with: Node's HTTP server without a framework. */
export const REFERENCE_SERVER = 'node-http';

/** Default place of baselines: a branch beside the code. */
export const DEFAULT_STORE = 'branch:benchgate';

/** File in the artifact with all that a later job publishes. */
export const PUBLICATION_FILE = 'publication.json';

/** Most jobs of a matrix on GitHub. */
export const MOST_SHARDS = 256;
