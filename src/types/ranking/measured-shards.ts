import type { Environment } from '../result.ts';
import type { EndReason } from '../round.ts';
import type { ShardState } from '../shards.ts';
import type { Seconds } from '../units.ts';

/** What the log of a shard says about itself: which part of a ranking it is. */
export interface RankingShard {
	/** From 1. */
	readonly shard: number;
	/** Servers of every shard, in the order of their numbers. */
	readonly servers: readonly (readonly string[])[];
	/** SHA-256 of all that is asked: the same in all shards of one ranking. */
	readonly planHash: string;
	/** Command that measures everything on one machine. */
	readonly whole: string;
}

/** What one machine did for a ranking that was gathered. */
export interface MeasuredShard {
	readonly shard: number;
	/** `cut-off`: it did not come to its end; what it measured by then counts. */
	readonly state: ShardState;
	/** Those it had to rank; the reference is measured by all. */
	readonly servers: readonly string[];
	/** ISO 8601. These are absent where it left nothing. */
	readonly startedAt?: string;
	readonly ended?: EndReason;
	readonly environment?: Environment;
	/** Most rounds of a row. */
	readonly rounds?: number;
	/** Of all rounds. */
	readonly seconds?: Seconds;
}
