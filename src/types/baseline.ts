/** Records of how a commit of the main branch performs. */
import { FULL_HASH } from './identifiers.ts';
import type { MainRow } from './main-baselines.ts';
import { METRIC } from './metric.ts';
import { ENVIRONMENT } from './result.ts';
import { ENDED } from './round.ts';
import {
	COUNT,
	define,
	described,
	documentOf,
	enumOf,
	FRACTION,
	type Infer,
	limited,
	listOf,
	literal,
	NUMBER,
	NUMBER_OR_NULL,
	objectOf,
	optional,
	orNull,
	ref,
	type Schema,
	schemaOf,
	TEXT,
	TEXT_OR_NULL,
} from './schema.ts';
import { LARGEST_NUMBER, TOOL, WARNING } from './units.ts';
import { VERDICT } from './verdict.ts';

export const BASELINE_SCHEMA_VERSION = 1;

/**
 * Why a commit was measured. `level`: a commit of the main branch against the anchor. `link`: a new anchor against the one
 * before. `closure`: a commit of the new era against the old anchor, to check the link. `proof`: the two ends of a suspected
 * change against each other.
 */
const BASELINE_PURPOSES = ['level', 'link', 'closure', 'proof'] as const;
export type BaselinePurpose = (typeof BASELINE_PURPOSES)[number];

/** Returns the schema of a text that is no longer than that: titles, names and warnings are shorter by far. */
export function textOf(maxLength: number, more: { readonly pattern?: string } = {}): Schema<string> {
	return limited(TEXT, { maxLength, ...more });
}

const SHA_PATTERN = { pattern: `^${FULL_HASH}$` };
/** Full hash of a commit. */
export const SHA = limited(TEXT, SHA_PATTERN);
export const SHA_OR_NULL = limited(TEXT_OR_NULL, SHA_PATTERN);
/** A server or a scenario. */
export const NAME = textOf(64, { pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$' });
export const MOMENT = described(
	limited(TEXT, { pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,9})?Z$' }),
	'ISO 8601, UTC',
);

/** The workflow run that wrote a file, or a random id of a run by hand: with `attempt` it makes the file's name unique. */
export const STORED_RUN = objectOf({
	id: textOf(40, { pattern: '^[0-9A-Za-z]+$' }),
	attempt: limited(COUNT, { maximum: 100_000 }),
	url: limited(TEXT_OR_NULL, { maxLength: 500 }),
});

/** A commit of the main branch, as the repository has it. Title and author are untrusted text: escape them. */
export type BaselineCommit = Infer<typeof BASELINE_COMMIT>;
const BASELINE_COMMIT = objectOf({
	/** Full hash; of an npm release, where there is no commit, null. */
	sha: SHA_OR_NULL,
	/** Short and readable: `main@1a2b3c4`, `v5.1.0`, `koa@2.16.1`. */
	label: textOf(200),
	/** First parent. */
	parent: SHA_OR_NULL,
	/** The order of commits on the branch; null where history is cut off. */
	position: schemaOf<number | null>({
		type: ['integer', 'null'],
		minimum: 0,
		description: 'ancestors along first parents',
	}),
	/** When it was committed. */
	committedAt: MOMENT,
	/** First line of the message. */
	title: textOf(200),
	author: limited(TEXT_OR_NULL, { maxLength: 200 }),
});

/** Where the dashboard goes by default: a branch that is one commit, replaced each time. */
export const DEFAULT_SITE = 'branch:benchgate-site';

/**
 * How an anchor was chosen. `release`: the latest one. `given`: the user named it. `first`: the first commit that was measured,
 * where there is no release. `commit`: a later commit of the branch, because the anchor before it no longer builds, or because the
 * branch has moved too far from it.
 */
const ANCHOR_KINDS = ['release', 'given', 'first', 'commit'] as const;
export type AnchorKind = (typeof ANCHOR_KINDS)[number];

/** What a commit is measured against: for levels the last release. */
export type Anchor = Infer<typeof ANCHOR>;
const ANCHOR = objectOf({ sha: SHA_OR_NULL, label: textOf(200), kind: enumOf(ANCHOR_KINDS) });

/** Beyond what any two programs can differ by, and the widest interval of two rounds; sums of such figures stay finite. */
const LARGEST_LOG = 1_000;
const LOG_OR_NULL = limited(NUMBER_OR_NULL, { minimum: -LARGEST_LOG, maximum: LARGEST_LOG });
const SPREAD_OR_NULL = limited(NUMBER_OR_NULL, { minimum: 0, maximum: LARGEST_LOG });
const POSITIVE_OR_NULL = limited(NUMBER_OR_NULL, { minimum: 0, maximum: LARGEST_NUMBER });
/** Beyond any share, and well within what a log ratio may be. */
const LARGEST_SHARE = 1e9;
const SHARE = limited(NUMBER, { minimum: 0, maximum: LARGEST_SHARE });

/** Absolute figures of the commit or the reference server, from the same job. */
export type SoloFigures = Infer<typeof SOLO_FIGURES>;
const SOLO_FIGURES = define(
	'solo',
	described(
		objectOf({
			throughput: described(POSITIVE_OR_NULL, 'requests/s, median over rounds'),
			/** CPU time. */
			cpuPerRequest: described(POSITIVE_OR_NULL, 'microseconds'),
			/** Median latency. */
			latencyP50: described(POSITIVE_OR_NULL, 'milliseconds'),
			/** Most resident memory. */
			memoryPeak: described(POSITIVE_OR_NULL, 'bytes'),
			/** Windows behind them. */
			windows: COUNT,
		}),
		'absolute figures from windows in which one server alone was loaded',
	),
);

/** 0.63 is 63 %. Both servers were loaded in turn, in the same rounds. */
export type ReferenceShare = Infer<typeof REFERENCE_SHARE>;
const REFERENCE_SHARE = objectOf({
	value: SHARE,
	/** 95 % interval. */
	low: SHARE,
	high: SHARE,
	/** Rounds behind it: fresh processes of both. */
	rounds: COUNT,
});

/** One row of a baseline: a cell in one metric. Log ratios are signed so that negative is worse. */
export type BaselineCell = Infer<typeof BASELINE_CELL>;
const BASELINE_CELL = objectOf({
	server: NAME,
	scenario: NAME,
	metric: METRIC,
	/** Null when nothing could be measured. */
	theta: described(LOG_OR_NULL, 'log ratio commit against anchor; negative is worse'),
	/** From the spread pooled over runs; null with `theta`. */
	se: described(SPREAD_OR_NULL, 'standard error of theta'),
	low: described(LOG_OR_NULL, 'lower end of the 95 % interval of theta'),
	high: described(LOG_OR_NULL, 'upper end of the 95 % interval of theta'),
	/** Main rounds that entered. */
	rounds: COUNT,
	/** In this run; null below two rounds. */
	roundSd: described(SPREAD_OR_NULL, 'standard deviation of a round, log ratio'),
	/** Lag-1 autocorrelation of rounds; null below four. */
	lag1: described(limited(NUMBER_OR_NULL, { minimum: -2, maximum: 2 }), 'from −1 to 1, except for the last bits'),
	judgedBy: METRIC,
	/** What `compare` would say of this commit against the anchor with the config's threshold. */
	verdict: VERDICT,
	threshold: FRACTION,
	solo: orNull(ref(SOLO_FIGURES)),
	/** See `REFERENCE_SERVER`. */
	reference: described(orNull(ref(SOLO_FIGURES)), 'the same of the reference server, node-http, in the same job'),
	/** Absent where no share was measured, and in older records. */
	ofReference: optional(
		described(
			REFERENCE_SHARE,
			'requests/s as a share of those of the reference server, loaded in turn, with its 95 % interval',
		),
	),
	warnings: limited(listOf(ref(WARNING)), { maxItems: 50 }),
});

/** Cells in one record: more than any matrix has. */
const MOST_CELLS = 5_000;

/** One run that measured a commit: one file of the store, never changed after it was written. */
export type BaselineRecord = Infer<typeof BASELINE_SCHEMA>;
/** schema/baseline.schema.json. */
export const BASELINE_SCHEMA = documentOf(
	'benchgate baseline',
	objectOf({
		schemaVersion: literal(BASELINE_SCHEMA_VERSION),
		kind: literal('benchgate-baseline'),
		tool: ref(TOOL),
		purpose: enumOf(BASELINE_PURPOSES),
		/** When measuring began. */
		createdAt: MOMENT,
		run: STORED_RUN,
		commit: BASELINE_COMMIT,
		anchor: ANCHOR,
		/** Short digest of the machine's kind: CPU model, CPUs, kernel's major version, Node's major version. */
		environmentId: textOf(16, { pattern: '^[0-9a-f]{8,16}$' }),
		environment: ref(ENVIRONMENT),
		/** Revision of the bench servers, when they came from one. */
		harness: limited(TEXT_OR_NULL, { maxLength: 200 }),
		/** Digest of the packed code of the commit: equal digests need no new measurement; null when unknown. */
		subjectDigest: limited(TEXT_OR_NULL, { maxLength: 200 }),
		seed: NUMBER,
		ended: ref(ENDED),
		/** Who accepted that this commit is slower, and why; null when that was not necessary. */
		accepted: orNull(objectOf({ by: textOf(200), reason: limited(TEXT_OR_NULL, { maxLength: 2_000 }) })),
		cells: limited(listOf(BASELINE_CELL), { maxItems: MOST_CELLS }),
		warnings: limited(listOf(ref(WARNING)), { maxItems: 200 }),
		/** Exact command that repeats it. */
		reproduce: textOf(20_000),
	}),
	[TOOL, WARNING, ENVIRONMENT, ENDED, SOLO_FIGURES],
);

/** What a run of `benchgate baseline` came to. */
export interface BaselineRun {
	/** The level first, then link and closure, as far as they were measured. */
	readonly records: readonly BaselineRecord[];
	/** Where the rows of the level stand, given the earlier baselines; empty without a level. */
	readonly rows: readonly MainRow[];
	readonly anchor: Anchor;
	readonly head: BaselineCommit;
	/** Whether the level was not measured because head is the same code as the commit that was measured last. */
	readonly unchanged: boolean;
	readonly interrupted: boolean;
	/** To be said whether or not there is a record. */
	readonly notes: readonly string[];
}

/** How to name the measured commit or an anchor where two may have no hash: the hash, else the label. */
export function commitKey(commit: Pick<BaselineCommit | Anchor, 'sha' | 'label'>): string {
	return commit.sha ?? commit.label;
}
