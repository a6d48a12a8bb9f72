import type { MetricName } from '../../types/metric.ts';
import type { Fraction, Seconds, Warning } from '../../types/units.ts';
import type { Interval } from '../../types/verdict.ts';
import type { BisectState, Posterior } from './bisect-state.ts';
import type { BisectStep } from './next-step.ts';

/** A commit as reports name it; titles and authors are text of strangers. */
export interface BisectCommit {
	readonly sha: string;
	readonly title: string;
	readonly author: string;
	/** ISO 8601. */
	readonly committedAt: string;
}

/** What the duet of two neighbouring commits said. */
export interface ProofFigures {
	readonly before: number;
	readonly after: number;
	/** The metric that decided it: the row's, or CPU per request in its place. Change and interval are of this one. */
	readonly judgedBy: MetricName;
	readonly change: Fraction | null;
	readonly interval: Interval | null;
	readonly rounds: number;
}

/** The last step; `budget` and `interrupted` when there was no time for the next. */
export type BisectEnd = Exclude<BisectStep, { kind: 'probe' | 'prove' }> | { readonly kind: 'budget' | 'interrupted' };

/** What a bisect came to. */
export interface BisectResult {
	readonly row: { readonly cell: string; readonly metric: MetricName };
	/** Commits by their number: 0 is good, the last is bad. */
	readonly commits: readonly BisectCommit[];
	readonly state: BisectState;
	readonly posterior: Posterior;
	readonly ended: BisectEnd;
	/** The duet that showed it, or the last that did not. */
	readonly proof: ProofFigures | null;
	/** Why commits could not be measured, by their number. */
	readonly reasons: Readonly<Record<number, string>>;
	readonly doubts: readonly Warning[];
	/** Of measuring and building, in all calls that worked on it. */
	readonly seconds: Seconds;
	/** Command that repeats it, or goes on. */
	readonly reproduce: string;
}
