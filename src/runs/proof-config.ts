/** What the proofs of a baseline and of a bisect share: comparisons that look for one change, with coins of their own. */
import { type Config, SEED_LIMIT } from '../types/config.ts';
import type { Fraction } from '../types/units.ts';

/** A smaller change is proven with this threshold: its own would take too many rounds. */
const LEAST_THRESHOLD: Fraction = 0.01;
/** A prime, so that no two of a run's comparisons are a few steps apart. */
const SEED_STEP = 7919;

/** Returns the config of a comparison that looks for a change of size `change` in all of its rows, whatever thresholds they had. */
export function proofConfig(config: Config, change: Fraction): Config {
	const threshold = Math.max(LEAST_THRESHOLD, change);
	return {
		...config,
		threshold,
		tolerance: threshold / 2,
		scenarios: config.scenarios.map(({ threshold: _d1, tolerance: _d0, ...scenario }) => scenario),
	};
}

/** Returns the seed of the comparison with this number: each flips coins of its own. */
export function seedOf({ seed }: Pick<Config, 'seed'>, number: number): number {
	return (seed + number * SEED_STEP) % SEED_LIMIT;
}
