import type { Bytes, Seconds } from './units.ts';

export interface Limits {
	/** CPUs of servers and generator; chosen automatically when absent. */
	readonly serverCpus?: readonly number[];
	readonly loadCpus?: readonly number[];
	/** A server whose processes together use more resident memory is killed; unlimited when absent. */
	readonly memoryLimit?: Bytes;
	/** Overrides each server's timeout. */
	readonly readyTimeoutSeconds?: Seconds;
}
