import type { Config } from '../../types/config.ts';
import type { PrepareContext } from '../prepare-context.ts';
import { inSession } from '../prepare-session.ts';
import { fetchOverrides } from './overrides.ts';

/**
 * Makes sure that every package the config gives in place of a pinned one is there, and is that package, before anything is installed.
 * Throws a UserError for the first that is not; when `context.signal` aborts, its reason.
 */
export async function checkPackages(config: Config, context: PrepareContext): Promise<void> {
	if (config.packages === undefined || config.packages.length === 0) return;
	await inSession(config, context, fetchOverrides);
}
