import type { Progress } from '../types/run-services.ts';

/**
 * Runs `work` with a signal that aborts on Ctrl-C, SIGTERM and SIGHUP. A second signal exits with code 130, even during
 * cleanup, which the watchdog then finishes. Removes its handlers unless interrupted.
 */
export async function withInterrupt<T>(progress: Progress, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
	const controller = new AbortController();
	const onSignal = (name: NodeJS.Signals) => {
		if (controller.signal.aborted) process.exit(130);
		progress.step(`${name}: stopping servers and keeping finished rounds (again: leave at once)`);
		controller.abort(new Interrupted(name));
	};
	const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
	for (const name of names) process.on(name, onSignal);
	try {
		return await work(controller.signal);
	} finally {
		if (!controller.signal.aborted) for (const name of names) process.off(name, onSignal);
	}
}

export class Interrupted extends Error {
	constructor(signal: string) {
		super(`interrupted by ${signal}`);
		this.name = 'Interrupted';
	}
}
