/** Which rows a plan has: most metrics give every cell one, those of a server's process one a server. */
import { isOfServer, METRIC_NAMES, type MetricName, SHOWN_METRICS } from '../types/metric.ts';
import { type Cell, type Plan, rowsOf } from '../types/plan.ts';

/**
 * Returns the metrics that have a row at `cell`: the gated ones, or those its scenario names. The row of a server's process stands with
 * the first of the server's cells in the plan that has it. A cell that the plan does not know has the gated ones.
 */
export function metricsAt(cell: Pick<Cell, 'id'>, plan: Pick<Plan, 'cells' | 'metrics'>): readonly MetricName[] {
	if (!plan.cells.some(({ id }) => id === cell.id)) return plan.metrics.filter((metric) => !isOfServer(metric));
	return rowsOf(plan).flatMap((row) => (row.cell.id === cell.id ? row.metric : []));
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
