/** Comparisons that prove one change, for baselines and bisects. */
import { type Config, SEED_LIMIT } from '../types/config.ts';
import type { MetricName } from '../types/metric.ts';
import type { Fraction } from '../types/units.ts';

/** A smaller threshold would take too many rounds. */
const LEAST_THRESHOLD: Fraction = 0.01;
/** A prime step keeps seeds far apart. */
const SEED_STEP = 7919;

/** A change suspected for its size is usually smaller. This part of it proves the change, less refutes it. */
const PROVEN_PART: Fraction = 0.5;

export function proofLimits(change: Fraction): Pick<Config, 'threshold' | 'tolerance'> {
	// Thousandths keep the repeating command readable.
	const threshold = Math.round(Math.max(LEAST_THRESHOLD, PROVEN_PART * change) * 1000) / 1000;
	return { threshold, tolerance: threshold / 2 };
}

/** Returns the config for proving a change in rows of `metrics`, replacing their thresholds. */
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

/** Returns a different seed for each comparison. */
export function seedOf({ seed }: Pick<Config, 'seed'>, number: number): number {
	return (seed + number * SEED_STEP) % SEED_LIMIT;
}
