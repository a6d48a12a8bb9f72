/** Which rows a plan has: most metrics give every cell one, those of a server's process one a server. */
import { isOfServer, METRIC_NAMES, type MetricName, SHOWN_METRICS } from '../types/metric.ts';
import type { Cell, Plan } from '../types/plan.ts';

/**
 * Returns the gated metrics that have a row at `cell`, in the order of the plan. The row of a server's process stands with the first
 * of the server's cells in the plan.
 */
export function metricsAt(
	{ id, server }: Pick<Cell, 'id' | 'server'>,
	{ cells, metrics }: Pick<Plan, 'cells' | 'metrics'>,
): readonly MetricName[] {
	const isFirst = cells.find((cell) => cell.server === server)?.id === id;
	return metrics.filter((metric) => isFirst || !isOfServer(metric));
}

/** Returns `cell` with the margins that hold for its row of `metric`. */
export function withMargins<C extends Cell>(cell: C, metric: MetricName, { margins }: Pick<Plan, 'margins'>): C {
	return { ...cell, ...margins?.[metric] };
}

/** Returns the metrics whose figures are shown with a row of `metric`, in the order of reports. */
export function metricsShown(metric: MetricName): readonly MetricName[] {
	if (isOfServer(metric)) return [metric];
	return METRIC_NAMES.filter((name) => name === metric || SHOWN_METRICS.includes(name));
}
