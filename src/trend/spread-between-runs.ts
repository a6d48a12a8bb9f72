/** Estimates how much a row differs between runs beyond the noise within a run. */
import { median } from 'simple-statistics';
import { clipOutliers } from './clip-outliers.ts';
import { type Curve, levelAt } from './level-filter.ts';
import { curveOf, type RowNumbers, type Weighed, weighPoints } from './row-curve.ts';

/** The variance between runs, by Paule and Mandel's method. */

const STEPS = 60;

/** No spread between runs is larger: e^0.5 is two thirds more. */
const MOST = 0.25;

/** How the variance between runs is estimated. */
export interface SpreadRule {
	/** Spread between runs that a row without history is taken to have, as a standard deviation. */
	readonly tauPrior: number;
	/** How many degrees of freedom that counts for. */
	readonly tauPriorFreedom: number;
	/** Whether wild points are left out of it. */
	readonly robust: boolean;
}

/** A single distance must not make the spread of all others large. */
const MOST_MISFIT = 9;
/** Before there are segments, τ² is taken from blocks of this many points, of which a step spoils one. */
const BLOCK = 3;
/** Median of χ² with one degree of freedom. */
const MEDIAN_SQUARE = 0.4549364;
/** A wild point lies this many standard deviations from its neighbours, with this many times the variance that differences show. */
const WILD = 6;
const WILD_TIMES = 4;
/** What a wild point weighs: nothing, except for a segment that begins with it. */
const NEARLY_NOTHING = 1e-12;

/** Returns where blocks of three points begin, which stand for segments before there are any. */
export function blockStarts(count: number): number[] {
	return Array.from({ length: Math.max(1, Math.floor(count / BLOCK)) }, (_, block) => block * BLOCK);
}

/**
 * Returns which points are wild: none of the points before, after and around them comes near. What is near follows from the median of
 * the differences of neighbours, which neither a step nor a wild point moves. Wild points say nothing about how much runs differ.
 * Source: docs/statistics.md 11.2.
 */
export function wildPoints(numbers: RowNumbers, rule: SpreadRule): ReadonlySet<number> {
	if (!rule.robust) return new Set();
	const { y, weight } = curveOf(numbers, WILD_TIMES * spreadOfNeighbours(numbers, rule), null);
	const clipped = clipOutliers(
		y,
		weight.map((own) => 1 / Math.sqrt(own)),
		WILD,
	);
	return new Set(Array.from(y.keys()).filter((at) => clipped[at] !== y[at]));
}

/**
 * Returns τ² of a row whose segments begin at `starts`, from the misfit within them, `wild` points left out. Source:
 * docs/statistics.md 11.2.
 */
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
	const known = segments.reduce((sum, { tame }) => sum + tame.length, 0);
	const freedom = Math.max(0, known - segments.length - unknown.length);
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
	/** Its points that are not wild. */
	readonly tame: readonly number[];
	readonly acrossEras: boolean;
}

function segmentOf(first: number, last: number, { jump }: RowNumbers, wild: ReadonlySet<number>): TameSegment {
	const all = Array.from({ length: last - first + 1 }, (_, index) => first + index);
	const acrossEras = jump.subarray(first + 1, last + 1).some((variance) => variance !== 0);
	return { first, last, tame: wild.size === 0 ? all : all.filter((at) => !wild.has(at)), acrossEras };
}

/** τ² at which half of the squared differences between neighbours are below their median. */
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
			const own = (offset[at] as number) + (value[at] as number);
			const before = (offset[at - 1] as number) + (value[at - 1] as number);
			squares[index] = (own - before) ** 2 / variance;
		});
		return squares.length === 0 ? 0 : median(squares) / MEDIAN_SQUARE;
	};
	return withPrior(pauleMandel(misfit, Math.min(1, freedom)), freedom, rule);
}

function withPrior(tau2: number, freedom: number, { tauPrior, tauPriorFreedom }: SpreadRule): number {
	return (freedom * tau2 + tauPriorFreedom * tauPrior ** 2) / (freedom + tauPriorFreedom);
}

/** Squared standardised distances from the level of a segment's points, each at most 9. */
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

/** Across links distances from one mean would count the links' errors. */
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
 * Returns the variance τ² at which `misfit(τ²)`, a sum of squared standardised misfits that falls with τ², equals its expectation
 * `freedom`: the number of values less that of means; 0 when even τ² = 0 explains the spread. Source: Paule and Mandel 1982, as
 * generalised by DerSimonian and Kacker 2007; docs/statistics.md, "Spread between runs".
 */
export function pauleMandel(misfit: (tau2: number) => number, freedom: number): number {
	if (freedom <= 0 || misfit(0) <= freedom) return 0;
	if (misfit(MOST) >= freedom) return MOST;
	let low = 0;
	let high = MOST;
	for (let step = 0; step < STEPS && high - low > 1e-12 + 1e-5 * low; step++) {
		// Halving on a scale of roots finds the small values that occur in fewer steps.
		const middle = ((Math.sqrt(low) + Math.sqrt(high)) / 2) ** 2;
		if (misfit(middle) > freedom) low = middle;
		else high = middle;
	}
	return (low + high) / 2;
}
