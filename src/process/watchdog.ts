/**
 * The watchdog process. It reads JSON lines on stdin that name resources, and removes those left when stdin closes. Its
 * own session protects it from Ctrl-C. A second watchdog acts if the first was killed.
 */
import './no-debugger.ts';
import { spawnSync } from 'node:child_process';
import { rmSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { within } from './deadline.ts';
import { endMarked, groupIsAlive, killMarked, signalGroup } from './processes.ts';
import { removeControlGroup } from './users/control-group.ts';
import { tryAsRoot } from './users/run-as-root.ts';
import { endUser, killGroupAsRoot } from './users/user-processes.ts';
import { type Guarded, STANDS_BY, type WatchdogLine } from './watchdog-lines.ts';

/** File descriptor on which the first watchdog reports completion to the second. */
const TWIN = 3;
/** Limits the wait, because the first watchdog may be stopped. */
const TWIN_MS = 60_000;
/** A lock that another process holds must not block the rest. */
const GIT_MS = 30_000;

const guarded = new Map<number, Guarded>();
let closing = false;
const twinIsDone = process.argv[2] === STANDS_BY ? listenToTwin() : null;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

createInterface({ input: process.stdin })
	.on('line', (text) => {
		const line = readLine(text);
		if (line === null) return;
		if ('add' in line) guarded.set(line.add, line.what);
		else if ('remove' in line) guarded.delete(line.remove);
		else closing = true;
	})
	.on('close', async () => {
		if (twinIsDone !== null && (await within(TWIN_MS, twinIsDone)) === true) process.exit(0);
		// Locks are removed last, because a process that waits for a lock must find its folder gone.
		const order: Guarded['kind'][] = ['group', 'user', 'marker', 'control-group', 'worktree', 'directory', 'lock'];
		for (const kind of order) for (const what of guarded.values()) if (what.kind === kind) await clean(what);
		if (twinIsDone === null) tellTwin();
		process.exit(0);
	});

/** Resolves to false if the first watchdog ends without reporting completion. */
function listenToTwin(): Promise<boolean> {
	return new Promise((resolve) => {
		new Socket({ fd: TWIN, readable: true, writable: false })
			.on('data', () => resolve(true))
			.on('error', () => resolve(false))
			.on('close', () => resolve(false))
			.unref();
	});
}

function tellTwin(): void {
	try {
		writeSync(TWIN, 'done\n');
	} catch {
		// The second watchdog was killed.
	}
}

function readLine(text: string): WatchdogLine | null {
	try {
		return JSON.parse(text) as WatchdogLine;
	} catch {
		return null;
	}
}

async function clean(what: Guarded): Promise<void> {
	const user = findUser();
	switch (what.kind) {
		case 'group':
			signalGroup(what.pid, 'SIGKILL');
			// A group led by sudo belongs to root.
			if (user !== undefined && groupIsAlive(what.pid)) killGroupAsRoot(user.privilege, what.pid);
			return;
		case 'user':
			// A failure must not keep the folders.
			await endUser(what).catch(() => {});
			return;
		case 'control-group':
			await removeControlGroup(what).catch(() => {});
			return;
		case 'marker':
			if (!closing || killMarked(what.entry) > 0) await endMarked(what.entry);
			return;
		case 'worktree':
			spawnSync('git', ['-C', what.repository, 'worktree', 'remove', '--force', '--force', what.path], {
				stdio: 'ignore',
				timeout: GIT_MS,
			});
			removeFolder(what.path);
			spawnSync('git', ['-C', what.repository, 'worktree', 'prune'], { stdio: 'ignore', timeout: GIT_MS });
			return;
		case 'directory':
		case 'lock':
			removeFolder(what.path);
			return;
	}
}

function removeFolder(path: string): void {
	try {
		rmSync(path, { recursive: true, force: true, maxRetries: 3, retryDelay: 50 });
	} catch {
		// Only root can remove files of a side's user. Other failures are ignored, because the next run removes
		// incomplete cache entries.
		const user = findUser();
		if (user !== undefined) tryAsRoot(user.privilege, ['rm', '-rf', '--', path]);
	}
}

/** Returns any user of the run, because each records how to become root. */
function findUser() {
	return [...guarded.values()].find((what) => what.kind === 'user');
}
