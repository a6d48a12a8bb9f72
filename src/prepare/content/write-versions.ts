import { chmod, lstat, mkdir, rm, rmdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { FileVersion } from '../../types/difference.ts';
import { EXIT, UserError } from '../../types/errors.ts';
import { waysTo } from '../harness/harness.ts';
import { firstBlocked } from '../harness/lay-over.ts';

const UNSAFE = /^(?:\.{0,2}|\.git)$/i;

/**
 * Replaces files of an unbuilt checkout, never outside of it or through links. Throws UserError `file-blocked`.
 */
export async function writeVersions(top: string, versions: readonly FileVersion[], where: string): Promise<void> {
	for (const { path } of versions) {
		if (path.includes('\\') || path.split('/').some((part) => UNSAFE.test(part))) throw blockedError(path, where);
	}
	const removed = versions.filter(({ state }) => state === null);
	for (const { path } of removed) {
		if ((await firstBlocked(top, waysTo(path).slice(0, -1))) === null) await removeFile(join(top, path), path, where);
	}
	for (const { path, state } of versions) {
		if (state === null) continue;
		if ((await firstBlocked(top, waysTo(path).slice(0, -1))) !== null) throw blockedError(path, where);
		const target = join(top, path);
		await mkdir(dirname(target), { recursive: true });
		await removeFile(target, path, where);
		if (state.mode === '120000') await symlink(Buffer.from(state.content).toString('utf8'), target);
		else {
			await writeFile(target, state.content);
			await chmod(target, state.mode === '100755' ? 0o755 : 0o644);
		}
	}
}

async function removeFile(target: string, path: string, where: string): Promise<void> {
	const stats = await lstat(target).catch(() => null);
	if (!stats?.isDirectory()) return rm(target, { force: true });
	await rmdir(target).catch(() => {
		throw blockedError(path, where);
	});
}

function blockedError(path: string, where: string): UserError {
	return new UserError({
		code: 'file-blocked',
		where,
		message: `"${path}" cannot be put back: another file, link or folder is in its place`,
		exitCode: EXIT.nothingMeasured,
	});
}
