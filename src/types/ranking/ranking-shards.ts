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

/** Identity of a shard's log. */
export type RankingShard = Infer<typeof RANKING_SHARD>;
export const RANKING_SHARD = define(
	'rankingShard',
	described(
		objectOf({
			shard: ORDINAL,
			/** Indexed by shard number. */
			servers: described(limited(listOf(listOf(TEXT)), { minItems: 1 }), 'of every shard'),
			/** SHA-256 of the request. All shards of a ranking have the same. */
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
			/** This and the following fields are absent if nothing was recorded. */
			startedAt: optional(described(TEXT, 'ISO 8601')),
			ended: optional(ref(ENDED)),
			environment: optional(ref(ENVIRONMENT)),
			/** Rounds of the row with the most. */
			rounds: optional(COUNT),
			/** All rounds. */
			seconds: optional(SECONDS),
		}),
		'what one machine did for a gathered ranking',
	),
);
