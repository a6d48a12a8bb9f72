/** The end of a program of ours and of whatever it has started, at a deadline or when the run is given up. */
import { identifyProcess, isAlive, type KnownProcess } from './followed-tree.ts';
import { listTree } from './process-tree.ts';
import { signalProcess } from './processes.ts';

/** How long they may take to end after SIGTERM. */
const GRACE_MS = 2_000;

/** A program that runs, and what comes of it. */
interface Running<T> extends PromiseLike<T> {
	readonly pid?: number | undefined;
}

/**
 * Returns what comes of a program, and whether its time was up. Then, and when `signal` fires, it gets SIGTERM with all that it has
 * started, and SIGKILL after two seconds: a helper of git's that waits for a network has git's output too, and whoever reads that
 * would wait for it long after git has ended. It stays in our process group, so that a helper may ask at the terminal.
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
		// Without /proc nobody tells what it has started.
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
		// What has closed its output is waited for by nobody.
		kill();
	}
}
