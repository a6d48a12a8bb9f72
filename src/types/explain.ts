/** Why rows changed: the file `explain.json`. */
import { COUNTS } from './explain/counts.ts';
import { PROFILE } from './explain/profile.ts';
import { PROOF } from './explain/proof.ts';
import { METRIC } from './metric.ts';
import { REVISION } from './result.ts';
import {
	COUNT,
	described,
	documentOf,
	enumOf,
	type Infer,
	listOf,
	literal,
	NUMBER_OR_NULL,
	objectOf,
	orNull,
	ref,
	SECONDS,
	TEXT,
} from './schema.ts';
import { type Seconds, TOOL, WARNING } from './units.ts';
import { INTERVAL, VERDICT } from './verdict.ts';

export const EXPLANATION_SCHEMA_VERSION = 1;

export const EXPLAIN_POLICIES = ['auto', 'never', 'always'] as const;
export type ExplainPolicy = (typeof EXPLAIN_POLICIES)[number];

export interface ExplainOptions {
	readonly policy: ExplainPolicy;
	readonly budgetSeconds: Seconds;
	/** `auto`: rows that regressed, and a single row that nothing judged. */
	readonly prove: ExplainPolicy;
	readonly profile: ExplainPolicy;
}

/** In the order in which they are run. */
const STEP_KINDS = ['counts', 'proof', 'profile'] as const;
export type StepKind = (typeof STEP_KINDS)[number];

const ROW_FIELDS = {
	server: TEXT,
	scenario: TEXT,
	verdict: described(orNull(VERDICT), 'null if nothing was judged'),
	metric: described(orNull(METRIC), 'the metric that decided'),
	change: described(NUMBER_OR_NULL, '(head − base) / base, a fraction'),
	interval: orNull(ref(INTERVAL)),
	threshold: described(NUMBER_OR_NULL, 'a fraction'),
};

export type UnexplainedRow = Infer<typeof UNEXPLAINED_ROW>;
const UNEXPLAINED_ROW = objectOf(ROW_FIELDS);

export type ExplainedRow = Infer<typeof EXPLAINED_ROW>;
const EXPLAINED_ROW = objectOf({
	...ROW_FIELDS,
	counts: described(orNull(COUNTS), 'what head does more often'),
	proof: described(orNull(PROOF), 'head without parts of the difference'),
	profile: described(orNull(PROFILE), 'where the CPU time goes'),
	unreached: described(listOf(enumOf(STEP_KINDS)), 'steps that were not reached in time'),
	notes: described(listOf(TEXT), 'why a step found nothing; may contain text of the code under test'),
});

export type Explanation = Infer<typeof EXPLANATION_SCHEMA>;
export const EXPLANATION_SCHEMA = documentOf(
	'benchgate explanation',
	objectOf({
		schemaVersion: literal(EXPLANATION_SCHEMA_VERSION),
		kind: literal('benchgate-explanation'),
		tool: ref(TOOL),
		createdAt: described(TEXT, 'ISO 8601'),
		seed: COUNT,
		base: ref(REVISION),
		head: ref(REVISION),
		budgetSeconds: SECONDS,
		seconds: described(SECONDS, 'spent'),
		rows: described(listOf(EXPLAINED_ROW), 'in the order in which they were explained, the worst first'),
		warnings: listOf(ref(WARNING)),
		reproduce: TEXT,
	}),
	[TOOL, WARNING, REVISION, INTERVAL],
);
