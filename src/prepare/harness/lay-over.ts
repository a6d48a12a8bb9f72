import { lstat, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '../../types/errors.ts';
import { describeCommand } from '../child.ts';
import { type HarnessFile, type HarnessFolder, type HarnessPlace, waysTo, writeHarnessFile } from './harness.ts';

/**
 * Makes these folders of a checkout that was not built yet exactly what the harness has: what was there is gone, nothing is
 * merged, and nothing is written through a link.
 *
 * @param side Whose checkout it is, for messages.
 * @throws UserError `harness-blocked` when the way to a folder leads through a link or a file.
 */
export async function layOver(checkout: string, folders: readonly HarnessFolder[], side: string): Promise<void> {
	for (const { path, files } of folders) {
		const around = waysTo(path).slice(0, -1);
		const blocked = await firstBlocked(checkout, around);
		if (blocked !== null) throw blockedError(path, blocked, side);
		// A link is removed itself, and never what it points to.
		await rm(join(checkout, path), { recursive: true, force: true, maxRetries: 3 });
		for (const file of files) await writeHarnessFile(checkout, file);
	}
}

/**
 * Puts back what a build, or a server of an earlier run, made of the files, and returns the paths of those. What was added
 * beside them stays: it may be what the build is for.
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

/** Returns the shell command that lays folders over the checkout it is run in. */
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

/** Returns the first of some paths, outermost first, that is there and no folder; null when none is. */
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
