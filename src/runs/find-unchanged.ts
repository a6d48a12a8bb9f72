import { type ComparedSources, compareSources } from '../prepare/content/compare-sources.ts';
import { TOOL_ROOT } from '../process/entries.ts';
import type { AskedPair } from './verify-pair.ts';

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
