/** JSON Schema of the raw file. */
import { DESIGNS } from '../../types/config.ts';
import { MAIN_BASELINES } from '../../types/main-baselines.ts';
import { RAW_SCHEMA_VERSION } from '../../types/result.ts';
import type { SchemaNode } from '../../types/schema.ts';
import * as part from '../format-schema-parts.ts';
import { CELLS, LIMITS, LOOKS, ONE_SIDED, timingOf, warmupOf } from '../plan-schema-parts.ts';

const { COUNT, NUMBER, NUMBER_OR_NULL, SECONDS, TEXT, listOf, mapOf, objectOf, orNull, ref } = part;

/** Counts of a scripted laboratory need not be whole. */
const AMOUNT = { ...NUMBER, minimum: 0 };
const PURPOSE = { enum: ['main', 'confirm'] };
const MARGINS = { type: 'object', propertyNames: part.METRIC, additionalProperties: objectOf(LIMITS) };

const PLAN = objectOf(
	{
		seed: NUMBER,
		design: part.DESIGN,
		cells: CELLS,
		oneSided: ONE_SIDED,
		metrics: listOf(part.METRIC),
		margins: MARGINS,
		looks: LOOKS,
		timing: timingOf(warmupOf(null)),
		budgetSeconds: SECONDS,
		family: { ...COUNT, description: 'rows that are decided together, where they are more than those of the cells' },
	},
	['margins', 'family'],
);

const ROUND = objectOf(
	{
		round: COUNT,
		purpose: PURPOSE,
		startedAt: NUMBER,
		seconds: SECONDS,
		loadSeconds: SECONDS,
		cells: listOf(ref('cellRound')),
		shard: { type: 'integer', minimum: 1, description: 'the machine that measured it, in a gathered file' },
		lane: { type: 'integer', minimum: 1, description: 'the lane it ran in, where a machine had several' },
	},
	['shard', 'lane'],
);

const STAMP = objectOf({
	shard: { type: 'integer', minimum: 1 },
	of: { type: 'integer', minimum: 1 },
	planHash: TEXT,
	runId: TEXT,
	attempt: { type: 'integer', minimum: 1 },
	complete: { ...part.FLAG, description: 'it finished' },
});

const SIDE_START = objectOf({ seconds: NUMBER_OR_NULL, memory: NUMBER_OR_NULL, reload: NUMBER_OR_NULL }, ['reload']);

const AFTERWORK = objectOf({ cpuSeconds: SECONDS, answers: AMOUNT, unfinished: AMOUNT });

const CELL_ROUND = objectOf(
	{
		cell: TEXT,
		round: COUNT,
		purpose: PURPOSE,
		design: part.DESIGN,
		windows: listOf(ref('window')),
		memoryPeak: objectOf({ base: NUMBER_OR_NULL, head: NUMBER_OR_NULL }),
		memoryAfterLoad: objectOf({ base: NUMBER_OR_NULL, head: NUMBER_OR_NULL }),
		memoryAfter: objectOf({ base: NUMBER_OR_NULL, head: NUMBER_OR_NULL }),
		afterwork: {
			...objectOf({ base: orNull(AFTERWORK), head: orNull(AFTERWORK) }),
			description: 'what the sides did after the load, asked nothing, until they used no CPU',
		},
		grouped: { const: true, description: 'CPU times are those of control groups' },
		held: { const: true, description: 'nothing of either side may leave the CPU of the servers' },
		start: objectOf({ base: SIDE_START, head: SIDE_START }),
		faults: listOf(ref('fault')),
		remarks: listOf(ref('fault')),
		pinned: part.FLAG,
	},
	['memoryAfterLoad', 'memoryAfter', 'afterwork', 'grouped', 'held', 'start', 'remarks'],
);

const WINDOW = objectOf({
	kind: { enum: [...DESIGNS, 'solo'] },
	startedAt: NUMBER,
	base: orNull(ref('windowSide')),
	head: orNull(ref('windowSide')),
	generatorUtilisation: NUMBER,
	generatorCpuSeconds: NUMBER,
	otherCpu: NUMBER_OR_NULL,
	serverCpuIdle: NUMBER_OR_NULL,
});

const WINDOW_SIDE = objectOf(
	{
		seconds: SECONDS,
		completed: AMOUNT,
		answers: { ...AMOUNT, description: 'right answers, each by the part of its time that lies in the window' },
		bytes: AMOUNT,
		statuses: mapOf(AMOUNT),
		unexpected: AMOUNT,
		errors: AMOUNT,
		timeouts: { ...AMOUNT, description: 'those of the errors that were timeouts' },
		resent: { ...AMOUNT, description: 'requests that were lost with a connection in use, and sent again' },
		resentMoments: { ...AMOUNT, description: 'stretches of 10 ms in which any were' },
		cpuSeconds: NUMBER_OR_NULL,
		latency: listOf({
			type: 'array',
			prefixItems: [AMOUNT, AMOUNT],
			minItems: 2,
			items: false,
			description: '[microseconds, count]',
		}),
		restingCpuSeconds: {
			...NUMBER_OR_NULL,
			description: 'in alternating windows: CPU time of the other side, which rests',
		},
		due: { ...AMOUNT, description: 'at a fixed rate: requests that fell due' },
		late: { ...AMOUNT, description: 'at a fixed rate: requests that were sent late' },
	},
	['answers', 'timeouts', 'resent', 'resentMoments', 'restingCpuSeconds', 'due', 'late'],
);

/** JSON Schema (2020-12) of what `--raw` writes and `benchgate judge` reads. */
export const RAW_SCHEMA: SchemaNode = {
	$schema: 'https://json-schema.org/draft/2020-12/schema',
	title: 'benchgate raw windows',
	...objectOf(
		{
			schemaVersion: { const: RAW_SCHEMA_VERSION },
			kind: { const: 'benchgate-raw' },
			context: objectOf(
				{
					tool: ref('tool'),
					createdAt: TEXT,
					...LIMITS,
					onInconclusive: part.POLICY,
					base: ref('revision'),
					head: ref('revision'),
					harness: ref('harness'),
					environment: ref('environment'),
					warnings: listOf(ref('warning')),
					reproduce: TEXT,
					baselines: MAIN_BASELINES,
				},
				['harness', 'baselines'],
			),
			plan: PLAN,
			rounds: listOf(ROUND),
			refused: listOf(objectOf({ cell: TEXT, fault: ref('fault'), others: listOf(ref('fault')) }, ['others'])),
			ended: ref('ended'),
			timing: ref('timing'),
			shard: { ...STAMP, description: 'whose part of a plan this is' },
			shards: { ...listOf(ref('shardRun')), description: 'only in a gathered file' },
			lanes: { ...listOf(ref('laneRun')), description: 'only where one machine measured in several lanes' },
		},
		['shard', 'shards', 'lanes'],
	),
	$defs: {
		...part.COMMON_DEFS,
		fault: objectOf({ code: TEXT, side: part.SIDE_OR_NULL, message: TEXT }),
		cellRound: CELL_ROUND,
		window: WINDOW,
		windowSide: WINDOW_SIDE,
	},
};
