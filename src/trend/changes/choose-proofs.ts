/** Which suspected slowdowns to prove next. */
import type { ChangePoint, RowTrend, Trend } from '../../types/trend.ts';
import { type ChangeGroup, groupChanges } from './group-changes.ts';

/** Duets of a change that decide nothing, after which it stays a suspicion. */
const MOST_TRIES = 3;
/** What is older, in measured commits, is history: nobody bisects it. */
const RECENT = 40;

/** Returns the losses to prove, the latest first, several rows together where one duet can prove them. */
export function chooseProofs(trend: Trend, canMeasure: (row: RowTrend) => boolean): readonly ChangeGroup[] {
	const rows = trend.rows.filter(canMeasure);
	const isRecent = ({ candidates }: ChangePoint) =>
		candidates.some(({ commit }) => commit >= trend.commits.length - RECENT);
	return groupChanges({ rows }, (change) => isUnproven(change) && isRecent(change));
}

function isUnproven({ step, state, proof }: ChangePoint): boolean {
	return step < 0 && state === 'suspected' && (proof?.tries ?? 0) < MOST_TRIES;
}
