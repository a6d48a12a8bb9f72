import { decide } from '../judge/decide.ts';
import { type ComparedSources, compareSources } from '../prepare/content/compare-sources.ts';
import { prepareChanged, type Unchanged } from '../prepare/content/prepare-changed.ts';
import { saysReads } from '../prepare/content/reads.ts';
import { prepareSides } from '../prepare/prepare-sides.ts';
import { TOOL_ROOT } from '../process/entries.ts';
import type { Raw } from '../types/result.ts';
import type { Warning } from '../types/units.ts';
import type { Decision } from '../types/verdict.ts';
import { describeProgress } from './describe-progress.ts';
import type { ImpactExtent } from './find-unaffected.ts';
import { type PairKind, type PairOptions, runPair } from './run-pair.ts';
import type { AskedPair } from './verify-pair.ts';

export interface RunOptions extends PairOptions {
	/** Skips the run, or servers, if the relevant code of both revisions is the same. */
	readonly skipUnchanged?: boolean;
	/** Skips cells that run no changed code, as far as that is found out. */
	readonly skipUnaffected?: ImpactExtent | undefined;
}

/** Returns the raw data of a comparison, even when interrupted while measuring. */
export async function runComparison(options: RunOptions & { readonly skipUnchanged?: false }): Promise<Raw>;
export async function runComparison(options: RunOptions): Promise<Raw | Unchanged>;
export async function runComparison(options: RunOptions): Promise<Raw | Unchanged> {
	const skips = options.skipUnchanged ? 'run' : 'nothing';
	const sources = options.skipUnchanged && saysReads(options.config) ? await findUnchanged(options) : null;
	if (sources?.unchanged) return sources.unchanged;
	const ended = await runPair<Decision, Unchanged>(withSame(options, sources), {
		prepare: withWarnings(preparing(skips), sources?.warnings ?? []),
		lanes: true,
		skipsUnaffected: options.skipUnaffected,
		...COMPARED,
	});
	return 'stop' in ended ? ended.stop : ended;
}

/** The rule of comparisons. */
export const COMPARED: Pick<PairKind<Decision, never>, 'rule'> = {
	rule: (plan, _environment, whole) => ({
		decide: (rounds, reason) => decide(plan, rounds, reason, whole),
		describe: describeProgress,
	}),
};

type Preparing = PairKind<Decision, Unchanged>['prepare'];

function withWarnings(prepare: Preparing, warnings: readonly Warning[]): Preparing {
	return async (...args) => {
		const prepared = await prepare(...args);
		return 'stop' in prepared ? prepared : { ...prepared, warnings: [...warnings, ...prepared.warnings] };
	};
}

function withSame(options: RunOptions, sources: ComparedSources | null): RunOptions {
	return sources === null || sources.sameCode.length === 0 ? options : { ...options, sameCode: sources.sameCode };
}

/** Returns how to prepare the sides. Equal code skips single `servers`, or the whole `run`. */
export function preparing(skips: 'run' | 'servers' | 'nothing'): Preparing {
	return async (config, revisions, context) => {
		if (skips === 'nothing') return prepareSides(config, revisions, context);
		const prepared = await prepareChanged(config, revisions, context, skips);
		return 'unchanged' in prepared ? { stop: prepared } : prepared;
	};
}

/** Compares both sides' sources, without building or running any. */
export function findUnchanged(options: AskedPair): Promise<ComparedSources> {
	const { config, revisions, cwd, cacheFolder, node, janitor, progress, signal, labels, harnessFrom } = options;
	const context = { cwd, toolRoot: TOOL_ROOT, cacheFolder, node, janitor, progress, signal };
	return compareSources(config, revisions, {
		...context,
		...(labels && { labels }),
		...(harnessFrom !== undefined && { harnessFrom }),
	});
}
