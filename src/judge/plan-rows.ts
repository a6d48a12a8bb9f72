/** Rows of a plan: one per cell, or per server for metrics of its process. */
import { isOfServer, METRIC_NAMES, type MetricName, SHOWN_METRICS } from '../types/metric.ts';
import { type Cell, type Plan, rowsOf } from '../types/plan.ts';

/**
 * Returns the metrics with a row at `cell`: gated, or of its scenario. A server's row belongs to the first of its
 * cells. Cells outside the plan have the gated ones.
 */
export function metricsAt(cell: Pick<Cell, 'id'>, plan: Pick<Plan, 'cells' | 'metrics'>): readonly MetricName[] {
	if (!plan.cells.some(({ id }) => id === cell.id)) return plan.metrics.filter((metric) => !isOfServer(metric));
	return rowsOf(plan).flatMap((row) => (row.cell.id === cell.id ? row.metric : []));
}

/** Returns `cell` with the margins for `metric`. */
export function withMargins<C extends Cell>(cell: C, metric: MetricName, { margins }: Pick<Plan, 'margins'>): C {
	return { ...cell, ...margins?.[metric] };
}

/** Returns the metrics shown with a row of `metric`, in report order. */
export function metricsShown(metric: MetricName): readonly MetricName[] {
	if (isOfServer(metric)) return [metric];
	return METRIC_NAMES.filter((name) => name === metric || SHOWN_METRICS.includes(name));
}
