import { DESIGNS, DRIFT_POLICIES } from '../../types/config.ts';
import { DRIFT_VERDICTS } from '../../types/main-baselines.ts';
import { GATED_METRICS, METRICS } from '../../types/metric.ts';
import { RESULT_SCHEMA_VERSION } from '../../types/result.ts';
import { RED_KINDS, VERDICTS } from '../../types/verdict.ts';
import * as part from '../format-schema-parts.ts';
import type { SchemaNode } from '../order-keys.ts';

const { FRACTION, NUMBER, NUMBER_OR_NULL, TEXT, listOf, objectOf, orNull, ref } = part;

const UNITS = [...new Set(GATED_METRICS.map((name) => METRICS[name].unit))];
const CHANGE = { ...NUMBER_OR_NULL, description: '(head − base) / base, a fraction: −0.061 is −6.1 %' };

const CELL = objectOf(
	{
		server: TEXT,
		scenario: TEXT,
		metric: part.METRIC,
		judgedBy: { ...part.METRIC, description: 'the metric that decided; change and interval are of it' },
		verdict: { enum: VERDICTS },
		change: CHANGE,
		interval: orNull(ref('interval')),
		threshold: FRACTION,
		tolerance: FRACTION,
		rounds: part.COUNT,
		roundSd: { ...NUMBER_OR_NULL, description: 'standard deviation over rounds of the log ratio' },
		smallestDecidableThreshold: NUMBER_OR_NULL,
		pRegressed: NUMBER_OR_NULL,
		pUnchanged: NUMBER_OR_NULL,
		metrics: {
			type: 'object',
			properties: Object.fromEntries(GATED_METRICS.map((name) => [name, ref('metricResult')])),
		},
		guards: orNull(ref('guards')),
		warnings: listOf(ref('warning')),
		newerThanBase: { const: true, description: 'base may be older than the code the row needs' },
		drift: ref('drift'),
		shard: { type: 'integer', minimum: 1, description: 'the machine that measured it, of a gathered run' },
	},
	['newerThanBase', 'drift', 'shard'],
);

/** JSON Schema (2020-12) of what `--json` writes. Readers ignore keys they do not know; a change of meaning is a new version. */
export const RESULT_SCHEMA: SchemaNode = {
	$schema: 'https://json-schema.org/draft/2020-12/schema',
	title: 'benchgate result',
	...objectOf(
		{
			schemaVersion: { const: RESULT_SCHEMA_VERSION },
			tool: ref('tool'),
			createdAt: { ...TEXT, description: 'ISO 8601' },
			seed: NUMBER,
			design: part.DESIGN,
			threshold: FRACTION,
			tolerance: FRACTION,
			budget: part.SECONDS,
			base: ref('revision'),
			head: ref('revision'),
			harness: ref('harness'),
			environment: { ...ref('environment'), description: 'of a gathered run that of its first complete shard' },
			shards: { ...listOf(ref('shardRun')), description: 'absent where there was only one machine' },
			gate: objectOf(
				{
					outcome: { enum: ['pass', 'fail', 'inconclusive', 'error'] },
					reasons: listOf(TEXT),
					neutral: {
						enum: ['always', 'at-best'],
						description: 'something broke that head cannot be blamed for, so the check is never green',
					},
					accepted: ref('acceptance'),
				},
				['neutral', 'accepted'],
			),
			onInconclusive: part.POLICY,
			ended: ref('ended'),
			cells: listOf(ref('cell')),
			warnings: listOf(ref('warning')),
			timing: ref('timing'),
			reproduce: TEXT,
		},
		['harness', 'shards'],
	),
	$defs: {
		...part.COMMON_DEFS,
		acceptance: {
			...objectOf(
				{
					by: TEXT,
					via: { enum: ['label', 'body', 'comment', 'flag'] },
					reason: orNull(TEXT),
					headSha: TEXT,
					rows: listOf(
						objectOf({
							cell: orNull(TEXT),
							kind: orNull({ enum: RED_KINDS }),
							upTo: { ...NUMBER_OR_NULL, description: 'largest regression that passes: 0.06 is 6 %' },
						}),
					),
				},
				['headSha', 'rows'],
			),
			description: 'who let red rows pass, which (all without rows), and why',
		},
		cell: CELL,
		drift: {
			...objectOf({
				verdict: { enum: DRIFT_VERDICTS },
				policy: { enum: DRIFT_POLICIES, description: 'whether adds fails the gate' },
				threshold: FRACTION,
				anchor: TEXT,
				measured: { ...TEXT, description: 'commit of the newest baseline' },
				main: objectOf({ change: NUMBER, low: NUMBER, high: NUMBER }),
				adds: { ...NUMBER_OR_NULL, description: 'head against base' },
				total: { ...NUMBER_OR_NULL, description: 'main against the anchor once head is merged' },
				history: { ...listOf(NUMBER), description: 'last baselines against the anchor, oldest first' },
			}),
			description: 'where main stands in the row, by its baselines; absent where none tells',
		},
		interval: objectOf({ low: NUMBER_OR_NULL, high: NUMBER_OR_NULL, confidence: NUMBER }),
		metricResult: objectOf(
			{
				base: NUMBER_OR_NULL,
				head: NUMBER_OR_NULL,
				change: CHANGE,
				interval: orNull(ref('interval')),
				unit: { enum: UNITS },
				source: { enum: ['solo', ...DESIGNS] },
				level: {
					...objectOf({ low: NUMBER, high: NUMBER }),
					description:
						'between which the geometric mean of base and head lies; present where a measurement of it is more than a quarter off',
				},
			},
			['level'],
		),
		heldRate: objectOf({
			due: { ...NUMBER, description: 'requests a second that fell due' },
			held: { ...NUMBER, description: 'share of them that was answered in time, the median over rounds' },
			late: { ...NUMBER, description: 'share of them that was sent late' },
		}),
		guards: objectOf(
			{
				generatorUtilisation: NUMBER_OR_NULL,
				serverUtilisation: NUMBER_OR_NULL,
				cpuShare: NUMBER_OR_NULL,
				nonExpected: NUMBER,
				errors: NUMBER,
				lag1: NUMBER_OR_NULL,
				fixedRate: {
					...objectOf({ base: ref('heldRate'), head: ref('heldRate') }),
					description: 'of a scenario that is loaded at a fixed rate',
				},
			},
			['fixedRate'],
		),
	},
};
