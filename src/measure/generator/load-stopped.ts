/** Waiting that ends when load must not go on. */
import type { Seconds, Side } from '../../types/units.ts';

/** Why load must not go on: told to stop, or a side answers nothing but errors. */
export class LoadStopped extends Error {
	/** Sides that answered nothing but errors; none when it was told to stop. */
	readonly sides: readonly Side[];
	constructor(message: string, sides: readonly Side[] = []) {
		super(message);
		this.sides = sides;
	}
}

/** Resolves after `seconds`; rejects with LoadStopped as soon as `signal` aborts. */
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
