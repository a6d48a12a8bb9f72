import type { Seconds } from '../types/units.ts';

/** Longest wait for what git or another program says of what is on this machine. */
export const QUESTION_MS = 60_000;

/** What did not happen in time. */
export const LATE = Symbol('late');

/** Returns what `promise` gives, or LATE when it takes longer than `milliseconds`. */
export async function within<T>(milliseconds: number, promise: Promise<T>): Promise<T | typeof LATE> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<typeof LATE>((resolve) => {
		timer = setTimeout(() => resolve(LATE), milliseconds);
	});
	try {
		return await Promise.race([promise, late]);
	} finally {
		clearTimeout(timer);
	}
}

/** Returns seconds of a clock that never goes back: what budgets and durations are measured by. */
export function monotonicSeconds(): Seconds {
	return performance.now() / 1000;
}
