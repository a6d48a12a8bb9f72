/** A comparison: two sides are measured until every row has its verdict. */
import { decide } from '../judge/decide.ts';
import type { ComparedSources } from '../prepare/content/compare-sources.ts';
import { prepareChanged, type Unchanged } from '../prepare/content/prepare-changed.ts';
import { saysReads } from '../prepare/content/reads.ts';
import { prepareSides } from '../prepare/prepare-sides.ts';
import type { Raw } from '../types/result.ts';
import type { Warning } from '../types/units.ts';
import type { Decision } from '../types/verdict.ts';
import { describeProgress } from './describe-progress.ts';
import { findUnchanged } from './find-unchanged.ts';
import { type PairKind, type PairOptions, runPair } from './run-pair.ts';

export interface RunOptions extends PairOptions {
	/** Measure nothing when the revisions differ and yet are the same code where it matters; nor servers for which that holds alone. */
	readonly skipUnchanged?: boolean;
}

/**
 * Runs a whole comparison and returns its raw data, complete also when interrupted while measuring. With `skipUnchanged`
 * it may return, before any server is installed, that there is nothing to measure; servers that read nothing that differs, or run
 * what packs to the same on both sides, are not measured then.
 */
export async function runComparison(options: RunOptions & { readonly skipUnchanged?: false }): Promise<Raw>;
export async function runComparison(options: RunOptions): Promise<Raw | Unchanged>;
export async function runComparison(options: RunOptions): Promise<Raw | Unchanged> {
	const skips = options.skipUnchanged ? 'run' : 'nothing';
	const sources = options.skipUnchanged && saysReads(options.config) ? await findUnchanged(options) : null;
	if (sources?.unchanged) return sources.unchanged;
	const ended = await runPair(withSame(options, sources), {
		prepare: withWarnings(preparing(skips), sources?.warnings ?? []),
		lanes: true,
		rule: (plan, _environment, whole) => ({
			decide: (rounds, reason) => decide(plan, rounds, reason, whole),
			describe: describeProgress,
		}),
	});
	return 'stop' in ended ? ended.stop : ended;
}

type Preparing = PairKind<Decision, Unchanged>['prepare'];

function withWarnings(prepare: Preparing, warnings: readonly Warning[]): Preparing {
	return async (...asked) => {
		const prepared = await prepare(...asked);
		return 'stop' in prepared ? prepared : { ...prepared, warnings: [...warnings, ...prepared.warnings] };
	};
}

function withSame(options: RunOptions, sources: ComparedSources | null): RunOptions {
	return sources === null || sources.sameCode.length === 0 ? options : { ...options, sameCode: sources.sameCode };
}

/**
 * Returns how the sides of a comparison are prepared. What is the same code on both is skipped: `servers` by themselves, or the whole
 * `run`, too, so that it may end with there being nothing to measure.
 */
export function preparing(skips: 'run' | 'servers' | 'nothing'): Preparing {
	return async (config, revisions, context) => {
		if (skips === 'nothing') return prepareSides(config, revisions, context);
		const prepared = await prepareChanged(config, revisions, context, skips);
		return 'unchanged' in prepared ? { stop: prepared } : prepared;
	};
}
