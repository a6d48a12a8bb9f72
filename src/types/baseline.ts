import type { MainRow } from './main-baselines.ts';
import type { MetricName } from './metric.ts';
import type { Environment } from './result.ts';
import type { EndReason } from './round.ts';
import type { Fraction, Warning } from './units.ts';
import type { Verdict } from './verdict.ts';

export const BASELINE_SCHEMA_VERSION = 1;

/**
 * Node's own HTTP server without any framework, as close to the machine as a server of this kind gets: what absolute figures of
 * baselines are shown as a share of, and with which a ranking compares others by default.
 */
export const REFERENCE_SERVER = 'node-http';

/**
 * Why a commit was measured. `level`: a commit of the main branch against the anchor. `link`: a new anchor against the one
 * before. `closure`: a commit of the new era against the old anchor, to check the link. `proof`: the two ends of a suspected
 * change against each other.
 */
export const BASELINE_PURPOSES = ['level', 'link', 'closure', 'proof'] as const;
export type BaselinePurpose = (typeof BASELINE_PURPOSES)[number];

/** A commit of the main branch, as the repository tells it. Title and author are text of strangers: escape them. */
export interface BaselineCommit {
	/** Full hash; of an npm release, where there is no commit, null. */
	readonly sha: string | null;
	/** Short and readable: `main@1a2b3c4`, `v5.1.0`, `koa@2.16.1`. */
	readonly label: string;
	/** First parent. */
	readonly parent: string | null;
	/** Number of ancestors along first parents: the order of commits on the branch; null where history is cut off. */
	readonly position: number | null;
	/** When it was committed, ISO 8601 UTC. */
	readonly committedAt: string;
	/** First line of the message, at most 200 characters. */
	readonly title: string;
	readonly author: string | null;
}

/** Where baselines are kept unless somebody says otherwise: a branch of its own, beside the code. */
export const DEFAULT_STORE = 'branch:benchgate';

/** Where the dashboard goes unless somebody says otherwise: a branch that is one commit, replaced each time. */
export const DEFAULT_SITE = 'branch:benchgate-site';

/**
 * How an anchor was chosen. `release`: the latest one. `given`: the user named it. `first`: the first commit that was measured,
 * where there is no release. `commit`: a later commit of the branch, because the anchor before it no longer builds, or because the
 * branch has moved too far from it.
 */
export const ANCHOR_KINDS = ['release', 'given', 'first', 'commit'] as const;
export type AnchorKind = (typeof ANCHOR_KINDS)[number];

/** What a commit is measured against: for levels the last release. */
export interface Anchor {
	readonly sha: string | null;
	readonly label: string;
	readonly kind: AnchorKind;
}

/** Absolute figures of the commit or the reference server, from windows of the same job in which it alone was loaded. */
export interface SoloFigures {
	/** Requests per second, median over rounds. */
	readonly throughput: number | null;
	/** CPU time per request in microseconds. */
	readonly cpuPerRequest: number | null;
	/** Median latency in milliseconds. */
	readonly latencyP50: number | null;
	/** Most resident memory in bytes. */
	readonly memoryPeak: number | null;
	/** Windows behind them. */
	readonly windows: number;
}

/** Requests per second as a share of the reference server's: 0.63 is 63 %. Both were loaded in turn, in the same rounds. */
export interface ReferenceShare {
	readonly value: number;
	/** 95 % interval. */
	readonly low: number;
	readonly high: number;
	/** Rounds behind it: fresh processes of both. */
	readonly rounds: number;
}

/** One row of a baseline: a cell in one metric. Log ratios are signed so that negative is worse. */
export interface BaselineCell {
	readonly server: string;
	readonly scenario: string;
	readonly metric: MetricName;
	/** Signed log ratio commit against anchor; null when nothing could be measured. */
	readonly theta: number | null;
	/** Standard error of `theta`, from the spread pooled over runs; null with `theta`. */
	readonly se: number | null;
	/** 95 % interval of `theta`, log ratios. */
	readonly low: number | null;
	readonly high: number | null;
	/** Main rounds that entered. */
	readonly rounds: number;
	/** Standard deviation of a round in this run; null below two rounds. */
	readonly roundSd: number | null;
	/** Lag-1 autocorrelation of rounds; null below four. */
	readonly lag1: number | null;
	readonly judgedBy: MetricName;
	/** What `compare` would say of this commit against the anchor with the config's threshold. */
	readonly verdict: Verdict;
	readonly threshold: Fraction;
	readonly solo: SoloFigures | null;
	/** The same of `REFERENCE_SERVER` in the same job. */
	readonly reference: SoloFigures | null;
	/** Absent where no share was measured, and in older records. */
	readonly ofReference?: ReferenceShare;
	readonly warnings: readonly Warning[];
}

/** One run that measured a commit: one file of the store, never changed after it was written. schema/baseline.schema.json. */
export interface BaselineRecord {
	readonly schemaVersion: typeof BASELINE_SCHEMA_VERSION;
	readonly kind: 'benchgate-baseline';
	readonly tool: { readonly name: 'benchgate'; readonly version: string };
	readonly purpose: BaselinePurpose;
	/** When measuring began, ISO 8601 UTC. */
	readonly createdAt: string;
	/** The workflow run, or a random id of a run by hand: with `attempt` it makes the file's name unique. */
	readonly run: { readonly id: string; readonly attempt: number; readonly url: string | null };
	readonly commit: BaselineCommit;
	readonly anchor: Anchor;
	/** Short digest of the machine's kind: CPU model, CPUs, kernel's major version, Node's major version. */
	readonly environmentId: string;
	readonly environment: Environment;
	/** Revision of the bench servers, when they came from one. */
	readonly harness: string | null;
	/** Digest of the packed code of the commit: equal digests need no new measurement; null when unknown. */
	readonly subjectDigest: string | null;
	readonly seed: number;
	readonly ended: EndReason;
	/** Who accepted that this commit is slower, and why; null when nobody had to. */
	readonly accepted: { readonly by: string; readonly reason: string | null } | null;
	readonly cells: readonly BaselineCell[];
	readonly warnings: readonly Warning[];
	/** Exact command that repeats it. */
	readonly reproduce: string;
}

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
