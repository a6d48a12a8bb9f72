/** Installs the packages of a checkout. */
import { access, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import satisfies from 'semver/functions/satisfies.js';
import validRange from 'semver/ranges/valid.js';
import { describeCommand } from '../child.ts';
import { nameOrigin, type Session, WRONG_NODE } from '../prepare-context.ts';
import { type Checkout, runStep } from '../revision/checkout.ts';
import { readInstalledVersions } from './installed-versions.ts';
import { type Manifest, readManifest } from './manifest.ts';
import {
	findInstallRoot,
	findPackageManager,
	foldersUpTo,
	type InstallRoot,
	missingManagers,
} from './package-manager.ts';

/** Scripts that only installing runs. */
const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall', 'dependencies', 'prepublish'];
/** Scripts that packing runs; installing, too, runs some of them. */
const PACK_SCRIPTS = ['preprepare', 'prepare', 'postprepare', 'prepack', 'postpack'];

/** Specs of packages in the checkout, or that the package manager rewrites while packing. */
const LOCAL = /^(?:file|link|portal|workspace|catalog):/;

// `npm exec` exports its options to children. A nested `npx` must not get them.
const FORGET = 'unset npm_config_call npm_config_package npm_config_yes';

/** A checkout with the same dependencies. */
export interface Installed {
	readonly folder: string;
	/** Whether the new checkout will be packed, which runs its scripts. */
	readonly packs: boolean;
}

/**
 * Installs and builds a checkout: by the config's `prepare` in the top folder, or else where each of `folders`
 * (relative) gets its dependencies; copies those of `installed` if it can. Returns the number of packages.
 */
export async function installCheckout(
	session: Session,
	checkout: Checkout,
	folders: readonly string[],
	installed?: Installed,
): Promise<number> {
	const { prepare } = session.config;
	if (prepare !== undefined) {
		const fetched = (await missingManagers(session, checkout.folder, prepare)).map((spec) => `--package=${spec}`);
		const npx = ['npx', '--yes', ...fetched, '-c', `${FORGET}; ${prepare}`];
		const plain = isPlainCommand(prepare) ? prepare : describeCommand(['sh', '-c', prepare]);
		const step =
			fetched.length === 0
				? { argv: ['/bin/sh', '-c', prepare], typed: plain }
				: { argv: [session.npm ?? 'npm', 'exec', ...npx.slice(1)], typed: describeCommand(npx) };
		await runStep(session, checkout, { ...step, spoken: prepare, folder: checkout.folder });
		return countPackages([checkout.folder]);
	}
	const roots = new Map<string, InstallRoot>();
	for (const folder of folders) {
		const root = await findInstallRoot(session, checkout.folder, join(checkout.folder, folder));
		if (root !== null) roots.set(root.folder, root);
	}
	for (const { folder, manager, args } of roots.values()) {
		// Published tarballs are already built, and their users install no development dependencies.
		const all = isTarball(checkout) && manager.name === 'npm' ? [...args, '--omit=dev'] : args;
		const spoken = [manager.spoken, ...all].join(' ');
		const modules = join(relative(checkout.folder, folder), 'node_modules');
		if (installed !== undefined && manager.name === 'npm' && (await onlyCopies(folder, installed, modules))) {
			const argv = ['cp', '-a', '--reflink=auto', join(installed.folder, modules), join(folder, 'node_modules')];
			await runStep(session, checkout, { argv, spoken: describeCommand(argv), typed: spoken, folder });
			continue;
		}
		await runStep(session, checkout, { argv: [...manager.argv, ...all], spoken, folder });
	}
	return countPackages([...roots.keys()]);
}

/** Whether a command keeps its meaning when `&&` joins it to others. */
function isPlainCommand(command: string): boolean {
	return /^[\w@%+=:,./^~ -]+$/.test(command) && !/^\s*(cd|export|exec|exit|set|umask)\b/.test(command);
}

function isTarball({ origin }: Checkout): boolean {
	return origin.source.kind === 'npm' || origin.source.kind === 'file';
}

async function countPackages(folders: readonly string[]): Promise<number> {
	let packages = 0;
	for (const folder of folders) {
		packages += Object.keys(await readInstalledVersions(folder)).length;
	}
	return packages;
}

export function isFolder(path: string): Promise<boolean> {
	return stat(path).then(
		(stats) => stats.isDirectory(),
		() => false,
	);
}

/**
 * Warns `wrong-node` about packages whose `engines` exclude this Node. It is no error, because upper bounds are often
 * outdated. Checks enclosing folders too.
 */
export async function checkEngines(session: Session, checkout: Checkout, folders: readonly string[]): Promise<void> {
	const { progress, warnings, nodeVersion } = session;
	const ranges = new Map<string, string>();
	for (const folder of folders) {
		for (const at of foldersUpTo(join(checkout.folder, folder), checkout.folder)) {
			const { engines } = (await readManifest(at, at)) ?? {};
			const range = (engines as { readonly node?: unknown } | undefined)?.node;
			if (typeof range === 'string' && !accepts(range, nodeVersion)) ranges.set(at, range);
		}
	}
	for (const [folder, range] of ranges) {
		const file = relative(checkout.folder, join(folder, 'package.json'));
		const message = `${nameOrigin(checkout.origin)}: ${file} requires Node ${range}, and this is ${nodeVersion}; use another with --node PATH.`;
		progress.step(message);
		warnings.push({ code: WRONG_NODE, message, side: checkout.origin.side });
	}
}

function accepts(range: string, version: string): boolean {
	return validRange(range) === null || satisfies(version, range, { includePrerelease: true });
}

/**
 * Packing needs no dependencies with npm outside workspaces, without bundled packages and scripts; then minutes of
 * installing test tools are saved.
 */
export async function packNeedsInstall(session: Session, checkout: Checkout, folder: string): Promise<boolean> {
	const manager = await findPackageManager(session, checkout.folder, folder);
	if (manager.name !== 'npm') return true;
	for (const at of foldersUpTo(folder, checkout.folder)) {
		const manifest = await readManifest(at, at);
		if (manifest !== null && (runsScripts(manifest) || manifest.workspaces !== undefined)) return true;
		// npm compiles native code without any script.
		if (await exists(join(at, 'binding.gyp'))) return true;
	}
	const manifest = await readManifest(folder, folder);
	return manifest !== null && (bundles(manifest) || hasLocalDependencies(manifest));
}

async function onlyCopies(folder: string, { folder: other, packs }: Installed, modules: string): Promise<boolean> {
	const manifest = await readManifest(folder, folder);
	if (manifest === null || manifest.workspaces !== undefined) return false;
	if (runsScripts(manifest, packs ? INSTALL_SCRIPTS : undefined)) return false;
	return (await isFolder(join(other, modules))) && !(await exists(join(folder, 'binding.gyp')));
}

function runsScripts({ scripts = {} }: Manifest, names = [...INSTALL_SCRIPTS, ...PACK_SCRIPTS]): boolean {
	return names.some((name) => scripts[name] !== undefined);
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
