import { lstat, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '../../types/errors.ts';
import { describeCommand } from '../child.ts';
import { type HarnessFile, type HarnessFolder, type HarnessPlace, waysTo, writeHarnessFile } from './harness.ts';

/**
 * Replaces these folders of an unbuilt checkout with the harness's, never through symlinks. `side` is for messages.
 *
 * @throws UserError `harness-blocked` if a symlink or file blocks the path.
 */
export async function layOver(checkout: string, folders: readonly HarnessFolder[], side: string): Promise<void> {
	for (const { path, files } of folders) {
		const around = waysTo(path).slice(0, -1);
		const blocked = await firstBlocked(checkout, around);
		if (blocked !== null) throw blockedError(path, blocked, side);
		// Removes a symlink itself, never its target.
		await rm(join(checkout, path), { recursive: true, force: true, maxRetries: 3 });
		for (const file of files) await writeHarnessFile(checkout, file);
	}
}

/**
 * Restores files that a build or an earlier server changed, and returns their paths. Added files remain, because they
 * may be the purpose of the build.
 */
export async function restoreFiles(top: string, files: readonly HarnessFile[]): Promise<string[]> {
	const restored: string[] = [];
	for (const file of files) {
		const blocked = await firstBlocked(top, waysTo(file.path).slice(0, -1));
		if (blocked === null && (await isIntact(join(top, file.path), file))) continue;
		if (blocked !== null) await rm(join(top, blocked.path), { force: true });
		await rm(join(top, file.path), { recursive: true, force: true, maxRetries: 3 });
		await writeHarnessFile(top, file);
		restored.push(file.path);
	}
	return restored;
}

export function describeLaying(from: HarnessPlace, folders: readonly string[]): string {
	const remove = describeCommand(['rm', '-rf', ...folders]);
	const bring =
		from.kind === 'git'
			? `${describeCommand(['git', '-C', from.repository, 'archive', from.sha, ...folders])} | tar -x`
			: `${describeCommand(['tar', '-C', from.folder, '-c', ...folders])} | tar -x`;
	return `${remove} && ${bring}`;
}

interface Blocked {
	readonly path: string;
	readonly isLink: boolean;
}

/** Returns the first path, outermost first, that exists and is not a folder. */
export async function firstBlocked(top: string, paths: readonly string[]): Promise<Blocked | null> {
	for (const path of paths) {
		const stats = await lstat(join(top, path)).catch(() => null);
		if (stats === null) return null;
		if (!stats.isDirectory()) return { path, isLink: stats.isSymbolicLink() };
	}
	return null;
}

async function isIntact(location: string, { executable, content }: HarnessFile): Promise<boolean> {
	const stats = await lstat(location).catch(() => null);
	if (!stats?.isFile() || stats.size !== content.length) return false;
	return ((stats.mode & 0o100) !== 0) === executable && content.equals(await readFile(location));
}

function blockedError(path: string, blocked: Blocked, side: string): UserError {
	return new UserError({
		code: 'harness-blocked',
		where: side,
		message: `the bench servers in "${path}" cannot be put there: "${blocked.path}" is a ${blocked.isLink ? 'symbolic link' : 'file'} in this revision`,
		remedy: 'move the bench servers into a folder at the top of the repository, and name that one in harness',
	});
}
