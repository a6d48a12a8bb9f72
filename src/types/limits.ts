import type { Bytes, Seconds } from './units.ts';

/** Machine resources of servers and load. */
export interface Limits {
	/** CPUs of servers and generator; chosen automatically when absent. */
	readonly serverCpus?: readonly number[];
	readonly loadCpus?: readonly number[];
	/** A server with more resident memory over all its processes is killed; unlimited when absent. */
	readonly memoryLimit?: Bytes;
	/** Overrides each server's timeout. */
	readonly readyTimeoutSeconds?: Seconds;
}
