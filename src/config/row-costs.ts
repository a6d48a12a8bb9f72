/** Time until a row is decided, by scenario: the list of rows must not depend on the speed of a machine. */
import COSTS from '../../scenarios/costs.json' with { type: 'json' };
import type { Seconds } from '../types/units.ts';

export type RowCosts = Readonly<Record<string, Seconds>>;

/** Rows of one scenario. */
export interface CountedRows {
	readonly scenario: string;
	readonly rows: number;
}

/** Returns how many scenarios, in their order, a budget holds, at least one. One without a cost costs most. */
export function countHeld(scenarios: readonly CountedRows[], budget: Seconds, costs: RowCosts = COSTS): number {
	const most = Math.max(...Object.values(costs));
	let left = budget;
	const beyond = scenarios.findIndex(({ scenario, rows }) => {
		left -= rows * (costs[scenario] ?? most);
		return left < 0;
	});
	return beyond < 0 ? scenarios.length : Math.max(1, beyond);
}
