import type { Bytes, Fraction } from '../units.ts';

/** What a server answers with growing numbers of worker processes. */
export interface Scaling {
	readonly server: string;
	/** Ascending by `workers`; requests per second alone. */
	readonly steps: readonly ScalingStep[];
}

export interface ScalingStep {
	readonly workers: number;
	readonly throughput: number;
	/** Times the throughput of one worker, and that over the number of workers; null without it, and where it means nothing. */
	readonly speedUp: number | null;
	readonly efficiency: Fraction | null;
	/** More workers than CPUs for them. */
	readonly oversubscribed: boolean;
	/** The load generator was at its limit: more was not to be seen. */
	readonly generatorBound: boolean;
	/** CPU time over wall time, of all workers, and of the one that used least and most; null where nobody can tell. */
	readonly cpus: { readonly sum: number; readonly least: number; readonly most: number } | null;
	/** Resident memory, of all workers and of the largest; null where nobody can tell. */
	readonly memory: { readonly sum: Bytes; readonly most: Bytes } | null;
}
