import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { didYouMean } from '../config/suggest.ts';
import { UserError } from '../types/errors.ts';
import { hashFiles, inspectFiles, type ListedFile, walkFolder } from './content/list-files.ts';
import { fromLockfile } from './package/installed-versions.ts';
import { type Manifest, readManifest } from './package/manifest.ts';
import type { PackedSubject } from './package/packed.ts';

/** A folder under `servers/`. */
export interface BuiltinFolder {
	readonly name: string;
	readonly folder: string;
	readonly files: readonly ListedFile[];
	/** SHA-256 of its files. */
	readonly digest: string;
	readonly manifest: Manifest;
	/** Names of all packages its lockfile installs. */
	readonly installed: ReadonlySet<string>;
}

/** Returns every built-in server, by name. */
export async function readBuiltinServers(toolRoot: string): Promise<ReadonlyMap<string, BuiltinFolder>> {
	const servers = new Map<string, BuiltinFolder>();
	for (const name of (await readdir(join(toolRoot, 'servers')).catch(() => [])).sort()) {
		const folder = join(toolRoot, 'servers', name);
		const manifest = await readManifest(folder, `servers/${name}/package.json`).catch(() => null);
		if (manifest === null) continue;
		const files = await inspectFiles(folder, await walkFolder(folder));
		const lockfile = await readFile(join(folder, 'package-lock.json'), 'utf8').catch(() => '{}');
		const installed = new Set(fromLockfile(lockfile).map(([installedName]) => installedName));
		servers.set(name, { name, folder, files, digest: await hashFiles(folder, files), manifest, installed });
	}
	return servers;
}

/** Returns the servers of these names. Throws UserError `unknown-server` for one that does not exist. */
export function selectServers(servers: ReadonlyMap<string, BuiltinFolder>, names: readonly string[]): BuiltinFolder[] {
	return names.map((name) => {
		const server = servers.get(name);
		if (server !== undefined) return server;
		const known = [...servers.keys()];
		throw new UserError({
			code: 'unknown-server',
			message: `there is no built-in server "${name}"${didYouMean(name, known)}`,
			remedy: 'see them all: benchgate list; a server of your own needs name and command',
		});
	});
}

/** Returns whether a server runs the package, as a direct dependency or anywhere in its tree. */
export function usesPackage(server: BuiltinFolder, name: string): boolean {
	return server.manifest.dependencies?.[name] !== undefined || server.installed.has(name);
}

/**
 * Returns the package.json of a server with the subject's tarball in place of the released package, wherever in the tree
 * it is used. npm takes a file in `overrides` only by reference to a direct dependency, so all of them become direct.
 */
export function replaceSubject(manifest: Manifest, { subject, siblings }: Omit<PackedSubject, 'folder'>): Manifest {
	const packages = [subject, ...siblings];
	const files = packages.map(({ name, file }) => [name, `file:${file}`]);
	const references = packages.map(({ name }) => [name, `$${name}`]);
	return {
		...manifest,
		dependencies: { ...manifest.dependencies, ...Object.fromEntries(files) },
		overrides: { ...manifest.overrides, ...Object.fromEntries(references) },
	};
}
