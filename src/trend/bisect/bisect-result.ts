/** What a bisect found. */
import { EXIT } from '../../types/errors.ts';
import type { MetricName } from '../../types/metric.ts';
import type { Bisected } from '../../types/trend.ts';
import type { Fraction, Seconds, Warning } from '../../types/units.ts';
import type { Interval } from '../../types/verdict.ts';
import type { BisectState, Posterior } from './bisect-state.ts';
import type { BisectStep } from './next-step.ts';

/** Titles are cut there, as in a baseline. */
const TITLE_LIMIT = 200;

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

/** Returns 0 for a commit that is named and proven, 1 for none, 3 when nothing could be measured, 130 when interrupted. */
export function bisectExitCode({ ended, state }: Pick<BisectResult, 'ended' | 'state'>): number {
	if (ended.kind === 'interrupted') return EXIT.interrupted;
	if (ended.kind === 'found' && ended.proven) return EXIT.passed;
	const measured = state.probes.length + state.same.length > 0;
	return measured ? EXIT.gateFailed : EXIT.nothingMeasured;
}

// What a bisect hands on to the job that writes.

/**
 * Returns what a bisect hands on to the job that writes: the commit that it named and proved. Null for one that named none, or
 * could not prove it. `origin` says which run of which release it was, and when.
 */
export function bisectedOf(
	{ ended, commits, proof, posterior, row }: Pick<BisectResult, 'ended' | 'commits' | 'proof' | 'posterior' | 'row'>,
	origin: Pick<Bisected, 'schemaVersion' | 'kind' | 'tool' | 'createdAt' | 'run'>,
): Bisected | null {
	if (ended.kind !== 'found' || !ended.proven || proof === null) return null;
	const { before, after, probability } = ended.span;
	const commitAt = (at: number) => commits.at(at) as BisectCommit;
	const [server = '', ...scenario] = row.cell.split('/');
	const { judgedBy, change, interval, rounds } = proof;
	return {
		...origin,
		server,
		scenario: scenario.join('/'),
		metric: row.metric,
		good: commitAt(0).sha,
		bad: commitAt(-1).sha,
		step: posterior.theta,
		named: {
			before: commitAt(before).sha,
			commit: commitAt(after).sha,
			skipped: after - before - 1,
			title: commitAt(after).title.slice(0, TITLE_LIMIT),
			probability: Math.min(1, probability),
			judgedBy,
			change,
			low: interval?.low ?? null,
			high: interval?.high ?? null,
			rounds,
		},
	};
}
