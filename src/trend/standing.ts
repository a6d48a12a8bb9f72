import { placeOf } from '../judge/baseline/drift.ts';
import { Z95 } from '../stats/normal.ts';
import { studentQuantile } from '../stats/student-t.ts';
import type { Era, Standing, TrendPoint } from '../types/trend.ts';
import type { Fraction } from '../types/units.ts';
import { clipOutliers } from './clip-outliers.ts';
import { type Levels, REACH } from './find-levels.ts';
import type { RowPoint } from './row-points.ts';

/** The level of a row's newest code, before the number of rows is known. Log ratios against the last anchor. */
export interface NewestLevel {
	readonly theta: number;
	readonly se: number;
	/** Degrees of freedom of `se`. */
	readonly df: number;
	/** Baselines it rests on. */
	readonly baselines: number;
	/** Interval of the record where it rests on one baseline, else null. */
	readonly recorded: Pick<Standing, 'low' | 'high'> | null;
	/** Level of the baselines before, of the same era, where it is another one. */
	readonly before: number | null;
	readonly since: number | null;
	readonly anchor: Era['anchor'];
}

/** So many standard errors between the newest baselines and those before are a step: a chance of 0.3 % without one. */
const STEP_SES = 3;
/** Of several newest baselines each differs by so many standard errors from those before, and by no more from their mean. */
const POINT_SES = 2;
/** Points of an era that have six neighbours: of fewer, two of each kind are as likely a step as outliers. */
const FEWEST_TO_CLIP = 7;
/** Confidence of the intervals of all rows together. */
const CONFIDENCE = 0.95;

/**
 * Returns the level of the newest code of a row; null without points. Only points of the last era count, because only they were
 * measured against the last anchor, and of those only the last segment. A segment needs `shortest` points; where fewer of the newest
 * agree with each other and not with those before, the level is theirs. The degrees of freedom are those of Satterthwaite 1946: a
 * standard error has one less than its rounds, τ² those of its estimate. Source: docs/statistics.md, "Where a row stands".
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
 * Returns where a row stands. Intervals of several baselines hold for all `rows` together with 95 % (Šidák 1967): without it a page of
 * a hundred rows always has one that seems slower. One baseline has the interval of its record. Alone it settles nothing where it
 * differs from the baselines before, or from the anchor: it may be an outlier, so the interval then reaches to that level too.
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

/** The points of one era and segment: log ratios against the anchor as measured, the same with outliers clipped, and weights. */
interface Stretch {
	readonly raw: Float64Array;
	readonly clipped: Float64Array;
	readonly weight: Float64Array;
}

/** Of an era's points those from `first` on. Points before a release are no neighbours of those after it, and few points show no outlier. */
function stretchOf(era: readonly RowPoint[], weight: Float64Array, first: number): Stretch {
	const raw = Float64Array.from(era, ({ point }) => point.theta);
	const sd = weight.map((each) => 1 / Math.sqrt(each));
	const clipped = raw.length < FEWEST_TO_CLIP ? raw : clipOutliers(raw, sd, REACH);
	return { raw: raw.subarray(first), clipped: clipped.subarray(first), weight: weight.subarray(first) };
}

/**
 * Returns where the newest points begin that differ from those before, the most of them that do; null where none differ. Several count
 * only where each of them differs, and they agree with each other: else an outlier and the point after it would be a level.
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
