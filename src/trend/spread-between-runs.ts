/** Spread of a row's runs beyond the noise within each run. */
import { median } from 'simple-statistics';
import { clipOutliers } from './clip-outliers.ts';
import { type Curve, levelAt } from './level-filter.ts';
import { curveOf, type RowNumbers, type Weighed, weighPoints } from './row-curve.ts';

const STEPS = 60;

/** Upper bound of τ². Then τ is 0.5, a change by two thirds (e^0.5). */
const MOST = 0.25;

export interface SpreadRule {
	/** Prior standard deviation between runs. */
	readonly tauPrior: number;
	readonly tauPriorFreedom: number;
	readonly robust: boolean;
}

/** Cap on a squared distance, so one point does not inflate the others' spread. */
const MOST_MISFIT = 9;
/** Points of an initial segment. A step spoils only one segment. */
const BLOCK = 3;
/** Median of χ² with one degree of freedom. */
const MEDIAN_SQUARE = 0.4549364;
/** Wild points are this many SDs from their neighbours, at this many times the variance of neighbours' differences. */
const WILD = 6;
const WILD_TIMES = 4;
/** Not 0, because a segment may begin with a wild point. */
const NEARLY_NOTHING = 1e-12;

/** Returns where each block of three points starts. The blocks are the first segments. */
export function blockStarts(count: number): number[] {
	return Array.from({ length: Math.max(1, Math.floor(count / BLOCK)) }, (_, block) => block * BLOCK);
}

/**
 * Returns the wild points: those far from the medians before, after and around them. The scale is the median difference
 * of neighbours, which neither a step nor a wild point moves. Source: docs/statistics.md 11.2.
 */
export function wildPoints(numbers: RowNumbers, rule: SpreadRule): ReadonlySet<number> {
	if (!rule.robust) return new Set();
	const { y, weight } = curveOf(numbers, WILD_TIMES * spreadOfNeighbours(numbers, rule), null);
	const clipped = clipOutliers(
		y,
		weight.map((pointWeight) => 1 / Math.sqrt(pointWeight)),
		WILD,
	);
	return new Set(Array.from(y.keys()).filter((at) => clipped[at] !== y[at]));
}

/** Returns τ² of a row from the misfit within segments, without `wild` points. Source: docs/statistics.md 11.2. */
export function spreadBetweenRuns(
	numbers: RowNumbers,
	starts: readonly number[],
	wild: ReadonlySet<number>,
	rule: SpreadRule,
): number {
	const { count, jump } = numbers;
	const segments = starts
		.map((first, index) => segmentOf(first, (starts[index + 1] ?? count) - 1, numbers, wild))
		.filter(({ tame }) => tame.length > 0);
	const unknown = jump.filter((variance, at) => variance === Number.POSITIVE_INFINITY && !starts.includes(at));
	const tameCount = segments.reduce((sum, { tame }) => sum + tame.length, 0);
	const freedom = Math.max(0, tameCount - segments.length - unknown.length);
	const spareCurve = { y: new Float64Array(count), weight: new Float64Array(count), jump };
	const spare = { weight: new Float64Array(count), value: new Float64Array(count) };
	const misfit = (tau2: number) => {
		const weighed = weighPoints(numbers, tau2, spare);
		let sum = 0;
		for (const segment of segments) {
			sum += segment.acrossEras
				? misfitAcrossEras(segment, numbers, weighed, wild, spareCurve)
				: misfitWithin(segment, weighed);
		}
		return sum;
	};
	return withPrior(pauleMandel(misfit, freedom), freedom, rule);
}

interface TameSegment {
	readonly first: number;
	readonly last: number;
	/** Points that are not wild. */
	readonly tame: readonly number[];
	readonly acrossEras: boolean;
}

function segmentOf(first: number, last: number, { jump }: RowNumbers, wild: ReadonlySet<number>): TameSegment {
	const all = Array.from({ length: last - first + 1 }, (_, index) => first + index);
	const acrossEras = jump.subarray(first + 1, last + 1).some((variance) => variance !== 0);
	return { first, last, tame: wild.size === 0 ? all : all.filter((at) => !wild.has(at)), acrossEras };
}

function spreadOfNeighbours(numbers: RowNumbers, rule: SpreadRule): number {
	const { count, offset, jump } = numbers;
	const freedom = Math.max(0, count - 1);
	const spare = { weight: new Float64Array(count), value: new Float64Array(count) };
	const seconds = Array.from({ length: freedom }, (_, at) => at + 1).filter(
		(at) => jump[at] !== Number.POSITIVE_INFINITY,
	);
	const squares = seconds.map(() => 0);
	const misfit = (tau2: number) => {
		const { weight, value } = weighPoints(numbers, tau2, spare);
		seconds.forEach((at, index) => {
			const variance = 1 / (weight[at - 1] as number) + 1 / (weight[at] as number) + (jump[at] as number);
			const pointLevel = (offset[at] as number) + (value[at] as number);
			const before = (offset[at - 1] as number) + (value[at - 1] as number);
			squares[index] = (pointLevel - before) ** 2 / variance;
		});
		return squares.length === 0 ? 0 : median(squares) / MEDIAN_SQUARE;
	};
	return withPrior(pauleMandel(misfit, Math.min(1, freedom)), freedom, rule);
}

function withPrior(tau2: number, freedom: number, { tauPrior, tauPriorFreedom }: SpreadRule): number {
	return (freedom * tau2 + tauPriorFreedom * tauPrior ** 2) / (freedom + tauPriorFreedom);
}

function misfitWithin({ tame }: TameSegment, { weight, value }: Weighed): number {
	let [weights, values, squares] = [0, 0, 0];
	for (const at of tame) {
		weights += weight[at] as number;
		values += (weight[at] as number) * (value[at] as number);
	}
	const level = values / weights;
	for (const at of tame) {
		squares += Math.min(((value[at] as number) - level) ** 2 * (weight[at] as number), MOST_MISFIT);
	}
	return squares;
}

/** Uses the level filter, because distances from one mean would include links' errors. */
function misfitAcrossEras(
	{ first, last }: TameSegment,
	{ offset }: RowNumbers,
	{ weight, value }: Weighed,
	wild: ReadonlySet<number>,
	spare: Curve,
): number {
	for (let at = first; at <= last; at++) {
		spare.y[at] = (offset[at] as number) + (value[at] as number);
		spare.weight[at] = (weight[at] as number) * (wild.has(at) ? NEARLY_NOTHING : 1);
	}
	return Math.min(levelAt(spare, first, last).cost, MOST_MISFIT * (last - first + 1));
}

/**
 * Returns the τ² at which `misfit(τ²)`, a decreasing sum of squared standardised misfits, equals its expectation
 * `freedom` (number of values minus number of means); 0 if τ² = 0 explains the spread. Source: Paule and Mandel 1982,
 * as generalised by DerSimonian and Kacker 2007; docs/statistics.md, "Spread between runs".
 */
export function pauleMandel(misfit: (tau2: number) => number, freedom: number): number {
	if (freedom <= 0 || misfit(0) <= freedom) return 0;
	if (misfit(MOST) >= freedom) return MOST;
	let low = 0;
	let high = MOST;
	for (let step = 0; step < STEPS && high - low > 1e-12 + 1e-5 * low; step++) {
		// Bisecting √τ² needs fewer steps for small values, which are usual.
		const middle = ((Math.sqrt(low) + Math.sqrt(high)) / 2) ** 2;
		if (misfit(middle) > freedom) low = middle;
		else high = middle;
	}
	return (low + high) / 2;
}
