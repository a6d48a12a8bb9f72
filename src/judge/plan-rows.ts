import { isCounted, isOfServer, METRIC_NAMES, type MetricName, SHOWN_METRICS } from '../types/metric.ts';
import { type Cell, type Plan, rowsOf } from '../types/plan.ts';

/**
 * Returns the metrics that have a row at `cell`: the gated ones, or those of its scenario. A server's row belongs to
 * the first of its cells. Cells outside the plan have the gated metrics that are not of a server.
 */
export function metricsAt(cell: Pick<Cell, 'id'>, plan: Pick<Plan, 'cells' | 'metrics'>): readonly MetricName[] {
	if (!plan.cells.some(({ id }) => id === cell.id)) return plan.metrics.filter((metric) => !isOfServer(metric));
	return rowsOf(plan).flatMap((row) => (row.cell.id === cell.id ? row.metric : []));
}

export function withMargins<C extends Cell>(cell: C, metric: MetricName, { margins }: Pick<Plan, 'margins'>): C {
	return { ...cell, ...margins?.[metric] };
}

export function metricsShown(metric: MetricName): readonly MetricName[] {
	if (isOfServer(metric) || isCounted(metric)) return [metric];
	return METRIC_NAMES.filter((name) => name === metric || SHOWN_METRICS.includes(name));
}
