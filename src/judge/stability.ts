import { checkingRanks, END_ERROR } from '../stats/estimate.ts';
import { hodgesLehmannOf, signedRankEnds } from '../stats/hodges-lehmann.ts';
import type { Limits } from './sequential.ts';

const LEVELS = { low: END_ERROR, high: END_ERROR };

/**
 * Returns whether ranks contradict the verdict the t interval gives for `d`: a drop of the threshold is excluded by the exact
 * signed-rank interval while t says `regressed`, or that interval shows a regression while t says otherwise. Only for 6 to 8
 * rounds: fewer say too little, and from 9 on ranks decide together with t. A check beside the decision, so without weights for
 * looks. Source: statistics.md 5.4.
 */
export function ranksContradict(
	verdict: 'regressed' | 'unchanged' | 'improved',
	d: readonly number[],
	limits: Limits,
): boolean {
	const averages = checkingRanks(d);
	if (!averages) return false;
	const { low, high } = signedRankEnds(averages, LEVELS);
	if (verdict === 'regressed') return low !== null && low > limits.threshold;
	return high !== null && high < limits.tolerance && hodgesLehmannOf(averages) <= limits.threshold;
}
