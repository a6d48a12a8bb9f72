/**
 * Node's own HTTP server without any framework, as close to the machine as a server of this kind gets: what absolute figures of
 * baselines are shown as a share of, and with which a ranking compares others by default.
 */
export const REFERENCE_SERVER = 'node-http';
