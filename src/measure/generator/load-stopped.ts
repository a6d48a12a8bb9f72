import type { Seconds, Side } from '../../types/units.ts';

/** The run was stopped, or a side answers only errors. */
export class LoadStopped extends Error {
	/** Sides that answered only errors; empty if the run was stopped. */
	readonly sides: readonly Side[];
	constructor(message: string, sides: readonly Side[] = []) {
		super(message);
		this.sides = sides;
	}
}

export function sleep(seconds: Seconds, signal: AbortSignal): Promise<void> {
	return new Promise((resolve, reject) => {
		const stop = () => {
			clearTimeout(timer);
			reject(signal.reason instanceof LoadStopped ? signal.reason : new LoadStopped(String(signal.reason)));
		};
		const timer = setTimeout(() => {
			signal.removeEventListener('abort', stop);
			resolve();
		}, seconds * 1000);
		if (signal.aborted) stop();
		else signal.addEventListener('abort', stop, { once: true });
	});
}
