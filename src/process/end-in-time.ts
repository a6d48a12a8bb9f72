import { identifyProcess, isAlive, type KnownProcess } from './followed-tree.ts';
import { listTree } from './process-tree.ts';
import { signalProcess } from './processes.ts';

const GRACE_MS = 2_000;

interface Running<T> extends PromiseLike<T> {
	readonly pid?: number | undefined;
}

/**
 * Returns a program's outcome and whether it timed out. On timeout or abort, it and its descendants get SIGTERM, and
 * SIGKILL two seconds later. It stays in our process group, to prompt at the terminal.
 */
export async function endInTime<T>(
	running: Running<T>,
	{ ms, signal }: { readonly ms: number; readonly signal?: AbortSignal | undefined },
): Promise<{ readonly outcome: T; readonly timedOut: boolean }> {
	const { pid } = running;
	const timers: NodeJS.Timeout[] = [];
	let timedOut = false;
	let doomed: readonly KnownProcess[] = [];
	const kill = () => {
		for (const one of doomed.filter(isAlive)) signalProcess(one.pid, 'SIGKILL');
	};
	const stop = () => {
		if (pid === undefined) return;
		doomed = listTree(pid).flatMap((one) => identifyProcess(one) ?? []);
		for (const one of doomed) signalProcess(one.pid, 'SIGTERM');
		// Without /proc, the descendants are unknown.
		if (doomed.length === 0) signalProcess(pid, 'SIGTERM');
		timers.push(setTimeout(kill, GRACE_MS));
	};
	const stopLate = () => {
		timedOut = true;
		stop();
	};
	signal?.addEventListener('abort', stop, { once: true });
	timers.push(setTimeout(stopLate, ms));
	try {
		const outcome = await running;
		return { outcome, timedOut };
	} finally {
		signal?.removeEventListener('abort', stop);
		for (const timer of timers) clearTimeout(timer);
		// A descendant that closed its output may outlive the program.
		kill();
	}
}
