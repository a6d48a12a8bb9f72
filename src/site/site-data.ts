/** Data files of the dashboard, with an array per column to stay small. */
import type { MetricName } from '../types/metric.ts';
import type { ChangeState, Standing } from '../types/trend.ts';
import type { Verdict } from '../types/verdict.ts';

export const SITE_VERSION = 1;

export interface SiteInfo {
	readonly project: string;
	readonly repository: string | null;
	/** Newest record, ISO 8601 UTC. */
	readonly measuredAt: string | null;
}

/** Share of the reference server's requests/s, with its 95 % interval: 0.63 is 63 %. */
export type SiteShare = readonly [value: number, low: number, high: number];

export interface SiteRow {
	/** See `rowId`. */
	readonly id: string;
	readonly server: string;
	readonly scenario: string;
	readonly metric: MetricName;
	/** Path below `data/`. */
	readonly file: string;
	/** Newest code against the latest anchor. */
	readonly standing: Pick<
		Standing,
		'theta' | 'low' | 'high' | 'baselines' | 'place' | 'mayBeSlower' | 'failed' | 'since'
	> | null;
	/** Newest requests/s. */
	readonly rate: number | null;
	readonly ofReference: SiteShare | null;
	readonly tau: number;
	readonly points: number;
	readonly gaps: number;
	readonly inconclusive: number;
}

export interface NamedOnSite {
	readonly sha: string;
	readonly title: string;
	readonly probability: number;
}

export interface SiteChange {
	readonly id: string;
	readonly row: number;
	/** Index of the first changed commit. */
	readonly commit: number;
	readonly candidates: readonly (readonly [commit: number, probability: number])[];
	readonly step: number;
	readonly se: number;
	readonly state: ChangeState;
	readonly issue: number | null;
	/** Present if a bisect named a commit. */
	readonly named?: NamedOnSite;
}

/** `data/index.json`. */
export interface SiteIndex {
	readonly version: typeof SITE_VERSION;
	readonly project: string;
	/** `https://HOST/OWNER/NAME`. */
	readonly repository: string | null;
	readonly measuredAt: string | null;
	readonly commits: {
		readonly sha: readonly (string | null)[];
		readonly label: readonly string[];
		readonly title: readonly string[];
		readonly author: readonly (string | null)[];
		/** Seconds since 1970. */
		readonly at: readonly number[];
	};
	readonly eras: readonly {
		readonly anchor: string;
		readonly sha: string | null;
		readonly first: number;
		readonly last: number;
	}[];
	readonly rows: readonly SiteRow[];
	readonly changes: readonly SiteChange[];
	/** Indexes into `changes` that one commit explains, surest first; latest group first. */
	readonly groups: readonly (readonly number[])[];
	/** Half-width of joint 95 % intervals, in standard errors. */
	readonly reach: number;
	readonly environments: readonly { readonly id: string; readonly description: string; readonly records: number }[];
	readonly warnings: readonly string[];
}

/** `data/overview.json`: last commits and levels per row, as differences; levels in 1/10,000. */
export interface SiteOverview {
	readonly rows: readonly (readonly [commits: readonly number[], levels: readonly number[]])[];
}

/** Levels are log ratios against the latest anchor, through the links. */
export interface SiteCell {
	readonly commit: readonly number[];
	/** A release belongs to its own era if the point is the link to it. */
	readonly era: readonly number[];
	readonly level: readonly number[];
	/** Standard error against the anchor of the point's era; `anchors` has that anchor's error. */
	readonly se: readonly number[];
	readonly rounds: readonly number[];
	readonly verdict: readonly Verdict[];
	readonly rate: readonly (number | null)[];
	readonly ofReference: readonly (SiteShare | null)[];
	readonly cpu: readonly (number | null)[];
	readonly environment: readonly string[];
	/** For each era, its anchor against the latest; null if the era has no point. */
	readonly anchors: readonly ({ readonly level: number; readonly se: number } | null)[];
	readonly segments: readonly {
		readonly first: number;
		readonly last: number;
		readonly mean: number;
		readonly se: number;
	}[];
	readonly gaps: readonly { readonly commit: number; readonly reason: string }[];
}
