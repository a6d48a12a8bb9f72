/** Reads, copies and starts built-in servers. */

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { arch, platform } from 'node:process';
import satisfies from 'semver/functions/satisfies.js';
import type { CatalogueServer } from '../config/catalogue.ts';
import { type LoadedServer, loadServers } from '../config/load-catalogue.ts';
import type { ServerPackage } from '../config/load-catalogue-files.ts';
import { findUnmetNeed } from '../config/server-needs.ts';
import { glibcVersion, missingPrograms } from '../process/programs.ts';
import type { ServerSpec } from '../types/config.ts';
import { UserError } from '../types/errors.ts';
import { copyFiles, hashFiles, inspectFiles, walkFolder } from './content/list-files.ts';
import type { Manifest } from './package/manifest.ts';
import type { PackedPackage } from './package/packed.ts';
import type { Session } from './prepare-context.ts';
import type { ListedFile } from './revision/source.ts';

/** Command of servers without a start script. */
const START = 'node server.mjs';

const SHARED = 'shared';

export interface BuiltinFolder extends LoadedServer {
	/** Folder that contains all servers. */
	readonly root: string;
	/** Own and shared files, relative to `root`. */
	readonly files: readonly ListedFile[];
	/**
	 * If the server runs another server's program: that server's files, relative to its folder. The server's own files
	 * take precedence.
	 */
	readonly borrowed: readonly ListedFile[];
	readonly digest: string;
}

/** Never borrowed, because they determine the install. */
const OWN = ['package.json', 'package-lock.json'];

/** Keeps the order of the config. */
export async function readBuiltins(
	toolRoot: string,
	servers: readonly ServerSpec[],
	builtIns?: readonly LoadedServer[],
): Promise<BuiltinFolder[]> {
	const names = servers.filter(({ kind }) => kind === 'built-in').map(({ name }) => name);
	if (names.length === 0) return [];
	const root = join(toolRoot, 'servers');
	const shared = await walkFolder(root, SHARED).catch(() => []);
	const catalogue = builtIns ?? (await loadServers(toolRoot));
	return Promise.all(
		names.map((name) => {
			const server = catalogue.find((one) => one.name === name);
			if (server === undefined) throw new Error(`the config names ${name}, which is not in the catalogue`);
			return readFiles(root, server, shared);
		}),
	);
}

async function readFiles(root: string, server: LoadedServer, shared: readonly string[]): Promise<BuiltinFolder> {
	const files = await inspectFiles(root, [...(await walkFolder(root, server.name)), ...shared]);
	const borrowed = await findBorrowed(root, server, files);
	const digest = await hashAll(root, server, files, borrowed);
	return { ...server, root, files, borrowed, digest };
}

async function findBorrowed(
	root: string,
	{ name, code }: LoadedServer,
	ownFiles: readonly ListedFile[],
): Promise<ListedFile[]> {
	if (code === undefined) return [];
	const files = await inspectFiles(join(root, code), await walkFolder(join(root, code)));
	return files.filter(({ path }) => !OWN.includes(path) && !ownFiles.some((file) => file.path === `${name}/${path}`));
}

async function hashAll(
	root: string,
	{ code }: LoadedServer,
	files: readonly ListedFile[],
	borrowed: readonly ListedFile[],
): Promise<string> {
	const digest = await hashFiles(root, files);
	if (code === undefined) return digest;
	return createHash('sha256')
		.update(digest)
		.update(await hashFiles(join(root, code), borrowed))
		.digest('hex');
}

/** Puts borrowed files into the server's folder, and shared files beside it. */
export async function copyServer(server: BuiltinFolder, to: string): Promise<void> {
	const { name, code = name, root, files, borrowed } = server;
	await copyFiles(root, files, to);
	await copyFiles(join(root, code), borrowed, join(to, name));
}

export interface Installable {
	readonly name: string;
	readonly manifest: Manifest;
	/** Packages in its lockfile. */
	readonly installed: ReadonlySet<string>;
}

const GROUPS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'] as const;

export type Replacement = Pick<PackedPackage, 'name' | 'file'>;

/** Counts indirect dependencies too. */
export function usesPackage({ manifest, installed }: Installable, name: string): boolean {
	return GROUPS.some((group) => manifest[group]?.[name] !== undefined) || installed.has(name);
}

/**
 * Returns a package.json in which tarballs replace released packages throughout the tree. In `overrides`, npm accepts a
 * file only as a reference to a direct dependency, so all become direct dependencies.
 */
export function replacePackages(manifest: Manifest, packages: readonly Replacement[]): Manifest {
	const files = packages.map(({ name, file }) => [name, `file:${file}`]);
	const references = packages.map(({ name }) => [name, `$${name}`]);
	const replaced = new Set(packages.map(({ name }) => name));
	// npm takes the version of the last group that names a package, so only `dependencies` may name it.
	const others = GROUPS.filter((group) => group !== 'dependencies' && manifest[group] !== undefined).map((group) => [
		group,
		Object.fromEntries(Object.entries(manifest[group] ?? {}).filter(([name]) => !replaced.has(name))),
	]);
	return {
		...manifest,
		...Object.fromEntries(others),
		dependencies: { ...manifest.dependencies, ...Object.fromEntries(files) },
		overrides: { ...manifest.overrides, ...Object.fromEntries(references) },
	};
}

export function refuseUnsupported(session: Session, server: CatalogueServer): void {
	const unmet = findUnmetNeed(server, {
		node: session.nodeVersion,
		// `glibcVersion` takes some milliseconds.
		glibc: server.glibc === undefined ? null : glibcVersion(),
		missing: missingPrograms(server.programs ?? [], session.environment.PATH),
		satisfies,
	});
	if (unmet === null) return;
	throw new UserError({
		code: 'server-unsupported',
		where: `server ${server.name}`,
		message: unmet.reason,
		remedy: `${unmet.remedy}, or leave the server out`,
	});
}

/**
 * Returns the `start` command as an argument vector. Node becomes the given Node; the server's own programs and its
 * bundled Bun get absolute paths; other programs come from PATH.
 */
export function startCommand(
	{ scripts, benchgate }: ServerPackage,
	{ node, folder }: { readonly node: string; readonly folder: string },
): string[] {
	const [program = '', ...args] = (scripts?.start ?? START).split(' ');
	if (program === 'node') return [node, ...args];
	if (program === 'bun' && benchgate?.runtime === 'bun') return [findBun(folder), ...args];
	return [program.startsWith('./') ? join(folder, program) : program, ...args];
}

/**
 * Finds Bun in the package for this machine, or where the install script of `bun` moved it. If npm ran no scripts,
 * `bun` contains only a placeholder.
 */
function findBun(folder: string): string {
	const library = platform === 'linux' && glibcVersion() === null ? '-musl' : '';
	const machine = `@oven/bun-${platform}-${arch === 'arm64' ? 'aarch64' : arch}${library}/bin/bun`;
	const [program = '', moved = ''] = [machine, 'bun/bin/bun.exe'].map((path) => join(folder, 'node_modules', path));
	return !existsSync(program) && existsSync(moved) ? moved : program;
}
