/** What the pages read: written by site-files.ts, read by the code in `page`. Short arrays by column keep the files small. */
import type { MetricName } from '../types/metric.ts';
import type { ChangeState, Standing } from '../types/trend.ts';
import type { Verdict } from '../types/verdict.ts';

export const SITE_VERSION = 1;

/** What the dashboard says about itself. */
export interface SiteInfo {
	/** Name of the project, for titles. */
	readonly project: string;
	/** Page of the repository, for links to commits; null for none. */
	readonly repository: string | null;
	/** When the newest record was measured, ISO 8601 UTC; null without any. */
	readonly measuredAt: string | null;
}

/** A share of the reference server's requests/s with its 95 % interval: 0.63 is 63 %. */
export type SiteShare = readonly [value: number, low: number, high: number];

/** A row in the lists of the index. */
export interface SiteRow {
	/** `server/scenario`, and the metric behind a comma unless it is throughput: names the row in addresses. */
	readonly id: string;
	readonly server: string;
	readonly scenario: string;
	readonly metric: MetricName;
	/** File of its points, below `data/`. */
	readonly file: string;
	/** Level of the newest code against the latest anchor, as in a trend; null without one. */
	readonly standing: Pick<
		Standing,
		'theta' | 'low' | 'high' | 'baselines' | 'place' | 'mayBeSlower' | 'failed' | 'since'
	> | null;
	/** Of the newest point with figures: requests/s, and the share of the reference server's; a share is null where none was measured. */
	readonly rate: number | null;
	readonly ofReference: SiteShare | null;
	readonly tau: number;
	readonly points: number;
	readonly gaps: number;
	readonly inconclusive: number;
}

/** The first bad commit, as a bisect has named it. */
export interface NamedOnSite {
	readonly sha: string;
	readonly title: string;
	readonly probability: number;
}

/** A change of a row. */
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
	/** Absent until a bisect has named it. */
	readonly named?: NamedOnSite;
}

/** `data/index.json`: what the first page needs of every row. */
export interface SiteIndex {
	readonly version: typeof SITE_VERSION;
	readonly project: string;
	/** `https://HOST/OWNER/NAME`, for links; null when unknown. */
	readonly repository: string | null;
	/** ISO 8601, of the newest record. */
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
	readonly environments: readonly { readonly id: string; readonly description: string; readonly records: number }[];
	readonly warnings: readonly string[];
}

/** `data/overview.json`: per row commit and level of the last commits. Both as differences, levels in 1/10,000. */
export interface SiteOverview {
	readonly rows: readonly (readonly [commits: readonly number[], levels: readonly number[]])[];
}

/** One row with all its points. Levels are log ratios against the latest anchor, through the links. */
export interface SiteCell {
	readonly commit: readonly number[];
	/** Of a release whose measurement is the step to its own era, that era. */
	readonly era: readonly number[];
	readonly level: readonly number[];
	/** Standard errors against the anchor of the point's era: what that anchor adds is in `anchors`. */
	readonly se: readonly number[];
	readonly rounds: readonly number[];
	readonly verdict: readonly Verdict[];
	readonly rate: readonly (number | null)[];
	readonly ofReference: readonly (SiteShare | null)[];
	readonly cpu: readonly (number | null)[];
	readonly environment: readonly string[];
	/** Each era's anchor against the latest, and its standard error; null where the row has no point of the era. */
	readonly anchors: readonly ({ readonly level: number; readonly se: number } | null)[];
	readonly segments: readonly {
		readonly first: number;
		readonly last: number;
		readonly mean: number;
		readonly se: number;
	}[];
	readonly gaps: readonly { readonly commit: number; readonly reason: string }[];
}
