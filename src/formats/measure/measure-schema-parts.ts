/** JSON Schema of what the log and the result of a ranking have in common. */

import { LOAD } from '../../types/config.ts';
import { TIMING } from '../../types/plan.ts';
import { DRIVERS } from '../../types/ranking/driver.ts';
import { SERVER_STATES } from '../../types/ranking/measure.ts';
import { SHARD_STATES } from '../../types/shards.ts';
import * as part from '../format-schema-parts.ts';

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

/** Number of a shard. */
const NUMBERED = { type: 'integer', minimum: 1 } as const;

export const MEASURE_DEFS = {
	tool: COMMON_DEFS.tool,
	warning: COMMON_DEFS.warning,
	environment: COMMON_DEFS.environment,
	ended: COMMON_DEFS.ended,
	latency: {
		...objectOf(
			{
				mean: NUMBER,
				p2_5: NUMBER,
				p50: NUMBER,
				p75: NUMBER,
				p90: NUMBER,
				p95: NUMBER,
				p99: NUMBER,
				p99_9: NUMBER,
				max: NUMBER,
				p97_5: NUMBER,
				sd: { ...NUMBER, description: 'population standard deviation' },
			},
			['p97_5', 'sd'],
		),
		description: 'latency of a server alone, milliseconds',
	},
	rates: {
		...objectOf(
			{
				samples: NUMBER,
				mean: NUMBER,
				sd: { ...NUMBER, description: 'population standard deviation' },
				min: NUMBER,
				p1: NUMBER,
				p2_5: NUMBER,
				p50: NUMBER,
				p97_5: NUMBER,
				each: { ...listOf(NUMBER), description: 'of a log: the seconds themselves' },
			},
			['each'],
		),
		description: 'rates of single seconds, per second',
	},
	step: objectOf({ connections: COUNT, throughput: NUMBER, p50: NUMBER_OR_NULL, p99: NUMBER_OR_NULL }),
	alone: {
		...objectOf(
			{
				metrics: BY_METRIC,
				latency: orNull(ref('latency')),
				bytesPerSecond: NUMBER,
				rates: objectOf({ requests: ref('rates'), bytes: ref('rates') }),
				totals: objectOf(
					{
						requests: NUMBER,
						bytes: NUMBER,
						seconds: SECONDS,
						errors: COUNT,
						timeouts: { ...COUNT, description: 'those of the errors that were timeouts' },
						resent: { ...COUNT, description: 'requests that were lost with a connection in use, and sent again' },
						unexpected: COUNT,
						statuses: { ...mapOf(NUMBER), description: 'answers by status' },
					},
					['timeouts', 'resent', 'statuses'],
				),
				steps: {
					...listOf(ref('step')),
					description: 'of each stage in which as many connections were open all the time',
				},
			},
			['rates', 'totals', 'steps'],
		),
		description: 'figures of a server that nothing else was loaded beside, each metric in its unit',
	},
	scenario: objectOf(
		{
			name: TEXT,
			description: TEXT,
			request: TEXT,
			load: LOAD,
			metrics: {
				...listOf(part.RANKING_METRIC),
				description: 'what it measures instead of load in windows; ranked by the first',
			},
			workers: { ...COUNT, description: 'worker processes of each server, which were loaded alone' },
			reference: { ...TEXT_OR_NULL, description: 'server that the others were measured with' },
			servers: { ...listOf(TEXT), description: 'those that were asked; all when absent' },
			byHand: { ...TEXT, description: 'arguments of autocannon that send the same' },
			inProcess: { const: true, description: 'asked in its own process, without a socket' },
		},
		['metrics', 'workers', 'servers', 'byHand', 'inProcess'],
	),
	timing: TIMING.schema,
	setup: objectOf(
		{
			reference: TEXT,
			scenarios: listOf(ref('scenario')),
			timing: ref('timing'),
			preset: TEXT_OR_NULL,
			driver: { enum: DRIVERS, description: 'what loaded the servers; benchgate when absent' },
			design: {
				const: 'alternating',
				description:
					'server and reference were loaded in turn; when absent at the same time, or each alone with a preset',
			},
			processes: {
				const: 'own',
				description: "every row had processes of its own; when absent a server's rows shared them",
			},
			afterwork: {
				const: 'counted',
				description:
					'a server finished its work before the other one was loaded, and was charged for it; not when absent',
			},
			vitals: { const: 'node', description: 'servers reported garbage collection and event loop; not when absent' },
		},
		['driver', 'design', 'processes', 'afterwork', 'vitals'],
	),
	server: objectOf(
		{
			name: TEXT,
			description: TEXT,
			state: { enum: SERVER_STATES },
			reason: TEXT_OR_NULL,
			versions: mapOf(TEXT),
			direct: listOf(TEXT),
			runtime: { ...part.RUNTIME, description: 'what it ran on; absent where no runtime was asked for' },
			inProcess: { ...TEXT, description: 'what it is asked by without a socket' },
			remarks: { ...mapOf(TEXT), description: 'what explains its figures, by scenario' },
		},
		['runtime', 'inProcess', 'remarks'],
	),
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
	sample: objectOf(
		{
			server: TEXT,
			scenario: TEXT,
			reference: TEXT,
			round: COUNT,
			d: { ...BY_METRIC, description: 'log ratio server against reference; negative is worse' },
			alone: objectOf({ server: orNull(ref('alone')), reference: orNull(ref('alone')) }),
			guards: objectOf(
				{
					generatorUtilisation: NUMBER_OR_NULL,
					serverUtilisation: NUMBER_OR_NULL,
					cpuShare: NUMBER_OR_NULL,
					busy: NUMBER_OR_NULL,
					resting: {
						...objectOf({ server: NUMBER_OR_NULL, reference: NUMBER_OR_NULL }),
						description: 'share of a CPU that each used while the other was loaded',
					},
				},
				['resting'],
			),
			workers: {
				...listOf(objectOf({ cpus: NUMBER, memory: NUMBER_OR_NULL })),
				description: 'what each worker process used',
			},
			faults: listOf(ref('warning')),
			seconds: SECONDS,
		},
		['workers'],
	),
} as const;
