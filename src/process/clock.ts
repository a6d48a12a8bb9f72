import type { Seconds } from '../types/units.ts';

/** Returns seconds of a clock that never goes back: what budgets and durations are measured by. */
export function monotonicSeconds(): Seconds {
	return performance.now() / 1000;
}
