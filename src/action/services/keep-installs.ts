import { findNode } from '../../measure/find-node.ts';
import { nodeVersion } from '../../measure/machine.ts';
import { readBuiltins } from '../../prepare/builtin-servers.ts';
import { TOOL_ROOT } from '../../process/entries.ts';
import type { Config } from '../../types/config.ts';
import type { Sides } from '../../types/units.ts';
import { toolVersion } from '../../version.ts';
import { type ActionSession, cacheFolderOf } from '../action-session.ts';
import { type CacheStore, planCache, restoreInstalls, saveInstalls } from './install-cache.ts';

/** What a run installs, for the key of the cache. */
export interface Installs {
	readonly config: Config;
	readonly revisions: Sides<string>;
	/** Whether somebody chose a revision by hand. */
	readonly revisionsGiven: boolean;
	/** Whether it is a pull request of somebody who need not have write access. */
	readonly fromFork: boolean;
}

/**
 * Measures with what earlier runs installed, and keeps what this one did. Without a cache service it just measures. `isWhole`:
 * whether what was measured means that everything was installed.
 */
export async function keepInstalls<T>(
	session: ActionSession,
	store: CacheStore | null,
	installs: Installs,
	measure: () => Promise<T>,
	isWhole: (measured: T) => boolean,
): Promise<T> {
	if (store === null) return measure();
	const { subject, servers, prepare } = installs.config;
	const builtins = new Map((await readBuiltins(TOOL_ROOT, servers)).map(({ name, digest }) => [name, digest]));
	const plan = planCache({
		cacheFolder: cacheFolderOf(session),
		toolVersion: toolVersion(),
		nodeVersion: nodeVersion(findNode(session.inputs.options.node)),
		platform: process.platform,
		arch: process.arch,
		installs: { subject, prepare, servers: servers.map(({ name }) => [name, builtins.get(name)]) },
		base: installs.revisions.base,
		eventName: session.runner.eventName,
		revisionsGiven: installs.revisionsGiven,
		fromFork: installs.fromFork,
		startedAt: Date.now(),
	});
	const restored = await restoreInstalls(store, plan);
	session.warnings.push(...restored.warnings);
	const measured = await measure();
	// An entry cannot be changed later, so only a run that installed everything makes one.
	if (isWhole(measured)) {
		const warning = await saveInstalls(store, plan, restored.key, session.progress);
		if (warning !== null) session.warnings.push(warning);
	}
	return measured;
}
