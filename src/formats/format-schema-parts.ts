import { DESIGN, INCONCLUSIVE_POLICY } from '../types/config.ts';
import { METRIC, RANKING_METRIC } from '../types/metric.ts';
import { ENVIRONMENT, HARNESS, REVISION, SHARD_RUN, TIMINGS } from '../types/result.ts';
import { ENDED, LANE_RUN } from '../types/round.ts';
import { RUNTIME_INFO } from '../types/runtime.ts';
import { SIDE_OR_NULL, TOOL, WARNING } from '../types/units.ts';

export { COUNT, FLAG, FRACTION, NUMBER, NUMBER_OR_NULL, SECONDS, TEXT, TEXT_OR_NULL } from '../types/schema.ts';
export { DESIGN, METRIC, RANKING_METRIC, SIDE_OR_NULL };
export const POLICY = INCONCLUSIVE_POLICY;
export const RUNTIME = RUNTIME_INFO;

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

export const COMMON_DEFS = {
	tool: TOOL.schema,
	warning: WARNING.schema,
	revision: REVISION.schema,
	harness: HARNESS.schema,
	environment: ENVIRONMENT.schema,
	timing: TIMINGS.schema,
	shardRun: SHARD_RUN.schema,
	laneRun: LANE_RUN.schema,
	ended: ENDED.schema,
} as const;
