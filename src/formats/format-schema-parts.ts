import { DESIGNS, INCONCLUSIVE_POLICIES } from '../types/config.ts';
import { ISOLATION_LEVELS } from '../types/isolation.ts';
import { GATED_METRICS, METRIC_NAMES } from '../types/metric.ts';
import { RUNTIME_NAMES } from '../types/runtime.ts';
import { SHARD_STATES } from '../types/shards.ts';

/** JSON Schema of things both the result and the raw file contain, and short words to write schemas with. */

export const TEXT = { type: 'string' } as const;
export const TEXT_OR_NULL = { type: ['string', 'null'] } as const;
export const NUMBER = { type: 'number' } as const;
export const NUMBER_OR_NULL = { type: ['number', 'null'] } as const;
export const COUNT = { type: 'integer', minimum: 0 } as const;
export const SECONDS = { type: 'number', minimum: 0, description: 'seconds' } as const;
/** A ratio without unit. */
export const FRACTION = { ...NUMBER, description: 'fraction: 0.05 is 5 %' } as const;
export const FLAG = { type: 'boolean' } as const;
export const METRIC = { enum: GATED_METRICS } as const;
/** No gate names some of those that servers are ranked by. */
export const RANKING_METRIC = { enum: METRIC_NAMES } as const;
export const DESIGN = { enum: DESIGNS } as const;
export const POLICY = { enum: INCONCLUSIVE_POLICIES } as const;
export const SIDE_OR_NULL = { enum: ['base', 'head', null] } as const;

/** Returns a reference to a definition of the document. */
export function ref(name: string) {
	return { $ref: `#/$defs/${name}` };
}

/** Returns the schema of a list of `items`. */
export function listOf<T extends object>(items: T) {
	return { type: 'array', items } as const;
}

/** Returns the schema of an object with any keys and values of one kind. */
export function mapOf<T extends object>(values: T) {
	return { type: 'object', additionalProperties: values } as const;
}

/** Returns the schema of `schema` or null. */
export function orNull<T extends object>(schema: T) {
	return { anyOf: [schema, { type: 'null' }] };
}

/** Returns the schema of an object with `properties`, all required but those in `optional`; others may stand beside them. */
export function objectOf<T extends Record<string, object>>(properties: T, optional: readonly string[] = []) {
	const required = Object.keys(properties).filter((name) => !optional.includes(name));
	return { type: 'object', required, properties };
}

export const RUNTIME = objectOf({ name: { enum: RUNTIME_NAMES }, version: TEXT });

/** Definitions used by both documents. */
export const COMMON_DEFS = {
	tool: objectOf({ name: { const: 'benchgate' }, version: TEXT }),
	warning: objectOf(
		{
			code: TEXT,
			message: TEXT,
			side: { ...SIDE_OR_NULL, description: 'whose fault it is' },
			once: { const: true, description: 'a fault seen once, of a side that had been fine before' },
		},
		['side', 'once'],
	),
	revision: objectOf(
		{
			revision: { ...TEXT, description: 'as the user typed it' },
			kind: { enum: ['git', 'dir', 'npm', 'file'] },
			label: TEXT,
			sha: TEXT,
			subject: objectOf({ name: TEXT, version: TEXT }),
			built: {
				...objectOf({ command: TEXT, file: TEXT, package: TEXT }),
				description: 'a build that was run because the package names a file it lacked',
			},
			versions: { ...mapOf(mapOf(TEXT)), description: 'server → installed package → version' },
		},
		['sha', 'subject', 'built'],
	),
	harness: {
		...objectOf({ label: TEXT, sha: TEXT, folders: listOf(TEXT) }, ['sha']),
		description: 'revision that the bench servers of both sides come from; absent without a harness',
	},
	environment: objectOf(
		{
			os: TEXT,
			kernel: TEXT,
			cpuModel: TEXT,
			cpus: COUNT,
			memoryBytes: COUNT,
			node: {
				...TEXT,
				description: 'version of the Node that builds, and runs the servers unless runtimes says otherwise',
			},
			runtimes: {
				...objectOf({ base: RUNTIME, head: RUNTIME }),
				description:
					'what the servers of each side ran on; absent where no runtime was asked for: then it was that Node',
			},
			loadAverage: NUMBER,
			pinning: TEXT,
			workerCpus: { ...COUNT, description: 'those that worker processes of one server may use; told by rankings' },
			isolation: {
				...objectOf(
					{
						level: { enum: ISOLATION_LEVELS },
						reason: { ...TEXT_OR_NULL, description: 'why it is no higher level, or lacks what it should have' },
						hidesProcesses: { ...FLAG, description: 'a side sees only its own processes' },
						readOnly: { ...FLAG, description: 'a side can write nothing but its own folders' },
						refusesRival: { ...FLAG, description: "a side's connections to the other one's server are refused" },
					},
					['refusesRival'],
				),
				description: 'who the code under test ran as; absent in files of older releases',
			},
		},
		['runtimes', 'workerCpus', 'isolation'],
	),
	timing: objectOf({
		totalSeconds: { ...SECONDS, description: 'whole command, seconds' },
		measuringSeconds: { ...SECONDS, description: 'first process start to last stop, seconds' },
		loadSeconds: { ...SECONDS, description: 'under counted load, seconds' },
		roundsRun: COUNT,
		orchestratorPeakBytes: { type: 'number', minimum: 0 },
	}),
	shardRun: {
		...objectOf(
			{
				shard: { type: 'integer', minimum: 1 },
				state: { enum: SHARD_STATES, description: 'only the rounds of a complete one count' },
				cells: { ...listOf(TEXT), description: 'ids of the cells it was given' },
				attempt: { type: 'integer', minimum: 1 },
				startedAt: { ...TEXT, description: 'ISO 8601' },
				ended: ref('ended'),
				environment: ref('environment'),
				timing: ref('timing'),
				lanes: { ...listOf(ref('laneRun')), description: 'absent where it had only one' },
			},
			['attempt', 'startedAt', 'ended', 'environment', 'timing', 'lanes'],
		),
		description: 'what one machine did for a gathered run',
	},
	laneRun: {
		...objectOf({
			lane: { type: 'integer', minimum: 1 },
			cells: { ...listOf(TEXT), description: 'ids of the cells it measured' },
			ended: ref('ended'),
		}),
		description: 'what one lane of a machine did',
	},
	ended: { enum: ['decided', 'rounds', 'budget', 'interrupted'] },
} as const;
