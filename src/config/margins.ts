import type { Config, Margins, Scenario } from '../types/config.ts';
import { METRICS, type MetricName } from '../types/metric.ts';
import type { Fraction } from '../types/units.ts';

/** A metric of the gate, as a config names it. */
export interface GateMetric {
	readonly name: MetricName;
	readonly threshold?: Fraction;
	readonly tolerance?: Fraction;
}

/**
 * Returns the margins of each metric whose rows do not have those of their scenario, absent when there is none: what the gate says of the
 * metric, else what is usual for it. The tolerance is half the threshold unless it is given.
 */
export function marginsOfMetrics(
	metrics: readonly GateMetric[],
): Readonly<Partial<Record<MetricName, Margins>>> | undefined {
	const margins = metrics.flatMap(({ name, threshold = METRICS[name].threshold, tolerance }) =>
		threshold === undefined ? [] : [[name, { threshold, tolerance: tolerance ?? threshold / 2 }] as const],
	);
	return margins.length === 0 ? undefined : Object.fromEntries(margins);
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
