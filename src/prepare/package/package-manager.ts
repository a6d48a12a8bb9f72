import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, dirname, join, relative } from 'node:path';
import { detect } from 'package-manager-detector/detect';
import { UserError } from '../../types/errors.ts';
import { readPlainText } from '../content/plain-file.ts';
import type { Session } from '../prepare-context.ts';
import { type Manifest, readManifest } from './manifest.ts';

type Name = 'npm' | 'pnpm' | 'yarn' | 'bun';

export interface PackageManager {
	readonly name: Name;
	/** Yarn 2 or later, which has other flags. */
	readonly berry: boolean;
	/** `['pnpm']`, or an npm exec if it is not on PATH. */
	readonly argv: readonly string[];
	/** Name in messages: `npx pnpm@10`. */
	readonly spoken: string;
}

export interface InstallRoot {
	readonly folder: string;
	readonly manager: PackageManager;
	/** Arguments as strict as the lockfile allows. */
	readonly args: readonly string[];
}

const LOCKFILES: Readonly<Record<Name, readonly string[]>> = {
	npm: ['package-lock.json', 'npm-shrinkwrap.json'],
	pnpm: ['pnpm-lock.yaml'],
	yarn: ['yarn.lock'],
	bun: ['bun.lock', 'bun.lockb'],
};
/** Newest pnpm major that reads a lockfile version. */
const PNPM_OF_LOCKFILE: Readonly<Record<string, string>> = { '5': '7', '6': '8' };
const CURRENT_PNPM = '10';
const CURRENT_BERRY = '4';
const CURRENT_BUN = '1';
/** First version that can pack; reads older lockfiles. */
const FIRST_PACKING_BUN = [1, 1, 27];

/** Innermost first. */
export function foldersUpTo(folder: string, root: string): string[] {
	const folders = [folder];
	for (let at = folder; at !== root && dirname(at) !== at; ) {
		at = dirname(at);
		folders.push(at);
	}
	return folders;
}

/**
 * Returns where and how to install a folder's dependencies: by the nearest lockfile, else the nearest package.json with
 * dependencies. Throws UserError for unsupported package managers.
 */
export async function findInstallRoot(session: Session, root: string, folder: string): Promise<InstallRoot | null> {
	for (const candidate of foldersUpTo(folder, root)) {
		const detectedManager = await detect({ cwd: candidate, stopDir: candidate, strategies: ['lockfile'] });
		if (detectedManager === null) continue;
		const name =
			(await choose(detectedManager.name, candidate)) ?? refuse(detectedManager.name, relative(root, candidate));
		const manager = await setUp(session, name, candidate);
		const frozen = (await Promise.all(LOCKFILES[name].map((file) => exists(join(candidate, file))))).includes(true);
		return { folder: candidate, manager, args: installArgs(manager, frozen) };
	}
	for (const candidate of foldersUpTo(folder, root)) {
		const manifest = await readManifest(candidate, relative(root, join(candidate, 'package.json')));
		if (!hasDependencies(manifest)) continue;
		const manager = await findPackageManager(session, root, candidate);
		return { folder: candidate, manager, args: installArgs(manager, false) };
	}
	return null;
}

/** Decides by lockfile, else by `packageManager`, else npm. */
export async function findPackageManager(session: Session, root: string, folder: string): Promise<PackageManager> {
	for (const candidate of foldersUpTo(folder, root)) {
		const detectedManager = await detect({ cwd: candidate, stopDir: candidate });
		if (detectedManager !== null)
			return setUp(session, (await choose(detectedManager.name, candidate)) ?? 'npm', candidate);
	}
	return setUp(session, 'npm', folder);
}

function installArgs(manager: PackageManager, frozen: boolean): string[] {
	switch (manager.name) {
		case 'npm':
			return [frozen ? 'ci' : 'install'];
		case 'pnpm':
			return ['install', frozen ? '--frozen-lockfile' : '--no-frozen-lockfile'];
		case 'yarn':
		case 'bun':
			if (manager.berry) return ['install', frozen ? '--immutable' : '--no-immutable'];
			return frozen ? ['install', '--frozen-lockfile'] : ['install'];
	}
}

async function setUp(session: Session, name: Name, folder: string): Promise<PackageManager> {
	const npm = session.npm ?? 'npm';
	if (name === 'npm') return { name, berry: false, argv: [npm], spoken: 'npm' };
	const { berry, spec } = await packageOf(name, folder);
	if (await isOnPath(session, name)) return { name, berry, argv: [name], spoken: name };
	const argv = [npm, 'exec', '--yes', `--package=${spec}`, '--', name];
	return { name, berry, argv, spoken: berry ? `npx --package=${spec} yarn` : `npx ${spec}` };
}

async function packageOf(name: Name, folder: string): Promise<{ readonly berry: boolean; readonly spec: string }> {
	const version = pinnedVersion(await readManifest(folder, folder), name) ?? (await versionOfLockfile(name, folder));
	const berry = name === 'yarn' && Number.parseInt(version, 10) > 1;
	return { berry, spec: `${berry ? '@yarnpkg/cli-dist' : name}@${version}` };
}

/** Matches a package manager at the start of a shell command, after variables. */
const CALLED = /(?:^|[;&|({\n]|\b(?:then|else|do|time|exec)\s)\s*(?:\w+=\S*\s+)*(pnpm|yarn|bun)(?=[\s;&|)]|$)/g;
const BROUGHT = /\b(?:corepack|npm (?:i|install|add) (?:-g|--global))\b/;

/**
 * Returns the npm packages of package managers that a shell command calls and PATH lacks: `['pnpm@10']`. Empty if it
 * installs them.
 */
export async function missingManagers(session: Session, folder: string, command: string): Promise<readonly string[]> {
	if (BROUGHT.test(command)) return [];
	const called = new Set([...command.matchAll(CALLED)].map(([, name]) => name as Name));
	const specs: string[] = [];
	for (const name of called) {
		if (!(await isOnPath(session, name))) specs.push((await packageOf(name, folder)).spec);
	}
	return specs;
}

/** `pnpm@9.1.0+sha512.…` → `9.1.0`. Undefined for a Bun version that cannot pack. */
function pinnedVersion(manifest: Manifest | null, name: Name): string | undefined {
	const [pinned, text] = manifest?.packageManager?.split('@') ?? [];
	const version = pinned === name ? text?.split('+')[0] : undefined;
	return name === 'bun' && version !== undefined && !packs(version) ? undefined : version;
}

function packs(bun: string): boolean {
	const parts = bun.split('.').map((part) => Number.parseInt(part, 10));
	const differing = FIRST_PACKING_BUN.findIndex((wanted, at) => (parts[at] ?? 0) !== wanted);
	return differing < 0 || (parts[differing] ?? 0) > (FIRST_PACKING_BUN[differing] ?? 0);
}

async function versionOfLockfile(name: Name, folder: string): Promise<string> {
	if (name === 'bun') return CURRENT_BUN;
	const text = await readPlainText(join(folder, LOCKFILES[name][0] ?? '')).catch(() => '');
	if (name === 'yarn') return text.includes('\n__metadata:') || text === '' ? CURRENT_BERRY : '1';
	const major = /^lockfileVersion: '?(\d+)/m.exec(text)?.[1] ?? '';
	return PNPM_OF_LOCKFILE[major] ?? CURRENT_PNPM;
}

function isSupported(name: string): name is Name {
	return name in LOCKFILES;
}

/** Deno's lockfile often lies beside that of a supported manager. */
async function choose(detectedName: string, folder: string): Promise<Name | null> {
	if (isSupported(detectedName)) return detectedName;
	for (const [name, files] of Object.entries(LOCKFILES)) {
		for (const file of files) if (await exists(join(folder, file))) return name as Name;
	}
	return null;
}

function refuse(name: string, folder: string): never {
	throw new UserError({
		code: 'unknown-package-manager',
		where: folder === '' ? 'the top folder of the checkout' : folder,
		message: `its lockfile belongs to ${name}, which benchgate cannot install with by itself`,
		remedy: `write how into benchgate.yml: "prepare: ${name} install"`,
	});
}

function hasDependencies(manifest: Manifest | null): boolean {
	const kinds = [manifest?.dependencies, manifest?.devDependencies, manifest?.optionalDependencies];
	return kinds.some((kind) => kind !== undefined && Object.keys(kind).length > 0);
}

async function isOnPath(session: Session, program: string): Promise<boolean> {
	const folders = (session.environment.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
	const checks = await Promise.all(folders.map((folder) => exists(join(folder, program), constants.X_OK)));
	return checks.includes(true);
}

function exists(path: string, mode: number = constants.F_OK): Promise<boolean> {
	return access(path, mode).then(
		() => true,
		() => false,
	);
}
