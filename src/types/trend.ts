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

/** All commits measured against one anchor. Log ratios of two eras compare only through the link between their anchors. */
export interface Era {
	readonly index: number;
	readonly anchor: Anchor;
	/** Index into `Trend.commits` of its first and last commit. */
	readonly first: number;
	readonly last: number;
}

/** One measured commit in one row: a point of the curve. Negative is worse throughout. */
export interface TrendPoint {
	/** Index into `Trend.commits`. */
	readonly commit: number;
	readonly era: number;
	/** Log ratio against the era's own anchor, and its standard error. */
	readonly theta: number;
	readonly se: number;
	/** Log ratio against the first anchor, through the links, and its standard error: it grows with every link. */
	readonly chained: number;
	readonly chainedSe: number;
	readonly rounds: number;
	readonly verdict: Verdict;
	readonly solo: SoloFigures | null;
	/** Null where none was measured, and in older records. */
	readonly ofReference: ReferenceShare | null;
	readonly environmentId: string;
}

/** Consecutive points with one level. */
export interface Segment {
	/** Indexes into the row's points, both included. */
	readonly first: number;
	readonly last: number;
	/** Weighted mean of `chained`, and its standard error. */
	readonly mean: number;
	readonly se: number;
}

/** Life of a change: docs/baselines.md. */
const CHANGE_STATES = ['suspected', 'confirmed', 'bisected', 'accepted', 'repaired', 'disproved'] as const;
export type ChangeState = (typeof CHANGE_STATES)[number];

const NAMED_CHANGE = described(NUMBER_OR_NULL, 'fraction: −0.03 is −3 %');

/** The first bad commit of a range, as a bisect has named it and a fresh duet has proven it. */
export type NamedCommit = Infer<typeof NAMED_COMMIT>;
const NAMED_COMMIT = objectOf({
	before: described(SHA, 'last commit before it that could be measured'),
	commit: described(SHA, 'first bad commit; with skipped ones the last that it may be'),
	skipped: described(limited(COUNT, { maximum: 1_000_000 }), 'commits between the two, which could not be measured'),
	/** Untrusted text. */
	title: described(textOf(200), 'first line of its message'),
	probability: limited(NUMBER, { minimum: 0, maximum: 1 }),
	/** Metric of the duet of `before` against `commit`; its change and interval, null where it has none. */
	judgedBy: METRIC,
	change: NAMED_CHANGE,
	low: NAMED_CHANGE,
	high: NAMED_CHANGE,
	rounds: limited(COUNT, { maximum: 1_000_000 }),
});

/**
 * What a person or a measurement has said about a change. Kept in the store: the change itself is found anew from the records
 * each time. The latest note of a change counts.
 */
export type ChangeNote = Infer<typeof CHANGE_NOTE>;
const CHANGE_NOTE = objectOf({
	/** The change's `id` when the note was made. */
	id: described(textOf(400), 'row and first suspected commit: SERVER/SCENARIO METRIC @HASH12'),
	state: enumOf(CHANGE_STATES),
	/** Who or what said so. */
	by: described(textOf(100), 'a login, proof or bisect'),
	at: MOMENT,
	/** Number of the issue about it; null when there is none. */
	issue: schemaOf<number | null>({ type: ['integer', 'null'], minimum: 1 }),
	/** Null where it named several that could not be measured. */
	commit: optional(described(SHA_OR_NULL, 'the first bad commit, once a bisect has named it')),
	/** Absent where no bisect said so. */
	named: optional(described(NAMED_COMMIT, 'what the bisect found, and the duet that proved it')),
});

export const BISECTED_SCHEMA_VERSION = 1;

/** What a bisect of a row found: one file, for the job that may write. */
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
		/** Ends of the range. */
		good: SHA,
		bad: SHA,
		/** Size of the change over all rounds, log ratio; negative is worse. */
		step: NUMBER,
		named: NAMED_COMMIT,
	}),
	[TOOL],
);

export const CHANGES_SCHEMA_VERSION = 1;

/** What one run has to say about changes: one file of the store, never changed after it was written. */
export type ChangeNotes = Infer<typeof CHANGES_SCHEMA>;
/** schema/changes.schema.json. */
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

/** What fresh duets of the two ends of a change came to: the latest that decided, else the latest. Log ratios, negative is worse. */
export interface ChangeProof {
	/** `open`: it could not be decided. */
	readonly outcome: 'shown' | 'refuted' | 'open';
	/** Index into `Trend.commits` of the commit that was base, and of the one that was head. */
	readonly before: number;
	readonly after: number;
	readonly judgedBy: MetricName;
	readonly theta: number | null;
	readonly low: number | null;
	readonly high: number | null;
	readonly rounds: number;
	/** The step that it looked for, a fraction. */
	readonly threshold: Fraction;
	/** When, ISO 8601 UTC. */
	readonly at: string;
	/** Duets so far. */
	readonly tries: number;
}

/** Where a change was made up for. */
export interface ChangeRepair {
	/** Index into `Trend.commits` of the first commit of the level that did. */
	readonly commit: number;
	/** That level less the one before the change, and its standard error. */
	readonly step: number;
	readonly se: number;
}

/** A place where the level of a row changed. */
export interface ChangePoint {
	/** Stable while the history grows: row and first suspected commit, `SERVER/SCENARIO METRIC @HASH12`. */
	readonly id: string;
	/** Index into the row's points of the first point after the change. */
	readonly at: number;
	/** Commits that may be the first changed one, with their probability; together at least 95 %. Indexes into `Trend.commits`. */
	readonly candidates: readonly { readonly commit: number; readonly probability: number }[];
	/** Difference of the means after and before, log ratio; negative is worse. */
	readonly step: number;
	readonly se: number;
	readonly state: ChangeState;
	/** The latest of what was said of it; its `issue` and `named` are the latest there were. Absent where nothing was said. */
	readonly note?: ChangeNote;
	readonly proof?: ChangeProof;
	readonly repair?: ChangeRepair;
}

/**
 * Where a row stands against the anchor. `below`: surely slower, by a drop that matters. `unsure`: too imprecise. `unsettled`: a single
 * baseline differs from the level before it, or from the anchor, and so much that the place hangs on it.
 */
export type Place = 'below' | 'level' | 'above' | 'unsure' | 'unsettled';

/** Current place of a row against the anchor of the last era: the level of its newest code. */
export interface Standing {
	/** Log ratio against the last anchor, its standard error, and its interval, which holds jointly for all rows with 95 %. */
	readonly theta: number;
	readonly se: number;
	readonly low: number;
	readonly high: number;
	/** Number of baselines behind the level: runs, also those of one commit. */
	readonly baselines: number;
	/** False while a single baseline shows that the place has changed. */
	readonly settled: boolean;
	/** Judged by the threshold of the newest record. */
	readonly place: Place;
	/** Whether the row is slower, or at one of its two levels while it is unsettled, or a drop of the threshold is not ruled out. */
	readonly mayBeSlower: boolean;
	/** Newest commits of which no measurement could be used. The level is that of the code before them. */
	readonly failed: number;
	/** Index into `Trend.commits` since when it has been so; null since the anchor. */
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
	/** Commits that were measured without a usable figure: index into `Trend.commits`, and why. */
	readonly gaps: readonly { readonly commit: number; readonly verdict: Verdict; readonly reason: string }[];
	/** Variance between runs beyond their standard errors, by Paule and Mandel. */
	readonly tau2: number;
	readonly segments: readonly Segment[];
	readonly changes: readonly ChangePoint[];
	/** Null if the row was not measured against the last anchor. */
	readonly standing: Standing | null;
}

/** Measurement of a new anchor against the one before, of one row. */
export interface Link {
	readonly cell: string;
	readonly metric: MetricName;
	/** Index of the era that it leads to. */
	readonly era: number;
	readonly lambda: number;
	readonly se: number;
	/** Old level minus link minus new level of commits measured against both anchors, and its standard error; null without any. */
	readonly closure: { readonly error: number; readonly se: number } | null;
}

/** What all records of a project say together: made by src/trend from records, read by the site, `list` and the drift gate. */
export interface Trend {
	/** Measured commits in the order of the branch. */
	readonly commits: readonly BaselineCommit[];
	readonly eras: readonly Era[];
	readonly links: readonly Link[];
	readonly rows: readonly RowTrend[];
	/** Kinds of machine by their digest. */
	readonly environments: readonly {
		readonly id: string;
		readonly description: string;
		readonly records: number;
	}[];
	readonly warnings: readonly Warning[];
}
