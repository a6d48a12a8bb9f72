import { Z95 } from '../../stats/normal.ts';
import type { ChangePoint, ChangeRepair, RowTrend, Segment } from '../../types/trend.ts';
import { type Curve, levelAt } from '../level-filter.ts';

/** What a later level is compared with. */
export interface RepairPlace {
	readonly points: RowTrend['points'];
	readonly segments: readonly Segment[];
	readonly curve: Curve;
	/** A drop up to it is harmless, as a log ratio. */
	readonly tolerance: number;
}

/**
 * Returns where a loss was made up for: the first later level that is surely not below the one before the change by more than the
 * tolerance, or by more than half of the loss where that is less. Null for what is not repaired, and for improvements.
 */
export function findRepair(
	{ at, step }: Pick<ChangePoint, 'at' | 'step'>,
	{ points, segments, curve, tolerance }: RepairPlace,
): ChangeRepair | null {
	const own = segments.findIndex(({ first }) => first === at);
	const before = segments[own - 1];
	if (step >= 0 || before === undefined) return null;
	const allowed = Math.min(tolerance, Math.abs(step) / 2);
	for (const after of segments.slice(own + 1)) {
		const { difference, se } = differenceOf(curve, before, after);
		if (difference - Z95 * se > -allowed) {
			return { commit: points[after.first]?.commit as number, step: difference, se };
		}
	}
	return null;
}

/** Links between them count as often as they lie between. */
function differenceOf(
	curve: Curve,
	before: Segment,
	after: Segment,
): { readonly difference: number; readonly se: number } {
	const old = levelAt(curve, before.first, before.last);
	const recent = levelAt(curve, after.last, after.first);
	const links = curve.jump.slice(before.last + 1, after.first + 1).reduce((sum, jump) => sum + jump, 0);
	return { difference: recent.mean - old.mean, se: Math.sqrt(old.variance + recent.variance + links) };
}
