/** JSON Schema of what every plan consists of: that of shards, that in raw data, that of a ranking. */
import { UNMEASURED_VERDICTS } from '../types/plan.ts';
import type { SchemaNode } from '../types/schema.ts';
import { COUNT, listOf, METRIC, NUMBER, objectOf, SECONDS, TEXT } from './format-schema-parts.ts';

/** Limits of a row, as fractions. */
export const LIMITS = { threshold: NUMBER, tolerance: NUMBER };
const MORE = {
	newerThanBase: { const: true },
	sharesWork: { const: true },
	metrics: { ...listOf(METRIC), description: 'of its rows, where its scenario names them' },
};
const CELL = { id: TEXT, server: TEXT, scenario: TEXT, ...LIMITS, ...MORE };
const OPTIONAL = Object.keys(MORE);

export const CELLS = listOf(objectOf(CELL, OPTIONAL));
export const ONE_SIDED = listOf(objectOf({ ...CELL, verdict: { enum: UNMEASURED_VERDICTS }, reason: TEXT }, OPTIONAL));
export const LOOKS = listOf(objectOf({ rounds: COUNT, weightRegressed: NUMBER, weightUnchanged: NUMBER }));

/** Returns the schema of a warm-up; with `load`, what it is loaded with where that is not the scenario's, that of a ranking. */
export function warmupOf(load: SchemaNode | null) {
	const usual = { requests: COUNT, leastSeconds: SECONDS, mostSeconds: SECONDS };
	return load === null ? objectOf(usual) : objectOf({ ...usual, inTurn: { const: true }, load }, ['inTurn', 'load']);
}

/** Returns the schema of how long the parts of a round are, with `more` that may be absent. */
export function timingOf(warmup: SchemaNode, more: Record<string, SchemaNode> = {}) {
	const usual = {
		firstWarmup: warmup,
		warmup,
		settleSeconds: SECONDS,
		windowSeconds: SECONDS,
		windows: COUNT,
		soloSeconds: SECONDS,
		soloRounds: COUNT,
	};
	return objectOf({ ...usual, ...more }, Object.keys(more));
}
