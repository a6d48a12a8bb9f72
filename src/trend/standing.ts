import { placeOf } from '../judge/baseline/drift.ts';
import { studentQuantile, Z95 } from '../stats/distributions.ts';
import type { Era, Standing } from '../types/trend.ts';
import type { Fraction } from '../types/units.ts';
import { clipOutliers } from './clip-outliers.ts';
import { type Levels, REACH } from './find-levels.ts';
import type { RowPoint, Run, rowPoints } from './row-points.ts';

/** Log ratio against the last anchor, before the correction for the number of rows. */
interface Level {
	readonly theta: number;
	readonly se: number;
	readonly df: number;
	readonly baselines: number;
	readonly recorded: Pick<Standing, 'low' | 'high'> | null;
	readonly since: number | null;
}

export interface NewestLevel {
	readonly now: Level;
	/** Earlier baselines of the era, if they differ from the newest. */
	readonly before: Level | null;
	readonly anchor: Era['anchor'];
	/** Number of newest commits without a usable measurement. */
	readonly failed: number;
}

/** A difference of this many SE is a step. Chance makes one in 0.3 % of cases. */
const STEP_SES = 3;
/**
 * Each of several newest baselines must differ from the earlier ones by more than this many SEs, and from their own
 * mean by at most as many.
 */
const POINT_SES = 2;
/** Each run then has six neighbours. With fewer runs, two of each kind may be a step or outliers. */
const FEWEST_TO_CLIP = 7;
/** Confidence that all rows have together. */
const CONFIDENCE = 0.95;

/**
 * Returns the level of a row's newest code, from the last segment of the last era; null without a point there. If fewer
 * than `shortest` newest runs agree and differ from the earlier ones, they alone count. Degrees of freedom:
 * Satterthwaite 1946. Source: docs/statistics.md, "Where a row stands".
 */
export function newestLevel(
	{ points, gaps }: ReturnType<typeof rowPoints>,
	levels: Levels,
	eras: readonly Era[],
	shortest: number,
): NewestLevel | null {
	const [last, era] = [points.at(-1)?.point, eras.at(-1)];
	if (last === undefined || last.era !== era?.index) return null;
	const start = points.findIndex(({ point }) => point.era === last.era);
	const first = Math.max(start, levels.starts.at(-1) ?? 0);
	const stretch = stretchOf(points.slice(start), first - start, levels.tau2);
	const count = stretch.runs.length;
	const step = newestStep(stretch, shortest);
	return {
		now: levelOf(stretch, step === null ? stretch.clipped : stretch.raw, [step ?? 0, count], levels),
		before: step === null ? null : levelOf(stretch, stretch.clipped, [0, step], levels),
		anchor: era.anchor,
		failed: gaps.filter(({ commit }) => commit > last.commit).length,
	};
}

/**
 * Returns where a row stands. Intervals of several baselines hold jointly for all `rows` with 95 % (Šidák 1967). The
 * interval of a single baseline that differs from the earlier ones or the anchor extends to that level: it may be an
 * outlier. Source: docs/statistics.md, "Where a row stands".
 */
export function standingOf({ now, before, anchor, failed }: NewestLevel, rows: number, threshold: Fraction): Standing {
	const placement = placed(now, rows, threshold);
	const earlier = before && placed(before, rows, threshold);
	const isSure = now.baselines > 1 || (before === null && placement.low <= 0 && placement.high >= 0);
	const settled = isSure || placement.place === earlier?.place;
	const { theta, se, baselines, since } =
		!isSure && settled && before && Math.abs(before.theta) < Math.abs(now.theta) ? before : now;
	// The earlier level counts with its interval only if the row may stand there.
	const other = settled && earlier ? earlier : { low: before?.theta ?? 0, high: before?.theta ?? 0 };
	const low = isSure ? placement.low : Math.min(placement.low, other.low);
	const high = isSure ? placement.high : Math.max(placement.high, other.high);
	const place = placeOf({ theta, low, high, settled, threshold });
	const seemsBelow = !settled && (placement.place === 'below' || earlier?.place === 'below');
	const mayBeSlower = place === 'below' || seemsBelow || low <= Math.log1p(-threshold);
	return { theta, se, low, high, baselines, settled, place, mayBeSlower, failed, since, anchor };
}

function placed(
	{ theta, se, df, recorded }: Level,
	rows: number,
	threshold: Fraction,
): Pick<Standing, 'low' | 'high' | 'place'> {
	const reach = -studentQuantile((1 - CONFIDENCE ** (1 / rows)) / 2, df) * se;
	const ends = recorded ?? { low: theta - reach, high: theta + reach };
	return { ...ends, place: placeOf({ theta, ...ends, settled: true, threshold }) };
}

/** Runs of one era and segment: log ratios (raw and clipped) and weights. */
interface Stretch {
	readonly runs: readonly (Run & { readonly commit: number })[];
	readonly raw: Float64Array;
	readonly clipped: Float64Array;
	readonly weight: Float64Array;
	/** The segment begins with the era. */
	readonly isWhole: boolean;
}

/** Clips within the era, because runs before a release are no neighbours of those after it. */
function stretchOf(era: readonly RowPoint[], first: number, tau2: number): Stretch {
	const all = era.flatMap(({ point, runs }) => runs.map((run) => ({ ...run, commit: point.commit })));
	const raw = Float64Array.from(all, ({ theta }) => theta);
	const weight = Float64Array.from(all, ({ se }) => 1 / (se * se + tau2));
	const sd = weight.map((each) => 1 / Math.sqrt(each));
	const clipped = raw.length < FEWEST_TO_CLIP ? raw : clipOutliers(raw, sd, REACH);
	const from = era.slice(0, first).reduce((sum, { runs }) => sum + runs.length, 0);
	return {
		runs: all.slice(from),
		raw: raw.subarray(from),
		clipped: clipped.subarray(from),
		weight: weight.subarray(from),
		isWhole: from === 0,
	};
}

/**
 * The start of the longest series of newest runs that all agree and differ from the earlier ones: otherwise an
 * outlier and the next run would form a level.
 */
function newestStep({ runs, raw, clipped, weight }: Stretch, shortest: number): number | null {
	const count = raw.length;
	const commits = [...new Set(runs.map(({ commit }) => commit))];
	const newest = commits.at(-Math.min(Math.max(1, shortest - 1), commits.length));
	const earliest = runs.findIndex(({ commit }) => commit === newest);
	for (let from = Math.max(1, earliest); from < count; from++) {
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

/** The runs of a final step are too few to clip, so its `values` are raw. */
function levelOf(
	{ runs, weight, isWhole }: Stretch,
	values: Float64Array,
	[from, until]: readonly [number, number],
	levels: Levels,
): Level {
	const levelRuns = runs.slice(from, until);
	const [first] = levelRuns as [Stretch['runs'][number]];
	const isSingle = levelRuns.length === 1;
	const { mean, total } = meanOf(values, weight, from, until);
	return {
		theta: isSingle ? first.theta : mean,
		se: isSingle ? first.se : 1 / Math.sqrt(total),
		df: freedomOf(levelRuns, weight.subarray(from, until), levels),
		baselines: levelRuns.length,
		recorded: isSingle ? recordedOf(first) : null,
		since: isWhole && from === 0 ? null : first.commit,
	};
}

function meanOf(values: Float64Array, weight: Float64Array, from: number, until = values.length) {
	let [total, sum] = [0, 0];
	for (let at = from; at < until; at++) {
		total += weight[at] as number;
		sum += (weight[at] as number) * (values[at] as number);
	}
	return { mean: sum / total, total };
}

function freedomOf(runs: readonly Run[], weight: Float64Array, { tau2, freedom }: Levels): number {
	const total = weight.reduce((sum, each) => sum + each, 0);
	let [ofRounds, shares] = [0, 0];
	runs.forEach(({ se, rounds }, index) => {
		const share = ((weight[index] as number) / total) ** 2;
		shares += share;
		ofRounds += (share * se ** 2) ** 2 / Math.max(1, rounds - 1);
	});
	return total ** -2 / (ofRounds + (shares * tau2) ** 2 / freedom);
}

function recordedOf({ theta, se, interval }: Run): Pick<Standing, 'low' | 'high'> {
	return interval ?? { low: theta - Z95 * se, high: theta + Z95 * se };
}
