import { withBaselines } from '../../judge/drift/with-baselines.ts';
import { summarise } from '../../judge/summarise.ts';
import { findNode } from '../../measure/find-node.ts';
import { runComparison } from '../../runs/run-comparison.ts';
import type { Conclusion } from '../../types/action-run.ts';
import type { MainRow } from '../../types/main-baselines.ts';
import type { Raw } from '../../types/result.ts';
import { type ActionSession, cacheFolderOf } from '../action-session.ts';
import type { Commits } from '../commits/find-commits.ts';
import type { SideConfig } from '../config/config-source.ts';
import { describeFailure } from '../publish/describe-failure.ts';

/** What measuring came to. */
export interface Measured {
	readonly conclusion: Conclusion;
	/** Null when nothing was compared. */
	readonly raw: Raw | null;
}

/**
 * Runs the comparison of two commits and returns what it came to; never throws for what the code under test did.
 *
 * @param skipUnchanged Whether to measure nothing when both sides are the same code and config where it matters.
 * @param main Where the branch stands that the change will be merged into.
 */
export async function measure(
	session: ActionSession,
	commits: Commits,
	side: SideConfig,
	skipUnchanged: boolean,
	main: readonly MainRow[],
): Promise<Measured> {
	const { inputs, runner, signal } = session;
	const { config, sideConfigs, mergeBase, reproduce, harnessFrom } = side;
	const { revisions, labels } = commits;
	try {
		const ended = await runComparison({
			config,
			revisions,
			labels,
			cwd: runner.workspace,
			cacheFolder: cacheFolderOf(session),
			node: findNode(inputs.options.node),
			reproduce,
			harnessFrom,
			janitor: session.janitor,
			progress: session.progress,
			signal,
			keep: async () => {},
			withheld: session.withheld,
			sideConfigs,
			mergeBase,
			skipUnchanged: skipUnchanged && !side.relevantChange,
		});
		if ('unchanged' in ended) {
			return { conclusion: { kind: 'unchanged', base: ended.base, head: ended.head }, raw: null };
		}
		if (ended.ended === 'interrupted') return { conclusion: { kind: 'cancelled' }, raw: ended };
		const raw = withBaselines(ended, main, config.gate);
		return { conclusion: { kind: 'compared', result: summarise(raw) }, raw };
	} catch (error) {
		if (signal.aborted) return { conclusion: { kind: 'cancelled' }, raw: null };
		return { conclusion: { kind: 'failed', failure: describeFailure(error) }, raw: null };
	}
}
