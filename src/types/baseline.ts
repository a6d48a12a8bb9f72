/** Performance records of the main branch. */

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
import { FULL_HASH } from './shared-names.ts';
import { LARGEST_NUMBER, TOOL, WARNING } from './units.ts';
import { VERDICT } from './verdict.ts';

export const BASELINE_SCHEMA_VERSION = 1;

/**
 * `level`: a commit against the anchor. `link`: a new anchor against the previous one. `closure`: a commit of the new
 * era against the old anchor, to check the link. `proof`: a commit before a suspected change against one after it.
 */
const BASELINE_PURPOSES = ['level', 'link', 'closure', 'proof'] as const;
export type BaselinePurpose = (typeof BASELINE_PURPOSES)[number];

export function textOf(maxLength: number, more: { readonly pattern?: string } = {}): Schema<string> {
	return limited(TEXT, { maxLength, ...more });
}

const SHA_PATTERN = { pattern: `^${FULL_HASH}$` };
export const SHA = limited(TEXT, SHA_PATTERN);
export const SHA_OR_NULL = limited(TEXT_OR_NULL, SHA_PATTERN);
/** A server or scenario. */
export const NAME = textOf(64, { pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$' });
export const MOMENT = described(
	limited(TEXT, { pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,9})?Z$' }),
	'ISO 8601, UTC',
);

/** A workflow run, or a random id. Together with `attempt` it makes the file name unique. */
export const STORED_RUN = objectOf({
	id: textOf(40, { pattern: '^[0-9A-Za-z]+$' }),
	attempt: limited(COUNT, { maximum: 100_000 }),
	url: limited(TEXT_OR_NULL, { maxLength: 500 }),
});

/** Title and author are untrusted: escape them. */
export type BaselineCommit = Infer<typeof BASELINE_COMMIT>;
const BASELINE_COMMIT = objectOf({
	/** Null for an npm release without a known commit. */
	sha: SHA_OR_NULL,
	/** Short: `main@1a2b3c4`, `v5.1.0`, `koa@2.16.1`. */
	label: textOf(200),
	parent: SHA_OR_NULL,
	/** Orders commits; null in shallow history. */
	position: schemaOf<number | null>({
		type: ['integer', 'null'],
		minimum: 0,
		description: 'ancestors along first parents',
	}),
	committedAt: MOMENT,
	/** First line of the message. */
	title: textOf(200),
	author: limited(TEXT_OR_NULL, { maxLength: 200 }),
});

/** A branch with a single commit, replaced each time. */
export const DEFAULT_SITE = 'branch:benchgate-site';

/**
 * `release`: the latest release. `given`: the user's choice. `first`: without a release, the first measured commit.
 * `commit`: a later commit, because the anchor no longer builds or the branch has moved too far from it.
 */
const ANCHOR_KINDS = ['release', 'given', 'first', 'commit'] as const;
export type AnchorKind = (typeof ANCHOR_KINDS)[number];

/** Levels are measured against it. */
export type Anchor = Infer<typeof ANCHOR>;
const ANCHOR = objectOf({ sha: SHA_OR_NULL, label: textOf(200), kind: enumOf(ANCHOR_KINDS) });

/** Exceeds real differences and the widest interval of two rounds; sums stay finite. */
const LARGEST_LOG = 1_000;
const LOG_OR_NULL = limited(NUMBER_OR_NULL, { minimum: -LARGEST_LOG, maximum: LARGEST_LOG });
const SPREAD_OR_NULL = limited(NUMBER_OR_NULL, { minimum: 0, maximum: LARGEST_LOG });
const POSITIVE_OR_NULL = limited(NUMBER_OR_NULL, { minimum: 0, maximum: LARGEST_NUMBER });
/** Larger than any real share, yet its log ratio is within LARGEST_LOG. */
const LARGEST_SHARE = 1e9;
const SHARE = limited(NUMBER, { minimum: 0, maximum: LARGEST_SHARE });

export type SoloFigures = Infer<typeof SOLO_FIGURES>;
const SOLO_FIGURES = define(
	'solo',
	described(
		objectOf({
			throughput: described(POSITIVE_OR_NULL, 'requests/s, median over rounds'),
			cpuPerRequest: described(POSITIVE_OR_NULL, 'microseconds'),
			latencyP50: described(POSITIVE_OR_NULL, 'milliseconds'),
			memoryPeak: described(POSITIVE_OR_NULL, 'bytes'),
			windows: COUNT,
		}),
		'absolute figures from windows in which one server alone was loaded',
	),
);

/** 0.63 is 63 %. Server and reference are loaded in turn, in the same rounds. */
export type ReferenceShare = Infer<typeof REFERENCE_SHARE>;
const REFERENCE_SHARE = objectOf({
	value: SHARE,
	/** 95 % interval. */
	low: SHARE,
	high: SHARE,
	/** Rounds with fresh processes of both servers. */
	rounds: COUNT,
});

/** Log ratios; negative is worse. */
export type BaselineCell = Infer<typeof BASELINE_CELL>;
const BASELINE_CELL = objectOf({
	server: NAME,
	scenario: NAME,
	metric: METRIC,
	theta: described(LOG_OR_NULL, 'log ratio commit against anchor; negative is worse'),
	/** From the spread pooled over runs. */
	se: described(SPREAD_OR_NULL, 'standard error of theta'),
	low: described(LOG_OR_NULL, 'lower end of the 95 % interval of theta'),
	high: described(LOG_OR_NULL, 'upper end of the 95 % interval of theta'),
	rounds: COUNT,
	/** Null below two rounds. */
	roundSd: described(SPREAD_OR_NULL, 'standard deviation of a round, log ratio'),
	/** Lag-1 autocorrelation; null below four rounds. */
	lag1: described(limited(NUMBER_OR_NULL, { minimum: -2, maximum: 2 }), 'from −1 to 1, except for the last bits'),
	judgedBy: METRIC,
	/** As `compare` decides against the anchor, with the config's threshold. */
	verdict: VERDICT,
	threshold: FRACTION,
	solo: orNull(ref(SOLO_FIGURES)),
	reference: described(orNull(ref(SOLO_FIGURES)), 'the same of the reference server, node-http, in the same job'),
	ofReference: optional(
		described(
			REFERENCE_SHARE,
			'requests/s as a share of those of the reference server, loaded in turn, with its 95 % interval',
		),
	),
	warnings: limited(listOf(ref(WARNING)), { maxItems: 50 }),
});

const MOST_CELLS = 5_000;

/** Characters. */
export const MOST_PACKED = 400_000;

export type KeptCoverage = Infer<typeof KEPT_COVERAGE>;
const KEPT_COVERAGE = objectOf({
	subject: textOf(214),
	/** In the repository. */
	folder: textOf(1_000),
	packed: textOf(MOST_PACKED, { pattern: '^[A-Za-z0-9+/]+={0,2}$' }),
});

/** One run's measurement: one immutable file of the store. */
export type BaselineRecord = Infer<typeof BASELINE_SCHEMA>;
export const BASELINE_SCHEMA = documentOf(
	'benchgate baseline',
	objectOf({
		schemaVersion: literal(BASELINE_SCHEMA_VERSION),
		kind: literal('benchgate-baseline'),
		tool: ref(TOOL),
		purpose: enumOf(BASELINE_PURPOSES),
		createdAt: MOMENT,
		run: STORED_RUN,
		commit: BASELINE_COMMIT,
		anchor: ANCHOR,
		/** Digest of CPU model, number of CPUs, and major versions of kernel and Node. */
		environmentId: textOf(16, { pattern: '^[0-9a-f]{8,16}$' }),
		environment: ref(ENVIRONMENT),
		harness: limited(TEXT_OR_NULL, { maxLength: 200 }),
		/** Digest of the packed code; equal code needs no new measurement. */
		subjectDigest: limited(TEXT_OR_NULL, { maxLength: 200 }),
		seed: NUMBER,
		ended: ref(ENDED),
		/** Acceptance of a slower commit; null if not needed. */
		accepted: orNull(objectOf({ by: textOf(200), reason: limited(TEXT_OR_NULL, { maxLength: 2_000 }) })),
		cells: limited(listOf(BASELINE_CELL), { maxItems: MOST_CELLS }),
		coverage: optional(described(KEPT_COVERAGE, 'which functions of the subject rows run: JSON, Brotli, base64')),
		warnings: limited(listOf(ref(WARNING)), { maxItems: 200 }),
		reproduce: textOf(20_000),
	}),
	[TOOL, WARNING, ENVIRONMENT, ENDED, SOLO_FIGURES],
);

export interface BaselineRun {
	/** The level first, then link and closure. */
	readonly records: readonly BaselineRecord[];
	/** Rows of the level, with earlier baselines. */
	readonly rows: readonly MainRow[];
	/** Rows, as `server/scenario`, whose slowdowns are all accepted. */
	readonly acceptedRows?: readonly string[];
	readonly anchor: Anchor;
	readonly head: BaselineCommit;
	/** Skipped, because head's code equals the last measured commit's. */
	readonly unchanged: boolean;
	readonly interrupted: boolean;
	/** Printed even without records. */
	readonly notes: readonly string[];
}

/** Returns the hash, or else the label. */
export function commitKey(commit: Pick<BaselineCommit | Anchor, 'sha' | 'label'>): string {
	return commit.sha ?? commit.label;
}
