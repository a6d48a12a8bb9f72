import { EXIT } from '../../types/errors.ts';
import type { MetricName } from '../../types/metric.ts';
import type { Bisected } from '../../types/trend.ts';
import type { Fraction, Seconds, Warning } from '../../types/units.ts';
import type { Interval } from '../../types/verdict.ts';
import type { BisectState, Posterior } from './bisect-state.ts';
import type { BisectStep } from './next-step.ts';

const TITLE_LIMIT = 200;

/** Titles and authors are untrusted text. */
export interface BisectCommit {
	readonly sha: string;
	readonly title: string;
	readonly author: string;
	/** ISO 8601. */
	readonly committedAt: string;
}

export interface ProofFigures {
	readonly before: number;
	readonly after: number;
	/** Metric of `change` and `interval`: the row's, or CPU per request. */
	readonly judgedBy: MetricName;
	readonly change: Fraction | null;
	readonly interval: Interval | null;
	readonly rounds: number;
}

/** `budget` and `interrupted`: there was no time for the next step. */
export type BisectEnd = Exclude<BisectStep, { kind: 'probe' | 'prove' }> | { readonly kind: 'budget' | 'interrupted' };

export interface BisectResult {
	readonly row: { readonly cell: string; readonly metric: MetricName };
	/** By number: 0 is good, the last is bad. */
	readonly commits: readonly BisectCommit[];
	readonly state: BisectState;
	readonly posterior: Posterior;
	readonly ended: BisectEnd;
	/** The duet that showed the change, or the last duet. */
	readonly proof: ProofFigures | null;
	/** Why commits could not be measured, by number. */
	readonly reasons: Readonly<Record<number, string>>;
	readonly doubts: readonly Warning[];
	/** Time of all calls, including builds. */
	readonly seconds: Seconds;
	readonly reproduce: string;
}

export function bisectExitCode({ ended, state }: Pick<BisectResult, 'ended' | 'state'>): number {
	if (ended.kind === 'interrupted') return EXIT.interrupted;
	if (ended.kind === 'found' && ended.proven) return EXIT.passed;
	const measured = state.probes.length + state.same.length > 0;
	return measured ? EXIT.gateFailed : EXIT.nothingMeasured;
}

/**
 * Returns the proven commit for the job with write access; null if no commit is proven. `origin`: run, release and
 * time.
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
