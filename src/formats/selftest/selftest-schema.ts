import type { SchemaNode } from '../../types/schema.ts';
import { VERDICTS } from '../../types/verdict.ts';
import * as part from '../format-schema-parts.ts';
import { SELFTEST_ENDS, SELFTEST_SCHEMA_VERSION, TRUSTS } from './selftest-result.ts';

const { COUNT, FLAG, FRACTION, NUMBER, NUMBER_OR_NULL, SECONDS, TEXT, listOf, objectOf, orNull, ref } = part;

const DROP = {
	...NUMBER,
	minimum: 0,
	description: 'injected drop in throughput, a fraction; 0 for a server against itself',
};
const SECONDS_OR_NULL = { type: ['number', 'null'], minimum: 0, description: 'seconds' };

const TRIAL = objectOf({
	trial: COUNT,
	drop: DROP,
	amount: { ...NUMBER, minimum: 0, description: 'injected CPU time, a fraction of what a request costs by itself' },
	server: TEXT,
	scenario: TEXT,
	seed: NUMBER,
	verdict: { enum: VERDICTS },
	judgedBy: part.METRIC,
	change: { ...NUMBER_OR_NULL, description: '(head − base) / base of the metric that judged' },
	interval: orNull(ref('interval')),
	covered: { type: ['boolean', 'null'], description: 'whether the interval holds the injected change' },
	d: { ...listOf(NUMBER), description: 'signed log ratio of throughput of each main round; negative is worse' },
	dCpu: { ...listOf(NUMBER), description: 'the same of CPU time per request; empty where nobody can tell' },
	rounds: COUNT,
	seconds: SECONDS,
	ended: ref('ended'),
	warnings: listOf(ref('warning')),
});

const LANES = objectOf({
	lanes: COUNT,
	pinning: { ...TEXT, description: 'CPUs of each lane' },
	bias: orNull(ref('figure')),
	drop: DROP,
	alone: orNull(ref('figure')),
	together: orNull(ref('figure')),
	gain: { ...NUMBER_OR_NULL, description: 'how many times less certainty costs than in one lane' },
	servers: listOf(
		objectOf({
			server: TEXT,
			aloneSd: NUMBER,
			togetherSd: NUMBER,
			aloneSeconds: SECONDS,
			togetherSeconds: SECONDS,
			gain: NUMBER,
		}),
	),
	worth: { type: ['boolean', 'null'], description: 'null where too few rounds were measured' },
	reasons: listOf(TEXT),
});

/** JSON Schema (2020-12) of what `benchgate selftest --json` writes. */
export const SELFTEST_SCHEMA: SchemaNode = {
	$schema: 'https://json-schema.org/draft/2020-12/schema',
	title: 'benchgate selftest',
	...objectOf(
		{
			schemaVersion: { const: SELFTEST_SCHEMA_VERSION },
			kind: { const: 'benchgate-selftest' },
			tool: ref('tool'),
			createdAt: { ...TEXT, description: 'ISO 8601' },
			seed: NUMBER,
			threshold: FRACTION,
			tolerance: FRACTION,
			budget: SECONDS,
			ended: { enum: SELFTEST_ENDS },
			trust: { enum: TRUSTS },
			reasons: listOf(TEXT),
			falseAlarms: ref('share'),
			falseImprovements: COUNT,
			drops: listOf(ref('drop')),
			coverage: objectOf({ all: ref('share'), same: ref('share'), injected: ref('share') }),
			positionBias: orNull(ref('figure')),
			servers: listOf(ref('server')),
			secondsPerDecision: SECONDS_OR_NULL,
			supports: listOf(ref('support')),
			lanes: { ...LANES, description: 'whether more than one lane is worth it; absent unless asked for' },
			pinning: ref('feature'),
			cpuTime: ref('feature'),
			instructionCounters: ref('feature'),
			environment: ref('environment'),
			warnings: listOf(ref('warning')),
			measuringSeconds: SECONDS,
			reproduce: TEXT,
			trials: listOf(ref('trial')),
		},
		['lanes'],
	),
	$defs: {
		tool: part.COMMON_DEFS.tool,
		warning: part.COMMON_DEFS.warning,
		environment: part.COMMON_DEFS.environment,
		ended: part.COMMON_DEFS.ended,
		interval: objectOf({ low: NUMBER_OR_NULL, high: NUMBER_OR_NULL, confidence: NUMBER }),
		share: {
			...objectOf({ count: COUNT, of: COUNT, low: FRACTION, high: FRACTION }),
			description: 'how many of how many, with the exact 95 % interval of the probability',
		},
		figure: {
			...objectOf({ value: FRACTION, low: NUMBER_OR_NULL, high: NUMBER_OR_NULL, rounds: COUNT }),
			description: 'mean over rounds as a change, with its 95 % interval',
		},
		drop: objectOf({
			drop: DROP,
			regressed: ref('share'),
			unchanged: COUNT,
			inconclusive: COUNT,
			improved: COUNT,
			achieved: orNull(ref('figure')),
			secondsPerTrial: SECONDS_OR_NULL,
		}),
		server: objectOf({ server: TEXT, rounds: COUNT, roundSd: NUMBER, robustSd: NUMBER, secondsPerRound: SECONDS }),
		support: objectOf({ cells: COUNT, budget: SECONDS, threshold: NUMBER_OR_NULL, server: TEXT }),
		feature: objectOf({ available: FLAG, note: TEXT }),
		trial: TRIAL,
	},
};
