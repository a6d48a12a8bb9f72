import { median } from 'simple-statistics';
import { clipOutliers } from './clip-outliers.ts';
import { type Curve, levelAt } from './level-filter.ts';
import type { Chain } from './link-eras.ts';
import { pauleMandel } from './paule-mandel.ts';
import { curveOf, weighRuns } from './row-curve.ts';
import type { RowPoint } from './row-points.ts';

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
/** Before there are segments, τ² is taken from blocks of so many points, of which a step spoils one. */
const BLOCK = 3;
/** Median of χ² with one degree of freedom. */
const MEDIAN_SQUARE = 0.4549364;
/** A wild point lies so many standard deviations from its neighbours, reckoned with so many times the variance that differences show. */
const WILD = 6;
const WILD_TIMES = 4;
/** What a wild point weighs: nothing, but for a segment that begins with it. */
const NEARLY_NOTHING = 1e-12;

/** Returns where blocks of three points begin, which stand for segments before there are any. */
export function blockStarts(count: number): number[] {
	return Array.from({ length: Math.max(1, Math.floor(count / BLOCK)) }, (_, block) => block * BLOCK);
}

/**
 * Returns which points are wild: none of the points before, after and around them comes near, by a spread that is read from the median
 * of the differences of neighbours, which neither a step nor a wild point moves. They say nothing of what runs differ by. Source:
 * docs/statistics.md 11.2.
 */
export function wildPoints(points: readonly RowPoint[], chain: Chain, rule: SpreadRule): ReadonlySet<number> {
	if (!rule.robust) return new Set();
	const { y, weight } = curveOf(points, chain, WILD_TIMES * spreadOfNeighbours(points, chain, rule), null);
	const clipped = clipOutliers(
		y,
		weight.map((own) => 1 / Math.sqrt(own)),
		WILD,
	);
	return new Set(points.flatMap((_, at) => (clipped[at] === y[at] ? [] : at)));
}

/** Returns τ² of a row whose segments begin at `starts`, from the misfit within them, `wild` points left out. Source: docs/statistics.md 11.2. */
export function spreadBetweenRuns(
	points: readonly RowPoint[],
	chain: Chain,
	starts: readonly number[],
	wild: ReadonlySet<number>,
	rule: SpreadRule,
): number {
	const { jump } = curveOf(points, chain, 0, null);
	const isTame = (at: number) => !wild.has(at);
	const segments = starts
		.map((first, index) => ({ first, last: (starts[index + 1] ?? points.length) - 1 }))
		.map((own) => ({ ...own, tame: points.slice(own.first, own.last + 1).filter((_, at) => isTame(own.first + at)) }))
		.filter(({ tame }) => tame.length > 0);
	const unknown = jump.filter((variance, at) => variance === Number.POSITIVE_INFINITY && !starts.includes(at));
	const known = segments.reduce((sum, { tame }) => sum + tame.length, 0);
	const freedom = Math.max(0, known - segments.length - unknown.length);
	const acrossEras = segments.map(({ first, last }) =>
		jump.slice(first + 1, last + 1).some((variance) => variance !== 0),
	);
	const misfit = (tau2: number) =>
		segments.reduce((sum, { first, last, tame }, index) => {
			const own = acrossEras[index]
				? misfitAcrossEras(withoutWild(curveOf(points, chain, tau2, null), wild), first, last)
				: misfitWithin(tame, tau2);
			return sum + own;
		}, 0);
	return withPrior(pauleMandel(misfit, freedom), freedom, rule);
}

/** τ² at which half of the squared differences between neighbours are below their median. */
function spreadOfNeighbours(points: readonly RowPoint[], chain: Chain, rule: SpreadRule): number {
	const freedom = Math.max(0, points.length - 1);
	const misfit = (tau2: number) => {
		const { y, weight, jump } = curveOf(points, chain, tau2, null);
		const squares = Array.from({ length: freedom }, (_, at) => {
			const variance = 1 / (weight[at] as number) + 1 / (weight[at + 1] as number) + (jump[at + 1] as number);
			return ((y[at + 1] as number) - (y[at] as number)) ** 2 / variance;
		}).filter((_, at) => jump[at + 1] !== Number.POSITIVE_INFINITY);
		return squares.length === 0 ? 0 : median(squares) / MEDIAN_SQUARE;
	};
	return withPrior(pauleMandel(misfit, Math.min(1, freedom)), freedom, rule);
}

function withPrior(tau2: number, freedom: number, { tauPrior, tauPriorFreedom }: SpreadRule): number {
	return (freedom * tau2 + tauPriorFreedom * tauPrior ** 2) / (freedom + tauPriorFreedom);
}

/** Squared standardised distances from the level of a segment's points, each at most 9. */
function misfitWithin(points: readonly RowPoint[], tau2: number): number {
	const weight = new Float64Array(points.length);
	const value = new Float64Array(points.length);
	let [weights, values, squares] = [0, 0, 0];
	points.forEach(({ runs }, at) => {
		const weighed = weighRuns(runs, tau2);
		weight[at] = weighed.weight;
		value[at] = weighed.value;
		weights += weighed.weight;
		values += weighed.weight * weighed.value;
	});
	const level = values / weights;
	for (let at = 0; at < weight.length; at++) {
		squares += Math.min(((value[at] as number) - level) ** 2 * (weight[at] as number), MOST_MISFIT);
	}
	return squares;
}

/** Across links distances from one mean would count the links' errors. */
function misfitAcrossEras(curve: Curve, first: number, last: number): number {
	return Math.min(levelAt(curve, first, last).cost, MOST_MISFIT * (last - first + 1));
}

function withoutWild(curve: Curve, wild: ReadonlySet<number>): Curve {
	if (wild.size === 0) return curve;
	return { ...curve, weight: curve.weight.map((own, at) => (wild.has(at) ? own * NEARLY_NOTHING : own)) };
}
