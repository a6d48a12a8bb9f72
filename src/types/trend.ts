import {
	type Anchor,
	type BaselineCommit,
	MOMENT,
	NAME,
	type ReferenceShare,
	SHA,
	SHA_OR_NULL,
	type SoloFigures,
	STORED_RUN,
	textOf,
} from './baseline.ts';
import { METRIC, type MetricName } from './metric.ts';
import {
	COUNT,
	described,
	documentOf,
	enumOf,
	type Infer,
	limited,
	listOf,
	literal,
	NUMBER,
	NUMBER_OR_NULL,
	objectOf,
	optional,
	ref,
	schemaOf,
} from './schema.ts';
import { type Fraction, TOOL, type Warning } from './units.ts';
import type { Verdict } from './verdict.ts';

/**
 * Commits measured against one anchor. Log ratios of two eras can be compared only through the link between their
 * anchors.
 */
export interface Era {
	readonly index: number;
	readonly anchor: Anchor;
	/** Indexes into `Trend.commits`, inclusive. */
	readonly first: number;
	readonly last: number;
}

/** One measured commit in one row. Negative is worse. */
export interface TrendPoint {
	/** Index into `Trend.commits`. */
	readonly commit: number;
	readonly era: number;
	/** Against the era's anchor, with standard error. */
	readonly theta: number;
	readonly se: number;
	/** Against the first anchor, through all links; each link increases the standard error. */
	readonly chained: number;
	readonly chainedSe: number;
	readonly rounds: number;
	readonly verdict: Verdict;
	readonly solo: SoloFigures | null;
	readonly ofReference: ReferenceShare | null;
	readonly environmentId: string;
}

export interface Segment {
	/** Indexes into the row's points, inclusive. */
	readonly first: number;
	readonly last: number;
	/** Weighted mean of `chained`. */
	readonly mean: number;
	readonly se: number;
}

/** See docs/baselines.md. */
const CHANGE_STATES = ['suspected', 'confirmed', 'bisected', 'accepted', 'repaired', 'disproved'] as const;
export type ChangeState = (typeof CHANGE_STATES)[number];

const NAMED_CHANGE = described(NUMBER_OR_NULL, 'fraction: −0.03 is −3 %');

/** A bisect found it, and a fresh duet proved it. */
export type NamedCommit = Infer<typeof NAMED_COMMIT>;
const NAMED_COMMIT = objectOf({
	before: described(SHA, 'last commit before it that could be measured'),
	commit: described(SHA, 'first bad commit; with skipped ones the last that it may be'),
	skipped: described(limited(COUNT, { maximum: 1_000_000 }), 'commits between the two, which could not be measured'),
	/** Untrusted text. */
	title: described(textOf(200), 'first line of its message'),
	probability: limited(NUMBER, { minimum: 0, maximum: 1 }),
	/** Of the duet of `before` against `commit`. */
	judgedBy: METRIC,
	change: NAMED_CHANGE,
	low: NAMED_CHANGE,
	high: NAMED_CHANGE,
	rounds: limited(COUNT, { maximum: 1_000_000 }),
});

/**
 * A remark on a change, by a person or a measurement; the change itself is recomputed from the records. The latest
 * applies.
 */
export type ChangeNote = Infer<typeof CHANGE_NOTE>;
const CHANGE_NOTE = objectOf({
	/** As it was when noted. */
	id: described(textOf(400), 'row and first suspected commit: SERVER/SCENARIO METRIC @HASH12'),
	state: enumOf(CHANGE_STATES),
	by: described(textOf(100), 'a login, proof or bisect'),
	at: MOMENT,
	/** Issue number. */
	issue: schemaOf<number | null>({ type: ['integer', 'null'], minimum: 1 }),
	/** Null if skipped commits leave several candidates. */
	commit: optional(described(SHA_OR_NULL, 'the first bad commit, once a bisect has named it')),
	named: optional(described(NAMED_COMMIT, 'what the bisect found, and the duet that proved it')),
});

export const BISECTED_SCHEMA_VERSION = 1;

/** From a bisect to the job with write access. */
export type Bisected = Infer<typeof BISECTED_SCHEMA>;
export const BISECTED_SCHEMA = documentOf(
	'benchgate bisected',
	objectOf({
		schemaVersion: literal(BISECTED_SCHEMA_VERSION),
		kind: literal('benchgate-bisected'),
		tool: ref(TOOL),
		createdAt: MOMENT,
		run: STORED_RUN,
		server: NAME,
		scenario: NAME,
		metric: METRIC,
		good: SHA,
		bad: SHA,
		/** Log ratio over all rounds; negative is worse. */
		step: NUMBER,
		named: NAMED_COMMIT,
	}),
	[TOOL],
);

export const CHANGES_SCHEMA_VERSION = 1;

/** One run's notes: one immutable file of the store. */
export type ChangeNotes = Infer<typeof CHANGES_SCHEMA>;
export const CHANGES_SCHEMA = documentOf(
	'benchgate changes',
	objectOf({
		schemaVersion: literal(CHANGES_SCHEMA_VERSION),
		kind: literal('benchgate-changes'),
		tool: ref(TOOL),
		createdAt: MOMENT,
		run: STORED_RUN,
		notes: limited(listOf(CHANGE_NOTE), { maxItems: 2_000 }),
	}),
	[TOOL],
);

/** The latest decided duet of a change, or else the latest one. Log ratios; negative is worse. */
export interface ChangeProof {
	readonly outcome: 'shown' | 'refuted' | 'open';
	/** Indexes of base and head in `Trend.commits`. */
	readonly before: number;
	readonly after: number;
	readonly judgedBy: MetricName;
	readonly theta: number | null;
	readonly low: number | null;
	readonly high: number | null;
	readonly rounds: number;
	/** Size of the tested step. */
	readonly threshold: Fraction;
	/** ISO 8601 UTC. */
	readonly at: string;
	readonly tries: number;
}

/** A later level that undoes the change. */
export interface ChangeRepair {
	/** Index into `Trend.commits`. */
	readonly commit: number;
	/** Difference from the level before the change. */
	readonly step: number;
	readonly se: number;
}

export interface ChangePoint {
	/** `SERVER/SCENARIO METRIC @HASH12`: row and first suspected commit. Stable while history grows. */
	readonly id: string;
	/** Index of the first point after the change. */
	readonly at: number;
	/** Commits that may be the first of the change (indexes into `Trend.commits`), together with at least 95 %. */
	readonly candidates: readonly { readonly commit: number; readonly probability: number }[];
	/** Mean after the change minus mean before it, log ratio; negative is worse. */
	readonly step: number;
	readonly se: number;
	readonly state: ChangeState;
	/** The latest note, with the latest `issue` and `named` of all notes. */
	readonly note?: ChangeNote;
	readonly proof?: ChangeProof;
	readonly repair?: ChangeRepair;
}

/**
 * `below`: surely slower, by a drop that matters. `unsure`: too imprecise. `unsettled`: depends on a single baseline
 * that differs from the previous level or the anchor.
 */
export type Place = 'below' | 'level' | 'above' | 'unsure' | 'unsettled';

/** A row's newest level against the last anchor. */
export interface Standing {
	/** Log ratio. The intervals hold jointly for all rows, at 95 %. */
	readonly theta: number;
	readonly se: number;
	readonly low: number;
	readonly high: number;
	/** Runs, including repeats of a commit. */
	readonly baselines: number;
	/** False if `place` depends on a single baseline. */
	readonly settled: boolean;
	/** By the newest record's threshold. */
	readonly place: Place;
	/**
	 * Whether the row is `below`, seems so while it is unsettled, or has an interval that contains a drop of the
	 * threshold.
	 */
	readonly mayBeSlower: boolean;
	/** Newest commits without a usable measurement; they are not part of the level. */
	readonly failed: number;
	/** Index into `Trend.commits`; null for the anchor. */
	readonly since: number | null;
	readonly anchor: Anchor;
}

export interface RowTrend {
	/** `server/scenario`. */
	readonly cell: string;
	readonly server: string;
	readonly scenario: string;
	readonly metric: MetricName;
	readonly points: readonly TrendPoint[];
	/** Commits without a usable figure: index into `Trend.commits`, and reason. */
	readonly gaps: readonly { readonly commit: number; readonly verdict: Verdict; readonly reason: string }[];
	/** Variance between runs that their standard errors do not explain (Paule and Mandel). */
	readonly tau2: number;
	readonly segments: readonly Segment[];
	readonly changes: readonly ChangePoint[];
	/** Null if not measured against the last anchor. */
	readonly standing: Standing | null;
}

/** A new anchor measured against the previous one. */
export interface Link {
	readonly cell: string;
	readonly metric: MetricName;
	/** Era of the new anchor. */
	readonly era: number;
	readonly lambda: number;
	readonly se: number;
	/** Old level minus link minus new level, for commits measured against both anchors. */
	readonly closure: { readonly error: number; readonly se: number } | null;
}

/** All records combined. src/trend makes it for the site, `list` and the drift gate. */
export interface Trend {
	/** In branch order. */
	readonly commits: readonly BaselineCommit[];
	readonly eras: readonly Era[];
	readonly links: readonly Link[];
	readonly rows: readonly RowTrend[];
	/** Keyed by digest. */
	readonly environments: readonly {
		readonly id: string;
		readonly description: string;
		readonly records: number;
	}[];
	readonly warnings: readonly Warning[];
}
