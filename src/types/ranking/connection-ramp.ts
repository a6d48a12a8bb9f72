/** What a server answers with growing numbers of connections. */
export interface Ramp {
	readonly server: string;
	/** Without the number of connections. */
	readonly scenario: string;
	/** Ascending; requests per second alone, and latency p99 in milliseconds. */
	readonly steps: readonly { readonly connections: number; readonly throughput: number; readonly p99: number | null }[];
	/** Connections from which on more bring no more than 5 %; null when it was still rising at the last step. */
	readonly saturation: number | null;
}
