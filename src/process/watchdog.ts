/**
 * The watchdog process. Reads lines of JSON on stdin that say what must not outlive the run; when stdin closes, because
 * the run is over or was killed, removes all that is left and exits. Runs in a session of its own, so that neither
 * Ctrl-C nor the death of the terminal reaches it.
 */
import './no-debugger.ts';
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { GuardedUser } from '../types/run-services.ts';
import { endMarked, killMarked, signalGroup } from './processes.ts';
import { tryAsRoot } from './users/run-as-root.ts';
import { endUser } from './users/user-processes.ts';

export type Guarded =
	| { readonly kind: 'group'; readonly pid: number }
	| ({ readonly kind: 'user' } & GuardedUser)
	| { readonly kind: 'marker'; readonly entry: string }
	| { readonly kind: 'worktree'; readonly repository: string; readonly path: string }
	| { readonly kind: 'directory'; readonly path: string };

/** `closing`: the run ends by itself, so nothing of it is between fork and exec. */
export type WatchdogLine =
	| { readonly add: number; readonly what: Guarded }
	| { readonly remove: number }
	| { readonly closing: true };

/** A lock that somebody else holds must not keep the watchdog from the rest. */
const GIT_MS = 30_000;

const guarded = new Map<number, Guarded>();
let closing = false;

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
		const order: Guarded['kind'][] = ['group', 'user', 'marker', 'worktree', 'directory'];
		for (const kind of order) for (const what of guarded.values()) if (what.kind === kind) await clean(what);
		process.exit(0);
	});

/** Null for the half of a line that a killed run leaves. */
function readLine(text: string): WatchdogLine | null {
	try {
		return JSON.parse(text) as WatchdogLine;
	} catch {
		return null;
	}
}

async function clean(what: Guarded): Promise<void> {
	switch (what.kind) {
		case 'group':
			signalGroup(what.pid, 'SIGKILL');
			return;
		case 'user':
			// Whatever cannot be killed must not keep the folders.
			await endUser(what).catch(() => {});
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
			removeFolder(what.path);
			return;
	}
}

function removeFolder(path: string): void {
	try {
		rmSync(path, { recursive: true, force: true, maxRetries: 3, retryDelay: 50 });
	} catch {
		// What a side's own user made is not ours to remove without root. Else nobody is left to tell; the next run removes
		// incomplete cache entries.
		const user = [...guarded.values()].find((what) => what.kind === 'user');
		if (user !== undefined) tryAsRoot(user.privilege, ['rm', '-rf', '--', path]);
	}
}
