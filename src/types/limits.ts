import type { Bytes, Seconds } from './units.ts';

/** What of the machine servers and load get. */
export interface Limits {
	/** CPUs the servers are held on, and those of the load generator; chosen by benchgate when absent. */
	readonly serverCpus?: readonly number[];
	readonly loadCpus?: readonly number[];
	/** A server whose processes use more resident memory together is killed; no limit when absent. */
	readonly memoryLimit?: Bytes;
	/** How long any server may take to be ready; what it says itself when absent. */
	readonly readyTimeoutSeconds?: Seconds;
}
