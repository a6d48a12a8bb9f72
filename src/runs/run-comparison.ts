/** A comparison: two sides are measured until every row has its verdict. */
import { decide } from '../judge/decide.ts';
import { prepareChanged, prepareSides, type Unchanged } from '../prepare/prepare-sides.ts';
import type { Raw } from '../types/result.ts';
import type { Decision } from '../types/verdict.ts';
import { describeProgress } from './describe-progress.ts';
import { type PairKind, type PairOptions, runPair } from './run-pair.ts';

export interface RunOptions extends PairOptions {
	/** Measure nothing when the revisions differ and yet are the same code where it matters. */
	readonly skipUnchanged?: boolean;
}

/**
 * Runs a whole comparison and returns its raw data, complete also when interrupted while measuring. With `skipUnchanged`
 * it may return, before any server is installed, that there is nothing to measure.
 */
export async function runComparison(options: RunOptions & { readonly skipUnchanged?: false }): Promise<Raw>;
export async function runComparison(options: RunOptions): Promise<Raw | Unchanged>;
export async function runComparison(options: RunOptions): Promise<Raw | Unchanged> {
	const ended = await runPair(options, {
		prepare: preparing(options.skipUnchanged === true),
		lanes: true,
		rule: (plan) => ({
			decide: (rounds, reason) => decide(plan, rounds, reason),
			describe: describeProgress,
		}),
	});
	return 'stop' in ended ? ended.stop : ended;
}

/** Returns how the sides of a comparison are prepared; with `skipUnchanged` that may end with there being nothing to measure. */
export function preparing(skipUnchanged: boolean): PairKind<Decision, Unchanged>['prepare'] {
	return async (config, revisions, context) => {
		if (!skipUnchanged) return prepareSides(config, revisions, context);
		const prepared = await prepareChanged(config, revisions, context);
		return 'unchanged' in prepared ? { stop: prepared } : prepared;
	};
}
