/** Packages that a preset asks for run in the versions of its page where the registry has these, and as they are pinned where not. */
import { checkPackages } from '../../prepare/package/check-packages.ts';
import type { PrepareContext } from '../../prepare/prepare-sides.ts';
import type { Config, PackageOverride } from '../../types/config.ts';
import { isUserError } from '../../types/errors.ts';

/**
 * Returns the packages of a config without those of `pagePackages` that cannot be had: the report tells which versions ran. Throws when
 * `context.signal` aborts.
 */
export async function servedPackages(
	config: Config,
	pagePackages: readonly string[],
	context: PrepareContext,
): Promise<readonly PackageOverride[]> {
	const served: PackageOverride[] = [];
	for (const item of config.packages ?? []) {
		if (!pagePackages.includes(item.name) || (await isServed(config, item, context))) served.push(item);
	}
	return served;
}

async function isServed(config: Config, item: PackageOverride, context: PrepareContext): Promise<boolean> {
	try {
		await checkPackages({ ...config, packages: [item] }, context);
		return true;
	} catch (error) {
		context.signal.throwIfAborted();
		if (!isUserError(error)) throw error;
		context.progress.step(`${item.name} ${item.place}, as on the page, cannot be had: ${error.message}`);
		return false;
	}
}
