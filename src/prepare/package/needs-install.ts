/** Whether a package must be installed before it can be packed. */
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { Session } from '../prepare-context.ts';
import type { Checkout } from '../revision/checkout.ts';
import { type Manifest, readManifest } from './manifest.ts';
import { findPackageManager, foldersUpTo } from './package-manager.ts';

/** Scripts npm runs on `npm ci` or `npm pack`: they may make or change what is packed. */
const SCRIPTS = [
	...['preinstall', 'install', 'postinstall', 'dependencies', 'prepublish'],
	...['preprepare', 'prepare', 'postprepare', 'prepack', 'postpack'],
];
/** Dependencies that are part of the checkout, or that the package manager rewrites while packing. */
const LOCAL = /^(?:file|link|portal|workspace|catalog):/;

/**
 * Returns whether what a folder of a checkout packs to can depend on its dependencies being installed. It cannot for a
 * package of npm outside of any workspace that bundles nothing and has no script around installing or packing: then the
 * minutes that installing its test tools would take are saved. pnpm and Yarn want an installed project.
 */
export async function packNeedsInstall(session: Session, checkout: Checkout, folder: string): Promise<boolean> {
	const manager = await findPackageManager(session, checkout.folder, folder);
	if (manager.name !== 'npm') return true;
	for (const at of foldersUpTo(folder, checkout.folder)) {
		const manifest = await readManifest(at, at);
		if (manifest !== null && (runsScripts(manifest) || manifest.workspaces !== undefined)) return true;
		// npm compiles native code without being told to by any script.
		if (await exists(join(at, 'binding.gyp'))) return true;
	}
	const manifest = await readManifest(folder, folder);
	return manifest !== null && (bundles(manifest) || hasLocalDependencies(manifest));
}

function runsScripts({ scripts = {} }: Manifest): boolean {
	return SCRIPTS.some((name) => scripts[name] !== undefined);
}

function bundles({ bundleDependencies, bundledDependencies }: Manifest): boolean {
	return bundleDependencies !== undefined || bundledDependencies !== undefined;
}

function hasLocalDependencies({ dependencies, optionalDependencies, peerDependencies }: Manifest): boolean {
	const specs = [dependencies, optionalDependencies, peerDependencies].flatMap((kind) => Object.values(kind ?? {}));
	return specs.some((spec) => LOCAL.test(spec));
}

function exists(path: string): Promise<boolean> {
	return access(path).then(
		() => true,
		() => false,
	);
}
