/** JSON Schema of a baseline record. */
import { ANCHOR_KINDS, BASELINE_PURPOSES, BASELINE_SCHEMA_VERSION } from '../../types/baseline.ts';
import type { SchemaNode } from '../../types/schema.ts';
import { VERDICTS } from '../../types/verdict.ts';
import * as part from '../format-schema-parts.ts';
import { RAW_LIMITS } from '../raw/raw-limits.ts';
import { MOMENT, NAME, RUN, SHA_OR_NULL, text } from './store-schema-parts.ts';

const { COUNT, NUMBER, NUMBER_OR_NULL, TEXT_OR_NULL, listOf, objectOf, orNull, ref } = part;

/** Beyond what any two programs can differ by, and the widest interval of two rounds; sums of such figures stay finite. */
const LARGEST_LOG = 1_000;
const LOG_OR_NULL = { ...NUMBER_OR_NULL, minimum: -LARGEST_LOG, maximum: LARGEST_LOG };
const LOG_RATIO = { ...LOG_OR_NULL, description: 'log ratio commit against anchor; negative is worse' };
const SPREAD_OR_NULL = { ...NUMBER_OR_NULL, minimum: 0, maximum: LARGEST_LOG };
const POSITIVE_OR_NULL = { ...NUMBER_OR_NULL, minimum: 0, maximum: RAW_LIMITS.magnitude };

/** Cells in one record: more than any matrix has. */
const MOST_CELLS = 5_000;

/** Beyond any share, and well within what a log ratio may be. */
const LARGEST_SHARE = 1e9;
const SHARE = { ...NUMBER, minimum: 0, maximum: LARGEST_SHARE };

const CELL_FIELDS = {
	server: NAME,
	scenario: NAME,
	metric: part.METRIC,
	theta: LOG_RATIO,
	se: { ...SPREAD_OR_NULL, description: 'standard error of theta' },
	low: { ...LOG_OR_NULL, description: 'lower end of the 95 % interval of theta' },
	high: { ...LOG_OR_NULL, description: 'upper end of the 95 % interval of theta' },
	rounds: COUNT,
	roundSd: { ...SPREAD_OR_NULL, description: 'standard deviation of a round, log ratio' },
	lag1: { ...NUMBER_OR_NULL, minimum: -2, maximum: 2, description: 'from −1 to 1, except for the last bits' },
	judgedBy: part.METRIC,
	verdict: { enum: VERDICTS },
	threshold: part.FRACTION,
	solo: orNull(ref('solo')),
	reference: { ...orNull(ref('solo')), description: 'the same of the reference server, node-http, in the same job' },
	ofReference: {
		...objectOf({ value: SHARE, low: SHARE, high: SHARE, rounds: COUNT }),
		description: 'requests/s as a share of those of the reference server, loaded in turn, with its 95 % interval',
	},
	warnings: { ...listOf(ref('warning')), maxItems: 50 },
};
const CELL = objectOf(CELL_FIELDS, ['ofReference']);

/** JSON Schema (2020-12) of one file of the store. */
export const BASELINE_SCHEMA: SchemaNode = {
	$schema: 'https://json-schema.org/draft/2020-12/schema',
	title: 'benchgate baseline',
	...objectOf({
		schemaVersion: { const: BASELINE_SCHEMA_VERSION },
		kind: { const: 'benchgate-baseline' },
		tool: ref('tool'),
		purpose: { enum: BASELINE_PURPOSES },
		createdAt: MOMENT,
		run: RUN,
		commit: objectOf({
			sha: SHA_OR_NULL,
			label: text(200),
			parent: SHA_OR_NULL,
			position: { type: ['integer', 'null'], minimum: 0, description: 'ancestors along first parents' },
			committedAt: MOMENT,
			title: text(200),
			author: { ...TEXT_OR_NULL, maxLength: 200 },
		}),
		anchor: objectOf({ sha: SHA_OR_NULL, label: text(200), kind: { enum: ANCHOR_KINDS } }),
		environmentId: text(16, { pattern: '^[0-9a-f]{8,16}$' }),
		environment: ref('environment'),
		harness: { ...TEXT_OR_NULL, maxLength: 200 },
		subjectDigest: { ...TEXT_OR_NULL, maxLength: 200 },
		seed: NUMBER,
		ended: ref('ended'),
		accepted: orNull(objectOf({ by: text(200), reason: { ...TEXT_OR_NULL, maxLength: 2_000 } })),
		cells: { ...listOf(CELL), maxItems: MOST_CELLS },
		warnings: { ...listOf(ref('warning')), maxItems: 200 },
		reproduce: text(20_000),
	}),
	$defs: {
		tool: part.COMMON_DEFS.tool,
		warning: part.COMMON_DEFS.warning,
		environment: part.COMMON_DEFS.environment,
		ended: part.COMMON_DEFS.ended,
		solo: {
			...objectOf({
				throughput: { ...POSITIVE_OR_NULL, description: 'requests/s, median over rounds' },
				cpuPerRequest: { ...POSITIVE_OR_NULL, description: 'microseconds' },
				latencyP50: { ...POSITIVE_OR_NULL, description: 'milliseconds' },
				memoryPeak: { ...POSITIVE_OR_NULL, description: 'bytes' },
				windows: COUNT,
			}),
			description: 'absolute figures from windows in which one server alone was loaded',
		},
	},
};
