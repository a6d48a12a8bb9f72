/**
 * The watchdog process. Reads lines of JSON on stdin that say what must not outlive the run; when stdin closes, because
 * the run is over or was killed, removes all that is left and exits. Runs in a session of its own, so that neither
 * Ctrl-C nor the death of the terminal reaches it.
 */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { killMarked, signalGroup } from './processes.ts';

export type Guarded =
	| { readonly kind: 'group'; readonly pid: number }
	| { readonly kind: 'marker'; readonly entry: string }
	| { readonly kind: 'worktree'; readonly repository: string; readonly path: string }
	| { readonly kind: 'directory'; readonly path: string };

export type WatchdogLine = { readonly add: number; readonly what: Guarded } | { readonly remove: number };

const guarded = new Map<number, Guarded>();

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

createInterface({ input: process.stdin })
	.on('line', (text) => {
		const line = JSON.parse(text) as WatchdogLine;
		if ('add' in line) guarded.set(line.add, line.what);
		else guarded.delete(line.remove);
	})
	.on('close', () => {
		const order: Guarded['kind'][] = ['group', 'marker', 'worktree', 'directory'];
		for (const kind of order) for (const what of guarded.values()) if (what.kind === kind) clean(what);
		process.exit(0);
	});

function clean(what: Guarded): void {
	switch (what.kind) {
		case 'group':
			signalGroup(what.pid, 'SIGKILL');
			return;
		case 'marker':
			// Twice: a process may fork between the scan and the kill.
			if (killMarked(what.entry) > 0) killMarked(what.entry);
			return;
		case 'worktree':
			spawnSync('git', ['-C', what.repository, 'worktree', 'remove', '--force', '--force', what.path], {
				stdio: 'ignore',
			});
			removeFolder(what.path);
			spawnSync('git', ['-C', what.repository, 'worktree', 'prune'], { stdio: 'ignore' });
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
		// Nobody is left to tell; the next run removes incomplete cache entries.
	}
}
