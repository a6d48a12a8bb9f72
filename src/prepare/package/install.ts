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

/** Scripts npm runs on `npm ci` or `npm pack`: they may make or change what is packed. */
const SCRIPTS = [
	...['preinstall', 'install', 'postinstall', 'dependencies', 'prepublish'],
	...['preprepare', 'prepare', 'postprepare', 'prepack', 'postpack'],
];

/** Dependencies that are part of the checkout, or that the package manager rewrites while packing. */
const LOCAL = /^(?:file|link|portal|workspace|catalog):/;

// npm tells all that it starts what it was itself asked to run. An `npx` in the command, or in a script, would refuse its own order.
const FORGET = 'unset npm_config_call npm_config_package npm_config_yes';

/**
 * Installs and builds a checkout: the config's `prepare` command once in its top folder, or by default an install where
 * each of the given folders (relative) gets its dependencies from. Returns the number of packages installed.
 */
export async function installCheckout(
	session: Session,
	checkout: Checkout,
	folders: readonly string[],
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
		// Published tarballs come built, and their development dependencies are none of a user's.
		const all = isTarball(checkout) && manager.name === 'npm' ? [...args, '--omit=dev'] : args;
		const spoken = [manager.spoken, ...all].join(' ');
		await runStep(session, checkout, { argv: [...manager.argv, ...all], spoken, folder });
	}
	return countPackages([...roots.keys()]);
}

/** Whether a shell command means the same between two `&&` as alone: no operators, nothing that stays with the shell. */
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

/** Returns whether a folder exists. */
export function isFolder(path: string): Promise<boolean> {
	return stat(path).then(
		(stats) => stats.isDirectory(),
		() => false,
	);
}

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

// Whether a package must be installed before it can be packed.

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
