import { DRIVERS } from '../../types/driver.ts';
import { SERVER_STATES } from '../../types/measure.ts';
import { SHARD_STATES } from '../../types/shards.ts';
import * as part from '../format-schema-parts.ts';

/** JSON Schema of what the log and the result of a ranking have in common. */

const {
	COMMON_DEFS,
	COUNT,
	NUMBER,
	NUMBER_OR_NULL,
	SECONDS,
	TEXT,
	TEXT_OR_NULL,
	listOf,
	mapOf,
	objectOf,
	orNull,
	ref,
} = part;

/** By name of metric: a log of another release may know others. */
const BY_METRIC = mapOf(NUMBER_OR_NULL);

const WARMUP = objectOf({ requests: COUNT, leastSeconds: SECONDS, mostSeconds: SECONDS });

/** Number of a shard. */
const NUMBERED = { type: 'integer', minimum: 1 } as const;

export const MEASURE_DEFS = {
	tool: COMMON_DEFS.tool,
	warning: COMMON_DEFS.warning,
	environment: COMMON_DEFS.environment,
	ended: COMMON_DEFS.ended,
	latency: {
		...objectOf({
			mean: NUMBER,
			p2_5: NUMBER,
			p50: NUMBER,
			p75: NUMBER,
			p90: NUMBER,
			p95: NUMBER,
			p99: NUMBER,
			p99_9: NUMBER,
			max: NUMBER,
		}),
		description: 'latency of a server alone, milliseconds',
	},
	alone: {
		...objectOf({
			metrics: BY_METRIC,
			latency: orNull(ref('latency')),
			bytesPerSecond: NUMBER,
		}),
		description: 'figures of a server that nothing else was loaded beside, each metric in its unit',
	},
	scenario: objectOf({
		name: TEXT,
		description: TEXT,
		request: TEXT,
		load: objectOf({ connections: COUNT, pipelining: COUNT }),
		reference: { ...TEXT_OR_NULL, description: 'server that the others were measured beside' },
	}),
	timing: objectOf({
		firstWarmup: WARMUP,
		warmup: WARMUP,
		settleSeconds: SECONDS,
		windowSeconds: SECONDS,
		windows: COUNT,
		soloSeconds: SECONDS,
		soloRounds: COUNT,
	}),
	setup: objectOf(
		{
			reference: TEXT,
			scenarios: listOf(ref('scenario')),
			timing: ref('timing'),
			preset: TEXT_OR_NULL,
			driver: { enum: DRIVERS, description: 'what loaded the servers; benchgate when absent' },
		},
		['driver'],
	),
	server: objectOf({
		name: TEXT,
		description: TEXT,
		state: { enum: SERVER_STATES },
		reason: TEXT_OR_NULL,
		versions: mapOf(TEXT),
		direct: listOf(TEXT),
	}),
	unmeasured: objectOf({
		server: TEXT,
		scenario: TEXT,
		state: { enum: ['left-out', 'broken'] },
		reason: TEXT,
		side: part.SIDE_OR_NULL,
	}),
	rankingShard: {
		...objectOf({
			shard: NUMBERED,
			servers: { ...listOf(listOf(TEXT)), minItems: 1, description: 'of every shard' },
			planHash: TEXT,
			whole: { ...TEXT, description: 'command that measures everything on one machine' },
		}),
		description: 'which part of a ranking it is',
	},
	measuredShard: {
		...objectOf(
			{
				shard: NUMBERED,
				state: { enum: SHARD_STATES, description: 'what was measured before a shard was cut off counts' },
				servers: { ...listOf(TEXT), description: 'those it had to rank; the reference is measured by all' },
				startedAt: { ...TEXT, description: 'ISO 8601' },
				ended: ref('ended'),
				environment: ref('environment'),
				rounds: COUNT,
				seconds: SECONDS,
			},
			['startedAt', 'ended', 'environment', 'rounds', 'seconds'],
		),
		description: 'what one machine did for a gathered ranking',
	},
	sample: objectOf({
		server: TEXT,
		scenario: TEXT,
		reference: TEXT,
		round: COUNT,
		d: { ...BY_METRIC, description: 'log ratio server against reference; negative is worse' },
		alone: objectOf({ server: orNull(ref('alone')), reference: orNull(ref('alone')) }),
		guards: objectOf({
			generatorUtilisation: NUMBER_OR_NULL,
			serverUtilisation: NUMBER_OR_NULL,
			cpuShare: NUMBER_OR_NULL,
			busy: NUMBER_OR_NULL,
		}),
		faults: listOf(ref('warning')),
		seconds: SECONDS,
	}),
} as const;
