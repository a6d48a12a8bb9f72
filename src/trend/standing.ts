import { Z95 } from '../stats/normal.ts';
import type { Era, Segment, Standing, TrendPoint } from '../types/trend.ts';
import { type Curve, levelAt } from './level-filter.ts';
import type { Chain } from './link-eras.ts';

/**
 * Returns where a row stands: the level of its last segment against the anchor of its last era. What the segment has in earlier
 * eras counts as far as the links are sure. Null without points.
 */
export function standingOf(
	points: readonly TrendPoint[],
	segments: readonly Segment[],
	curve: Curve,
	chain: Chain,
	eras: readonly Era[],
): Standing | null {
	const segment = segments.at(-1);
	const last = points.at(-1);
	if (segment === undefined || last === undefined) return null;
	const level = levelAt(curve, segment.first, segment.last);
	const theta = level.mean - (chain.offsets[last.era] as number);
	const se = Math.sqrt(level.variance);
	const firstOfEra = points.findIndex(({ era }) => era === last.era);
	return {
		theta,
		se,
		low: theta - Z95 * se,
		high: theta + Z95 * se,
		since: segment.first <= firstOfEra ? null : (points[segment.first]?.commit ?? null),
		anchor: (eras[last.era] as Era).anchor,
	};
}
