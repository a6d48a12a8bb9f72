/** What a bisect hands on to the job that writes. */
import type { Bisected } from '../../types/trend.ts';
import type { BisectCommit, BisectResult } from './bisect-result.ts';

/** Titles are cut there, as in a baseline. */
const TITLE_LIMIT = 200;

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
