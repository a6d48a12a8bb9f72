import type { Seconds } from '../types/units.ts';

/** Time limit of programs such as git that read only local data. */
export const QUESTION_MS = 60_000;

export const LATE = Symbol('late');

/** Returns the outcome of `promise`, or LATE after `milliseconds`. */
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

export function monotonicSeconds(): Seconds {
	return performance.now() / 1000;
}
