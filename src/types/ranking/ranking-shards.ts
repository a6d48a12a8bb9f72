import { ENVIRONMENT } from '../result.ts';
import { ENDED } from '../round.ts';
import {
	COUNT,
	define,
	described,
	type Infer,
	limited,
	listOf,
	ORDINAL,
	objectOf,
	optional,
	ref,
	SECONDS,
	TEXT,
} from '../schema.ts';
import { SHARD_STATE } from '../shards.ts';

/** What the log of a shard says about itself. */
export type RankingShard = Infer<typeof RANKING_SHARD>;
export const RANKING_SHARD = define(
	'rankingShard',
	described(
		objectOf({
			shard: ORDINAL,
			/** In the order of their numbers. */
			servers: described(limited(listOf(listOf(TEXT)), { minItems: 1 }), 'of every shard'),
			/** SHA-256 of all that is asked: the same in all shards of one ranking. */
			planHash: TEXT,
			whole: described(TEXT, 'command that measures everything on one machine'),
		}),
		'which part of a ranking it is',
	),
);

export type RankedShard = Infer<typeof RANKED_SHARD>;
export const RANKED_SHARD = define(
	'measuredShard',
	described(
		objectOf({
			shard: ORDINAL,
			state: described(SHARD_STATE, 'what was measured before a shard was cut off counts'),
			servers: described(listOf(TEXT), 'those it had to rank; the reference is measured by all'),
			/** This and all that follows is absent where it left nothing. */
			startedAt: optional(described(TEXT, 'ISO 8601')),
			ended: optional(ref(ENDED)),
			environment: optional(ref(ENVIRONMENT)),
			/** Most rounds of a row. */
			rounds: optional(COUNT),
			/** Of all rounds. */
			seconds: optional(SECONDS),
		}),
		'what one machine did for a gathered ranking',
	),
);
