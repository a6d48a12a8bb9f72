import type { MetricName } from '../types/metric.ts';
import type { Cell } from '../types/plan.ts';
import type { RowDecision } from '../types/verdict.ts';
import type { Judging } from './judging-metric.ts';
import type { RowLooks } from './looks/row-looks.ts';

/** One row on its way to a verdict. */
export interface Row {
	readonly cell: Cell;
	readonly metric: MetricName;
	readonly main: RowLooks;
	/** Which metric judges, chosen at the latest look; null before the first. */
	readonly judging: Judging | null;
	/** Whether the row goes on because head may wait. */
	readonly waits: boolean;
	/** The looks at alternating windows once the row waits for them; a row never leaves that state but by a verdict. */
	readonly confirm: RowLooks | null;
	/** Whether its verdict was given only because no look was left: what other machines measured may still make it significant. */
	readonly atLast: boolean;
	/** Set once and for all when the row is final. */
	readonly decision: RowDecision | null;
}
