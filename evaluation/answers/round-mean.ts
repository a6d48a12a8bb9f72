import { mean } from 'simple-statistics';
import type { MetricName } from '../../src/types/metric.ts';
import type { MeasuredTurn } from './turns.ts';

/**
 * Returns the mean d of `metric` over `turns` of one process pair (log units, negative is worse), or null if no turn
 * has it. Cells of one pair share its processes, so together they are one value.
 */
export function roundMean(turns: readonly MeasuredTurn[], metric: MetricName): number | null {
	const differences = turns.flatMap(({ d }) => d[metric] ?? []);
	return differences.length === 0 ? null : mean(differences);
}
