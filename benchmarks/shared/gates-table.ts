/** Pure: outcomes of the rows of `benchmarks/gates.ts`. */
import { median } from 'simple-statistics';
import type { MetricName } from '../../src/types/metric.ts';
import type { Fraction } from '../../src/types/units.ts';
import type { Verdict } from '../../src/types/verdict.ts';

/** Planted in a head that is the same as base. */
export const NOTHING = 'none';

/** One row of one run. */
export interface GatedRow {
	/** The fault in head. */
	readonly planted: string;
	readonly run: number;
	/** Exit code of the run. */
	readonly code: number | null;
	readonly server: string;
	readonly metric: MetricName;
	readonly verdict: Verdict;
	readonly change: Fraction | null;
	readonly halfWidth: Fraction | null;
	readonly rounds: number;
}

/** Rows of one metric with the same fault. */
export interface GatedRows {
	readonly planted: string;
	readonly metric: MetricName;
	readonly rows: number;
	readonly regressed: number;
	readonly unchanged: number;
	readonly inconclusive: number;
	/** Improved, or invalid. */
	readonly others: number;
	/** Medians over the rows with figures; null without any. */
	readonly change: Fraction | null;
	readonly halfWidth: Fraction | null;
	readonly rounds: number;
}

/** Returns the outcomes of each case and metric in the order of measurement. */
export function describeGates(rows: readonly GatedRow[]): GatedRows[] {
	return [...Map.groupBy(rows, ({ planted, metric }) => `${planted} ${metric}`).values()].flatMap((group) => {
		const [first] = group;
		if (first === undefined) return [];
		const count = (verdict: Verdict) => group.filter((row) => row.verdict === verdict).length;
		const [regressed, unchanged, inconclusive] = [count('regressed'), count('unchanged'), count('inconclusive')];
		return {
			...{ planted: first.planted, metric: first.metric, rows: group.length, regressed, unchanged, inconclusive },
			others: group.length - regressed - unchanged - inconclusive,
			change: middleOf(group.map(({ change }) => change)),
			halfWidth: middleOf(group.map(({ halfWidth }) => halfWidth)),
			rounds: median(group.map(({ rounds }) => rounds)),
		};
	});
}

function middleOf(values: readonly (number | null)[]): number | null {
	const numbers = values.filter((value) => value !== null);
	return numbers.length === 0 ? null : median(numbers);
}
