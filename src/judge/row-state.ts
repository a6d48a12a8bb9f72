import type { MetricName } from '../types/metric.ts';
import type { Cell } from '../types/plan.ts';
import type { RowDecision } from '../types/verdict.ts';
import type { Judging } from './judging-metric.ts';
import type { RowLooks } from './looks/row-looks.ts';

export interface Row {
	readonly cell: Cell;
	readonly metric: MetricName;
	readonly main: RowLooks;
	readonly judging: Judging | null;
	/** The row goes on because head may wait. */
	readonly waits: boolean;
	/** Looks at alternating windows. Once they begin, only a verdict ends them. */
	readonly confirm: RowLooks | null;
	/** Decided only because no look was left; rows of other machines may make it significant. */
	readonly atLast: boolean;
	/** Set once, when final. */
	readonly decision: RowDecision | null;
}
