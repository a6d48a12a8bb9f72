import {
	BANDS,
	COMPARISON_KINDS,
	MEASURE_SCHEMA_VERSION,
	ROW_STATES,
	RUN_VERDICTS,
} from '../../types/ranking/measure.ts';
import type { SchemaNode } from '../../types/schema.ts';
import * as part from '../format-schema-parts.ts';
import { MEASURE_DEFS } from './measure-schema-parts.ts';

const { COUNT, NUMBER, NUMBER_OR_NULL, SECONDS, TEXT, TEXT_OR_NULL, listOf, objectOf, orNull, ref } = part;

const { sample: _sample, unmeasured: _unmeasured, ...SHARED_DEFS } = MEASURE_DEFS;

/** JSON Schema (2020-12) of what `benchgate measure --json` writes. */
export const MEASURE_SCHEMA: SchemaNode = {
	$schema: 'https://json-schema.org/draft/2020-12/schema',
	title: 'benchgate measure',
	...objectOf(
		{
			schemaVersion: { const: MEASURE_SCHEMA_VERSION },
			kind: { const: 'benchgate-measure' },
			tool: ref('tool'),
			createdAt: { ...TEXT, description: 'ISO 8601' },
			seed: NUMBER,
			setup: ref('setup'),
			precision: { ...NUMBER, description: 'rounds ended when half of every 95 % interval was at most this share' },
			ended: ref('ended'),
			rounds: COUNT,
			measuringSeconds: SECONDS,
			highlight: TEXT_OR_NULL,
			rows: listOf(ref('row')),
			comparisons: listOf(ref('comparison')),
			ramps: listOf(ref('ramp')),
			scalings: listOf(ref('scaling')),
			variation: ref('runVariation'),
			servers: listOf(ref('server')),
			environment: ref('environment'),
			warnings: listOf(ref('warning')),
			reproduce: TEXT,
			runs: { ...COUNT, description: 'how many runs were put together; absent for one' },
			shard: { ...ref('rankingShard'), description: 'only of a run that measured one shard' },
			shards: { ...listOf(ref('measuredShard')), description: 'only where shards were gathered' },
			percentOf: { ...listOf(TEXT), description: 'servers that shares are also given of, besides the reference' },
		},
		['runs', 'shard', 'shards', 'percentOf'],
	),
	$defs: {
		...SHARED_DEFS,
		rank: {
			...objectOf({ first: COUNT, last: COUNT }),
			description: 'places it shares with rows it cannot be told apart from',
		},
		ranged: { ...objectOf({ value: NUMBER, low: NUMBER, high: NUMBER }), description: 'a value and its 95 % interval' },
		variation: {
			...objectOf({ sd: NUMBER_OR_NULL, cov: NUMBER_OR_NULL, band: { enum: [...BANDS, null] } }),
			description: 'sample standard deviation over rounds (n − 1), and as a share of the mean',
		},
		row: objectOf(
			{
				server: TEXT,
				scenario: TEXT,
				state: { enum: ROW_STATES },
				reason: TEXT_OR_NULL,
				rank: orNull(ref('rank')),
				share: { ...orNull(ref('ranged')), description: "share of the reference's throughput: 0.63 is 63 %" },
				logShare: orNull(objectOf({ theta: NUMBER, se: NUMBER, df: NUMBER })),
				ownReference: {
					...NUMBER,
					description:
						'how much the process of the reference beside it counts in each round of its share, from 0 to 1; the rest is the mean of all processes of the reference in this scenario and round; absent for 1',
				},
				judgedBy: part.RANKING_METRIC,
				rounds: COUNT,
				alone: orNull(ref('alone')),
				throughputs: { ...listOf(NUMBER), description: 'requests per second of every round, alone' },
				variation: objectOf({ throughput: ref('variation'), p99: ref('variation') }),
				warnings: listOf(ref('warning')),
				oversubscribed: {
					const: true,
					description: 'more worker processes than CPUs for them: in no ratio; absent where there were not',
				},
				shard: {
					...COUNT,
					description: 'machine on which the figures alone were measured, where several were gathered',
				},
			},
			['ownReference', 'oversubscribed', 'shard'],
		),
		place: objectOf({ server: TEXT, scenario: TEXT }),
		comparison: objectOf({
			kind: { enum: COMPARISON_KINDS },
			row: ref('place'),
			against: ref('place'),
			loss: objectOf({ value: NUMBER, low: NUMBER_OR_NULL, high: NUMBER_OR_NULL }),
			grade: { enum: ['good', 'borderline', 'bad', null] },
		}),
		ramp: objectOf({
			server: TEXT,
			scenario: TEXT,
			steps: listOf(ref('step')),
			saturation: { ...NUMBER_OR_NULL, description: 'connections from which on more bring at most 5 %' },
		}),
		scaling: objectOf({
			server: TEXT,
			steps: listOf(
				objectOf({
					workers: COUNT,
					throughput: NUMBER,
					speedUp: { ...NUMBER_OR_NULL, description: 'times one worker; null where it means nothing' },
					efficiency: { ...NUMBER_OR_NULL, description: 'speed-up over the number of workers' },
					oversubscribed: { ...part.FLAG, description: 'more workers than CPUs for them' },
					generatorBound: { ...part.FLAG, description: 'the load generator was at its limit' },
					cpus: orNull(objectOf({ sum: NUMBER, least: NUMBER, most: NUMBER })),
					memory: orNull(objectOf({ sum: NUMBER, most: NUMBER })),
				}),
			),
		}),
		runVariation: objectOf({
			verdict: { enum: [...RUN_VERDICTS, null] },
			meanCov: NUMBER_OR_NULL,
			rows: COUNT,
			noisy: listOf(objectOf({ server: TEXT, scenario: TEXT, throughput: NUMBER, p99: NUMBER_OR_NULL })),
			unreliable: COUNT,
		}),
	},
};
