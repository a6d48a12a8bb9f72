import { join, relative } from 'node:path';
import satisfies from 'semver/functions/satisfies.js';
import validRange from 'semver/ranges/valid.js';
import { readManifest } from '../package/manifest.ts';
import { foldersUpTo } from '../package/package-manager.ts';
import { nameOrigin, type Session, WRONG_NODE } from '../prepare-context.ts';
import type { Checkout } from '../revision/checkout.ts';

/**
 * Says in a warning `wrong-node` which package of a checkout asks in its `engines` for another Node than the one at hand,
 * before anything of it is installed. It is no error: upper bounds are often older than the Node that would do. Folders are
 * relative to the checkout; those around them count, too.
 */
export async function checkEngines(session: Session, checkout: Checkout, folders: readonly string[]): Promise<void> {
	const { progress, warnings, nodeVersion } = session;
	const asked = new Map<string, string>();
	for (const folder of folders) {
		for (const at of foldersUpTo(join(checkout.folder, folder), checkout.folder)) {
			const { engines } = (await readManifest(at, at)) ?? {};
			const range = (engines as { readonly node?: unknown } | undefined)?.node;
			if (typeof range === 'string' && !accepts(range, nodeVersion)) asked.set(at, range);
		}
	}
	for (const [folder, range] of asked) {
		const file = relative(checkout.folder, join(folder, 'package.json'));
		const message = `${nameOrigin(checkout.origin)}: ${file} asks for Node ${range}, and this is ${nodeVersion}; to use another: --node PATH.`;
		progress.step(message);
		warnings.push({ code: WRONG_NODE, message, side: checkout.origin.side });
	}
}

/** What is no range asks for nothing. */
function accepts(range: string, version: string): boolean {
	return validRange(range) === null || satisfies(version, range, { includePrerelease: true });
}
