/** Set-up of benchmarks with built-in servers: tools, pinned servers, and a plan of their rounds. */
import { findCacheFolder } from '../../src/cli/measuring.ts';
import { loadCatalogue } from '../../src/config/load-catalogue.ts';
import { resolveConfig } from '../../src/config/resolve-config.ts';
import { findNode } from '../../src/measure/machine.ts';
import { planCells } from '../../src/plan/plan-cells.ts';
import { planRun } from '../../src/plan/plan-run.ts';
import type { PrepareContext } from '../../src/prepare/prepare-context.ts';
import { preparePinned } from '../../src/prepare/prepare-pinned.ts';
import { TOOL_ROOT } from '../../src/process/entries.ts';
import { startJanitor } from '../../src/process/janitor.ts';
import type { Config } from '../../src/types/config.ts';

/** Progress goes to stderr, figures to stdout. */
export const progress = { step: (text: string) => console.error(text), status() {} };

/** Starts the janitor, which the caller closes, and returns the context of preparing and measuring. */
export async function openTools(signal = new AbortController().signal): Promise<PrepareContext> {
	const cacheFolder = findCacheFolder();
	return {
		...{ cwd: process.cwd(), toolRoot: TOOL_ROOT, cacheFolder },
		...{ node: findNode(undefined), janitor: await startJanitor(), progress, signal },
	};
}

/** Returns the config of a comparison with these flags; `server` and `scenario` are comma-separated lists. */
export async function configOf(flags: { server: string; scenario: string }, seed = 1): Promise<Config> {
	return resolveConfig(null, flags, await loadCatalogue(TOOL_ROOT), () => seed);
}

/** Installs the servers of a config, the same on both sides, and plans their rounds. */
export async function setUp(config: Config, context: PrepareContext) {
	const prepared = await preparePinned(config, context);
	const names = config.servers.map(({ name }) => name);
	const { cells } = planCells(config, { servers: { base: names, head: names } });
	return { prepared, plan: planRun(config, cells, []), ids: cells.map(({ id }) => id) };
}
