/** What the proofs of a baseline and of a bisect share: comparisons that look for one change, with coins of their own. */
import { type Config, SEED_LIMIT } from '../types/config.ts';
import type { MetricName } from '../types/metric.ts';
import type { Fraction } from '../types/units.ts';

/** A smaller change is proven with this threshold: its own would take too many rounds. */
const LEAST_THRESHOLD: Fraction = 0.01;
/** A prime, so that no two of a run's comparisons are a few steps apart. */
const SEED_STEP = 7919;

/** What is suspected was chosen because it looked large, so it is smaller as a rule: this part of it is enough, and less refutes it. */
const PROVEN_PART: Fraction = 0.5;

/** Returns threshold and tolerance of a comparison that looks for a change of size `change`. */
export function proofLimits(change: Fraction): Pick<Config, 'threshold' | 'tolerance'> {
	// In whole thousandths, so that the command that repeats it can be read.
	const threshold = Math.round(Math.max(LEAST_THRESHOLD, PROVEN_PART * change) * 1000) / 1000;
	return { threshold, tolerance: threshold / 2 };
}

/** Returns the config of a comparison that looks for a change of size `change` in rows of `metrics`, whatever thresholds these had. */
export function proofConfig(config: Config, change: Fraction, metrics: readonly MetricName[]): Config {
	const { margins = {}, ...gate } = config.gate;
	const others = Object.entries(margins).filter(([name]) => !metrics.includes(name as MetricName));
	return {
		...config,
		...proofLimits(change),
		scenarios: config.scenarios.map(({ threshold: _d1, tolerance: _d0, ...scenario }) => scenario),
		gate: { ...gate, ...(others.length > 0 && { margins: Object.fromEntries(others) }) },
	};
}

/** Returns the seed of the comparison with this number: each flips coins of its own. */
export function seedOf({ seed }: Pick<Config, 'seed'>, number: number): number {
	return (seed + number * SEED_STEP) % SEED_LIMIT;
}
