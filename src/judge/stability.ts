import { END_ERROR } from '../stats/estimate.ts';
import { hodgesLehmann, hodgesLehmannInterval } from '../stats/hodges-lehmann.ts';
import type { Limits } from './sequential.ts';

const FEWEST_FOR_RANKS = 6;
const LEVELS = { low: END_ERROR, high: END_ERROR };

/**
 * Returns whether ranks contradict the verdict the t interval gives for `d`: a drop of the threshold is excluded by the exact
 * signed-rank interval while t says `regressed`, or that interval shows a regression while t says otherwise. Never below 6
 * rounds. A check beside the decision, so without weights for looks. Source: statistics.md 5.4.
 */
export function ranksContradict(
	verdict: 'regressed' | 'unchanged' | 'improved',
	d: readonly number[],
	limits: Limits,
): boolean {
	if (d.length < FEWEST_FOR_RANKS) return false;
	const { low, high } = hodgesLehmannInterval(d, LEVELS);
	if (verdict === 'regressed') return low !== null && low > limits.threshold;
	return high !== null && high < limits.tolerance && hodgesLehmann(d) <= limits.threshold;
}
