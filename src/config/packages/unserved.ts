import type { CatalogueServer } from '../catalogue.ts';

/** Why a server may not be installed, and what to do then. */
export interface NotInstalled {
	readonly reason: string;
	readonly remedy: string;
}

/**
 * Returns what to know of a server whose packages not every registry serves, without asking one: it counts as not installed,
 * and is installed where the registry at hand serves them. Null for a server that its lockfile installs.
 */
export function findUnserved({ unserved = [], dependencies }: CatalogueServer): NotInstalled | null {
	const needed = unserved.filter((name) => dependencies.includes(name));
	if (needed.length === 0) return null;
	return { reason: `some registries lack ${needed.join(' and ')}`, remedy: packageFlags(needed) };
}

/** Returns the flags that give packages from elsewhere. */
export function packageFlags(names: readonly string[]): string {
	return names.map((name) => `--package ${name}=FOLDER`).join(' ');
}
