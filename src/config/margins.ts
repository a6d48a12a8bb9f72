import type { Config, Scenario } from '../types/config.ts';
import type { Fraction } from '../types/units.ts';

/** How far a scenario may drop: harmless up to `tolerance`, failing beyond `threshold`. */
export interface Margins {
	readonly threshold: Fraction;
	readonly tolerance: Fraction;
}

/**
 * Returns the margins that hold for a scenario: its own where it has any, else the config's. With a threshold of its own
 * and no tolerance, the tolerance is half of that threshold.
 */
export function marginsOf(scenario: Scenario, config: Pick<Config, 'threshold' | 'tolerance'>): Margins {
	const { threshold = config.threshold } = scenario;
	const inherited = scenario.threshold === undefined ? config.tolerance : threshold / 2;
	return { threshold, tolerance: scenario.tolerance ?? inherited };
}
