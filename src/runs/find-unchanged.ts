import { type ComparedSources, compareSources } from '../prepare/content/compare-sources.ts';
import { TOOL_ROOT } from '../process/entries.ts';
import type { AskedPair } from './verify-pair.ts';

/** Returns what of both sides is the same code as far as their sources tell. Builds nothing and runs nothing of either side. */
export function findUnchanged(asked: AskedPair): Promise<ComparedSources> {
	const { config, revisions, cwd, cacheFolder, node, janitor, progress, signal, labels, harnessFrom } = asked;
	const context = { cwd, toolRoot: TOOL_ROOT, cacheFolder, node, janitor, progress, signal };
	return compareSources(config, revisions, {
		...context,
		...(labels && { labels }),
		...(harnessFrom !== undefined && { harnessFrom }),
	});
}
