import { placeOf } from '../judge/baseline/drift.ts';
import { Z95 } from '../stats/normal.ts';
import { studentQuantile } from '../stats/student-t.ts';
import type { Era, Standing, TrendPoint } from '../types/trend.ts';
import type { Fraction } from '../types/units.ts';
import { clipOutliers } from './clip-outliers.ts';
import { type Levels, REACH } from './find-levels.ts';
import type { RowPoint } from './row-points.ts';

/** Level of a row's newest code, before the correction for the number of rows. Log ratios against the last anchor. */
export interface NewestLevel {
	readonly theta: number;
	readonly se: number;
	/** Degrees of freedom of `se`. */
	readonly df: number;
	/** Number of baselines behind the level. */
	readonly baselines: number;
	/** Interval of the record if the level has one baseline, else null. */
	readonly recorded: Pick<Standing, 'low' | 'high'> | null;
	/** Level of the earlier baselines of the same era, if it differs, else null. */
	readonly before: number | null;
	readonly since: number | null;
	readonly anchor: Era['anchor'];
}

/** Distance between the newest baselines and the earlier ones that counts as a step (SE): by chance 0.3 %. */
const STEP_SES = 3;
/** Several newest baselines must each differ from the earlier ones by more than this, and from their mean by no more (SE). */
const POINT_SES = 2;
/**
 * Fewest points of an era for clipping: each then has six neighbours. With fewer, two points of each kind may be a step as well as
 * outliers.
 */
const FEWEST_TO_CLIP = 7;
/** Joint confidence of the intervals of all rows. */
const CONFIDENCE = 0.95;

/**
 * Returns the level of a row's newest code; null without points. Only the last segment of the last era counts, because earlier eras have
 * another anchor. A segment needs `shortest` points. Where fewer of the newest points agree with each other and differ from the earlier
 * ones, they make the level. Degrees of freedom by Satterthwaite 1946: a standard error has one less than its rounds, τ² those of its
 * estimate. Source: docs/statistics.md, "Where a row stands".
 */
export function newestLevel(
	points: readonly RowPoint[],
	levels: Levels,
	eras: readonly Era[],
	shortest: number,
): NewestLevel | null {
	const last = points.at(-1)?.point;
	if (last === undefined) return null;
	const start = points.findIndex(({ point }) => point.era === last.era);
	const first = Math.max(start, levels.starts.at(-1) ?? 0);
	const stretch = stretchOf(points.slice(start), levels.curve.weight.subarray(start), first - start);
	const tail = newestStep(stretch, shortest);
	const from = tail ?? 0;
	const { mean, total } = meanOf(tail === null ? stretch.clipped : stretch.raw, stretch.weight, from);
	const baselines = stretch.weight.length - from;
	const at = first + from;
	return {
		theta: baselines === 1 ? last.theta : mean,
		se: baselines === 1 ? last.se : 1 / Math.sqrt(total),
		df: freedomOf(
			points.slice(at).map(({ point }) => point),
			stretch.weight.subarray(from),
			levels,
		),
		baselines,
		recorded: baselines === 1 ? recordedOf(points.at(-1) as RowPoint) : null,
		before: tail === null ? null : meanOf(stretch.clipped, stretch.weight, 0, tail).mean,
		since: at === start ? null : (points[at]?.point.commit ?? null),
		anchor: (eras[last.era] as Era).anchor,
	};
}

/**
 * Returns where a row stands. Intervals of several baselines hold jointly for all `rows` with 95 % (Šidák 1967); otherwise a page of a
 * hundred rows would nearly always have one that seems slower. A single baseline has the interval of its record. If it differs from the
 * earlier baselines or from the anchor it may be an outlier: the row is unsettled, and the interval extends to that level.
 */
export function standingOf(level: NewestLevel, rows: number, threshold: Fraction): Standing {
	const { theta, se, df, baselines, recorded, before, since, anchor } = level;
	const reach = -studentQuantile((1 - CONFIDENCE ** (1 / rows)) / 2, df) * se;
	const own = recorded ?? { low: theta - reach, high: theta + reach };
	const settled = baselines > 1 || (before === null && own.low <= 0 && own.high >= 0);
	const other = settled ? theta : (before ?? 0);
	const ends = { low: Math.min(own.low, other), high: Math.max(own.high, other) };
	const place = placeOf({ theta, ...ends, settled, threshold });
	return { theta, se, ...ends, baselines, settled, place, since, anchor };
}

/** Points of one era and segment: log ratios against the anchor as measured, the same with outliers clipped, and weights. */
interface Stretch {
	readonly raw: Float64Array;
	readonly clipped: Float64Array;
	readonly weight: Float64Array;
}

/**
 * Returns the points of an era from `first` on. Clips within the era, because points before a release are no neighbours of those after it,
 * and only if it has enough points to show an outlier.
 */
function stretchOf(era: readonly RowPoint[], weight: Float64Array, first: number): Stretch {
	const raw = Float64Array.from(era, ({ point }) => point.theta);
	const sd = weight.map((each) => 1 / Math.sqrt(each));
	const clipped = raw.length < FEWEST_TO_CLIP ? raw : clipOutliers(raw, sd, REACH);
	return { raw: raw.subarray(first), clipped: clipped.subarray(first), weight: weight.subarray(first) };
}

/**
 * Returns the start of the longest run of newest points that differs from the earlier ones; null without one. In a run of several, each
 * point must differ and all must agree; otherwise an outlier and the point after it would form a level.
 */
function newestStep({ raw, clipped, weight }: Stretch, shortest: number): number | null {
	const count = raw.length;
	for (let from = Math.max(1, count - shortest + 1); from < count; from++) {
		const recent = meanOf(raw, weight, from);
		const before = meanOf(clipped, weight, 0, from);
		const distance = (recent.mean - before.mean) / Math.sqrt(1 / recent.total + 1 / before.total);
		const alone = Array.from({ length: count - from }, (_, index) => {
			const [value, root] = [raw[from + index] as number, Math.sqrt(weight[from + index] as number)];
			return { fromBefore: (value - before.mean) * root, fromRecent: (value - recent.mean) * root };
		});
		const differs = alone.every(({ fromBefore }) => fromBefore * Math.sign(distance) > POINT_SES);
		const agrees = alone.every(({ fromRecent }) => Math.abs(fromRecent) <= POINT_SES);
		if (differs && agrees && Math.abs(distance) > STEP_SES) return from;
	}
	return null;
}

function meanOf(values: Float64Array, weight: Float64Array, from: number, until = values.length) {
	let [total, sum] = [0, 0];
	for (let at = from; at < until; at++) {
		total += weight[at] as number;
		sum += (weight[at] as number) * (values[at] as number);
	}
	return { mean: sum / total, total };
}

function freedomOf(points: readonly TrendPoint[], weight: Float64Array, { tau2, freedom }: Levels): number {
	const total = weight.reduce((sum, each) => sum + each, 0);
	let [ofRounds, shares] = [0, 0];
	points.forEach(({ se, rounds }, index) => {
		const share = ((weight[index] as number) / total) ** 2;
		shares += share;
		ofRounds += (share * se ** 2) ** 2 / Math.max(1, rounds - 1);
	});
	return total ** -2 / (ofRounds + (shares * tau2) ** 2 / freedom);
}

function recordedOf({ point: { theta, se }, interval }: RowPoint): Pick<Standing, 'low' | 'high'> {
	return interval ?? { low: theta - Z95 * se, high: theta + Z95 * se };
}
