import { createHash } from 'node:crypto';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isWithin, plainFolder } from '../../config/file/check-harness.ts';
import type { CustomServer } from '../../types/config.ts';
import type { HarnessInfo } from '../../types/result.ts';
import type { Manifest } from '../package/manifest.ts';

export const LOCKFILES = ['package-lock.json', 'npm-shrinkwrap.json'];

export interface HarnessFile {
	/** Relative to the top of the repository, with `/`. */
	readonly path: string;
	readonly executable: boolean;
	readonly content: Buffer;
}

/** A package with a lockfile, installed outside the checkout. */
export interface HarnessPackage {
	readonly manifest: Manifest;
	/** Packages in its lockfile. */
	readonly installed: ReadonlySet<string>;
}

export interface HarnessFolder {
	readonly path: string;
	readonly files: readonly HarnessFile[];
	/** Null if laid over each checkout. */
	readonly package: HarnessPackage | null;
}

/** Bench servers of both sides, read from one revision before any side's code runs. */
export interface Harness {
	readonly info: HarnessInfo;
	/** Source of the folders, for commands that repeat a step. */
	readonly from: HarnessPlace;
	readonly folders: readonly HarnessFolder[];
}

export type HarnessPlace =
	| { readonly kind: 'git'; readonly repository: string; readonly sha: string; readonly label: string }
	| { readonly kind: 'dir'; readonly folder: string; readonly label: string };

export function laidFolders(harness: Harness | null): readonly HarnessFolder[] {
	return harness?.folders.filter((folder) => folder.package === null) ?? [];
}

export type PackageFolder = HarnessFolder & { readonly package: HarnessPackage };

/** Returns the harness package around a server, or null if the server runs in the checkout. */
export function packageOf(harness: Harness | null, { cwd }: Pick<CustomServer, 'cwd'>): PackageFolder | null {
	const folder = harness?.folders.find(({ path }) => isWithin(plainFolder(cwd), path));
	return folder?.package ? { ...folder, package: folder.package } : null;
}

/** Returns a SHA-256 (64 hex digits) of names, modes and contents. */
export function digestFolders(folders: readonly HarnessFolder[]): string {
	const hash = createHash('sha256');
	const files = folders.flatMap((folder) => folder.files).sort((a, b) => (a.path < b.path ? -1 : 1));
	for (const { path, executable, content } of files) {
		hash.update(JSON.stringify([path, executable, content.length]));
		hash.update(content);
	}
	return hash.digest('hex');
}

/** Fails if the file exists. */
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
