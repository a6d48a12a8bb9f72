/** Removes the private folders of runs that ended with nobody left to do it. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { lockUser } from './reserve-user.ts';
import { type Privilege, runAsRoot } from './run-as-root.ts';
import { listProcessesOf } from './user-processes.ts';

/** Longer than any run: another machine or container that has this folder too has users and processes that are not seen here. */
const ABANDONED_MS = 24 * 60 * 60 * 1000;

/**
 * Removes the private folders of runs that ended with nobody left to do it, as when a machine goes down: those older than a
 * day whose users have no process and are nobody's. What cannot be removed stays.
 */
export async function removeRemains(parent: string, privilege: Privilege): Promise<void> {
	for (const name of await readdir(parent)) {
		const folder = join(parent, name);
		if (!(await isAbandoned(folder))) continue;
		await runAsRoot(privilege, ['rm', '-rf', '--', folder]).catch(() => {});
	}
}

async function isAbandoned(folder: string): Promise<boolean> {
	try {
		if (Date.now() - (await stat(folder)).mtimeMs < ABANDONED_MS) return false;
		for (const uid of (await readdir(folder)).map(Number)) if (!(await isFree(uid))) return false;
		return true;
	} catch {
		// Gone meanwhile.
		return false;
	}
}

async function isFree(uid: number): Promise<boolean> {
	if (listProcessesOf(uid).length > 0) return false;
	const lock = await lockUser(uid);
	lock?.close();
	return lock !== null;
}
