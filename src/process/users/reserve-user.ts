/** Reserves user ids, and removes dead runs' folders. */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { readText } from '../process-tree.ts';
import { type Privilege, runAsRoot } from './run-as-root.ts';
import { FEW_RUN_USERS, RUN_USERS } from './run-users.ts';
import { listProcessesOf } from './user-processes.ts';

/** Longer than any run: machines or containers with invisible processes may share the folder. */
const ABANDONED_MS = 24 * 60 * 60 * 1000;

const ATTEMPTS = 200;

/** Held exclusively until released or until this process ends. */
export interface ReservedUser {
	readonly uid: number;
	release(): void;
}

/** Returns a user id without account or process, locked against other benchgate runs; null when all are taken. */
export async function reserveUser(): Promise<ReservedUser | null> {
	const { first, count } = mapsUser(RUN_USERS.first + RUN_USERS.count) ? RUN_USERS : FEW_RUN_USERS;
	const start = randomInt(count);
	for (let step = 0; step < Math.min(ATTEMPTS, count); step++) {
		const uid = first + ((start + step) % count);
		const lock = await lockUser(uid);
		if (lock === null) continue;
		if (!hasAccount(uid) && listProcessesOf(uid).length === 0) return { uid, release: () => void lock.close() };
		lock.close();
	}
	return null;
}

/** Locks by an abstract socket, which the kernel removes with its process. Null when another process holds it. */
async function lockUser(uid: number): Promise<Server | null> {
	const server = createServer((socket) => socket.destroy());
	server.unref();
	try {
		server.listen({ path: `\0benchgate-user-${uid}` });
		await once(server, 'listening');
		return server;
	} catch {
		return null;
	}
}

function mapsUser(uid: number): boolean {
	return linesOf('/proc/self/uid_map')
		.map((line) => line.trim().split(/\s+/).map(Number))
		.some(([inside = 0, , length = 0]) => uid >= inside && uid < inside + length);
}

function hasAccount(uid: number): boolean {
	const accounts = linesOf('/etc/passwd');
	const groups = linesOf('/etc/group');
	const lent = linesOf('/etc/subuid').map((line) => line.split(':'));
	return (
		[...accounts, ...groups].some((line) => Number(line.split(':')[2]) === uid) ||
		lent.some(([, first, count]) => uid >= Number(first) && uid < Number(first) + Number(count))
	);
}

function linesOf(path: string): string[] {
	return (readText(path) ?? '').split('\n').filter((line) => line !== '');
}

/** Removes folders of runs that died without cleanup: older than a day, with a free user that runs nothing. */
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
		// Removed meanwhile.
		return false;
	}
}

async function isFree(uid: number): Promise<boolean> {
	if (listProcessesOf(uid).length > 0) return false;
	const lock = await lockUser(uid);
	lock?.close();
	return lock !== null;
}
