/** The segments and change points of a row. */
import { type BaselineCommit, commitKey } from '../types/baseline.ts';
import type { ChangePoint, RowTrend, Segment } from '../types/trend.ts';
import type { Levels } from './find-levels.ts';
import { type Curve, levelAt } from './level-filter.ts';
import { locateChange } from './locate-change.ts';

/** A smaller step is not reported, whatever the threshold. */
const LEAST_STEP = 0.01;

/** Returns the smallest step that is reported, as a log ratio: 1 %, or half the tolerance, which is a quarter of the threshold. */
export function leastStep(threshold: number): number {
	return -Math.log1p(-Math.max(LEAST_STEP, threshold / 4));
}

/** Returns what stands for the tolerance, which a record does not keep, as a log ratio: half the threshold, which it is unless set. */
export function toleranceOf(threshold: number): number {
	return -Math.log1p(-threshold / 2);
}

/** Returns the segments of a row. The error of a mean is that within its segment; errors of links come on top. */
export function segmentsOf({ curve, starts }: Levels): readonly Segment[] {
	return starts.map((first, index) => {
		const last = (starts[index + 1] ?? curve.y.length) - 1;
		let [total, sum] = [0, 0];
		for (let at = first; at <= last; at++) {
			total += curve.weight[at] as number;
			sum += (curve.weight[at] as number) * (curve.y[at] as number);
		}
		return { first, last, mean: sum / total, se: 1 / Math.sqrt(total) };
	});
}

/**
 * Returns the changes between segments whose step is large enough to be reported, all as suspected. A change is looked for
 * between the changes beside it.
 */
export function findChanges(
	row: Pick<RowTrend, 'cell' | 'metric' | 'points'>,
	segments: readonly Segment[],
	curve: Curve,
	commits: readonly BaselineCommit[],
	least: number,
): readonly ChangePoint[] {
	const changes: ChangePoint[] = [];
	segments.slice(1).forEach((after, index) => {
		const before = segments[index] as Segment;
		const { step, se } = stepBetween(curve, before, after);
		if (Math.abs(step) < least) return;
		const places = locateChange(curve, before.first, after.last);
		const candidates = places.map(({ at, probability }) => ({ commit: commitAt(row, at), probability }));
		const first = commits[candidates[0]?.commit ?? 0] as BaselineCommit;
		changes.push({ id: changeId(row, first), at: after.first, candidates, step, se, state: 'suspected' });
	});
	return changes;
}

/** Returns the name of a change: its row and its first suspected commit. */
function changeId({ cell, metric }: Pick<RowTrend, 'cell' | 'metric'>, commit: BaselineCommit): string {
	const key = commitKey(commit);
	return `${cell} ${metric} @${commit.sha === null ? key : key.slice(0, 12)}`;
}

/** The level just after a change less that just before; across an era boundary the link's error counts. */
function stepBetween(curve: Curve, before: Segment, after: Segment): { readonly step: number; readonly se: number } {
	const old = levelAt(curve, before.first, before.last);
	const recent = levelAt(curve, after.last, after.first);
	const link = curve.jump[after.first] as number;
	return { step: recent.mean - old.mean, se: Math.sqrt(old.variance + recent.variance + link) };
}

function commitAt({ points }: Pick<RowTrend, 'points'>, at: number): number {
	return points[at]?.commit as number;
}
