import { createHash } from 'node:crypto';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isWithin, plainFolder } from '../../config/file/check-harness.ts';
import type { CustomServer } from '../../types/config.ts';
import type { HarnessInfo } from '../../types/result.ts';
import type { Manifest } from '../package/manifest.ts';

/** What npm calls a lockfile. */
export const LOCKFILES = ['package-lock.json', 'npm-shrinkwrap.json'];

/** A file of a harness folder, as its revision has it. */
export interface HarnessFile {
	/** Relative to the top of the repository, with `/`. */
	readonly path: string;
	readonly executable: boolean;
	readonly content: Buffer;
}

/** A harness folder that is a package with a lockfile: it is installed outside of the checkout, as a built-in server is. */
export interface HarnessPackage {
	readonly manifest: Manifest;
	/** Names of all packages its lockfile installs. */
	readonly installed: ReadonlySet<string>;
}

export interface HarnessFolder {
	/** Relative to the top of the repository. */
	readonly path: string;
	/** At least one. */
	readonly files: readonly HarnessFile[];
	/** Null for one that is laid over the checkout of each side. */
	readonly package: HarnessPackage | null;
}

/** The bench servers of both sides, read from one revision before anything of either side runs. */
export interface Harness {
	readonly info: HarnessInfo;
	/** Where it was read from, for commands that repeat what was done. */
	readonly from: HarnessPlace;
	readonly folders: readonly HarnessFolder[];
}

export type HarnessPlace =
	| { readonly kind: 'git'; readonly repository: string; readonly sha: string; readonly label: string }
	| { readonly kind: 'dir'; readonly folder: string; readonly label: string };

/** Returns the folders that are laid over a checkout. */
export function laidFolders(harness: Harness | null): readonly HarnessFolder[] {
	return harness?.folders.filter((folder) => folder.package === null) ?? [];
}

/** A folder of the harness that is a package of its own. */
export type PackageFolder = HarnessFolder & { readonly package: HarnessPackage };

/** Returns the package of the harness that a server lies in; null for one that runs in the checkout. */
export function packageOf(harness: Harness | null, { cwd }: Pick<CustomServer, 'cwd'>): PackageFolder | null {
	const found = harness?.folders.find(({ path }) => isWithin(plainFolder(cwd), path));
	return found?.package ? { ...found, package: found.package } : null;
}

/** Returns the SHA-256 of names, modes and contents of the folders' files, as 64 hex digits. */
export function digestFolders(folders: readonly HarnessFolder[]): string {
	const hash = createHash('sha256');
	const files = folders.flatMap((folder) => folder.files).sort((a, b) => (a.path < b.path ? -1 : 1));
	for (const { path, executable, content } of files) {
		hash.update(JSON.stringify([path, executable, content.length]));
		hash.update(content);
	}
	return hash.digest('hex');
}

/** Writes a file below `top`, where it may not be yet. */
export async function writeHarnessFile(top: string, { path, executable, content }: HarnessFile): Promise<void> {
	const file = join(top, path);
	await mkdir(dirname(file), { recursive: true });
	await writeFile(file, content, { flag: 'wx' });
	if (executable) await chmod(file, 0o755);
}

/** `a/b/c` → `a`, `a/b`, `a/b/c`. */
export function waysTo(path: string): string[] {
	const parts = path.split('/');
	return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}
