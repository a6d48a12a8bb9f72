/** The files of a built-in server: its own, those of its neighbour, and what servers share. */

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

/** What a server without a start script is: how every server of Node's begins. */
const START = 'node server.mjs';

/** Folder beside the servers with what they import together. */
const SHARED = 'shared';

/** A built-in server and the files it is installed from. */
export interface BuiltinFolder extends LoadedServer {
	/** The folder of all servers: what `files` are relative to. */
	readonly root: string;
	/** Its own files and the shared ones, so that `../shared/` is found wherever they are copied together. */
	readonly files: readonly ListedFile[];
	/** Files of the server whose program it runs, relative to that one's folder; it has none of its own of these names. */
	readonly borrowed: readonly ListedFile[];
	/** SHA-256 of all these files. */
	readonly digest: string;
}

/** What decides how a server is installed is each server's own. */
const OWN = ['package.json', 'package-lock.json'];

/** Returns the built-in ones of a config's servers, in its order, with their files. Those of other servers are not read. */
export async function readBuiltins(
	toolRoot: string,
	servers: readonly ServerSpec[],
	known?: readonly LoadedServer[],
): Promise<BuiltinFolder[]> {
	const names = servers.filter(({ kind }) => kind === 'built-in').map(({ name }) => name);
	if (names.length === 0) return [];
	const root = join(toolRoot, 'servers');
	const shared = await walkFolder(root, SHARED).catch(() => []);
	const catalogue = known ?? (await loadServers(toolRoot));
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
	own: readonly ListedFile[],
): Promise<ListedFile[]> {
	if (code === undefined) return [];
	const files = await inspectFiles(join(root, code), await walkFolder(join(root, code)));
	return files.filter(({ path }) => !OWN.includes(path) && !own.some((file) => file.path === `${name}/${path}`));
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

/** Copies a server into a folder: its own files below its name, those it borrows among them, and beside them the shared ones. */
export async function copyServer(server: BuiltinFolder, to: string): Promise<void> {
	const { name, code = name, root, files, borrowed } = server;
	await copyFiles(root, files, to);
	await copyFiles(join(root, code), borrowed, join(to, name));
}

/** A server that a package can be installed into. */
export interface Installable {
	readonly name: string;
	readonly manifest: Manifest;
	/** Names of all packages its lockfile installs. */
	readonly installed: ReadonlySet<string>;
}

/** Groups of a package.json in which a package can be named. */
const GROUPS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'] as const;

/** A package that is installed instead of the released one. */
export type Replacement = Pick<PackedPackage, 'name' | 'file'>;

/** Returns whether a server runs the package, as a direct dependency or anywhere in its tree. */
export function usesPackage({ manifest, installed }: Installable, name: string): boolean {
	return GROUPS.some((group) => manifest[group]?.[name] !== undefined) || installed.has(name);
}

/**
 * Returns the package.json of a server with tarballs beside it in place of released packages, wherever in the tree they are
 * used. npm takes a file in `overrides` only by reference to a direct dependency, so all of them become direct.
 */
export function replacePackages(manifest: Manifest, packages: readonly Replacement[]): Manifest {
	const files = packages.map(({ name, file }) => [name, `file:${file}`]);
	const references = packages.map(({ name }) => [name, `$${name}`]);
	const replaced = new Set(packages.map(({ name }) => name));
	// npm takes the version of the last group that names a package.
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

/** Throws UserError `server-unsupported`, before anything of it is downloaded, for a built-in server that cannot run here. */
export function refuseUnsupported(session: Session, server: CatalogueServer): void {
	const unmet = findUnmetNeed(server, {
		node: session.nodeVersion,
		// It takes some milliseconds.
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

// The command that starts a built-in server.

/**
 * Returns the command of a built-in server's `start` script as an argument vector: `node` is the Node at hand, its own files and
 * the runtime it brings along are absolute, and anything else is found on PATH.
 *
 * @param at The Node, and the absolute folder the server is installed in.
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
 * Returns where npm has put Bun for this machine: in a package of its own, from where the install script of the package `bun` moves
 * it, unless npm is told to run none. Until then what that package has is a note.
 */
function findBun(folder: string): string {
	const library = platform === 'linux' && glibcVersion() === null ? '-musl' : '';
	const machine = `@oven/bun-${platform}-${arch === 'arm64' ? 'aarch64' : arch}${library}/bin/bun`;
	const [own = '', moved = ''] = [machine, 'bun/bin/bun.exe'].map((path) => join(folder, 'node_modules', path));
	return !existsSync(own) && existsSync(moved) ? moved : own;
}
