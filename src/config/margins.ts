import type { Config, Margins, Scenario } from '../types/config.ts';
import { isCounted, METRICS, type MetricName } from '../types/metric.ts';
import type { Fraction } from '../types/units.ts';

export interface GateMetric {
	readonly name: MetricName;
	readonly threshold?: Fraction;
	readonly tolerance?: Fraction;
}

/** Returns margins of metrics that do not use the scenario's. A tolerance defaults to half the threshold. */
export function marginsOfMetrics(
	metrics: readonly GateMetric[],
): Readonly<Partial<Record<MetricName, Margins>>> | undefined {
	const margins = metrics.flatMap(({ name, threshold = METRICS[name].threshold, tolerance }) =>
		threshold === undefined
			? []
			: [[name, { threshold, tolerance: isCounted(name) ? 0 : (tolerance ?? threshold / 2) }] as const],
	);
	return margins.length === 0 ? undefined : Object.fromEntries(margins);
}

/** Returns a config for runs that do not count. */
export function withoutCounts(config: Config): Config {
	const { metrics } = config.gate;
	return { ...config, gate: { ...config.gate, metrics: metrics.filter((metric) => !isCounted(metric)) } };
}

/**
 * Returns a scenario's own margins, or else the config's. A scenario's tolerance defaults to half of its own threshold.
 */
export function marginsOf(scenario: Scenario, config: Pick<Config, 'threshold' | 'tolerance'>): Margins {
	const { threshold = config.threshold } = scenario;
	const inherited = scenario.threshold === undefined ? config.tolerance : threshold / 2;
	return { threshold, tolerance: scenario.tolerance ?? inherited };
}
