/** Finds results that a model of one change does not explain. */
import { formatChange, formatPercent } from '../../text/numbers.ts';
import type { Warning } from '../../types/units.ts';
import { type BisectState, type Posterior, pooledProbes } from './bisect-state.ts';

const TWO_LIKELY = 0.8;
const FEWEST_FOR_LEVELS = 16;
/**
 * Share of the spread that is left within the best two groups of rounds. Normal noise leaves 36 % on average and, with
 * 16 rounds, less than 17 % in one of 1,000 cases (simulated).
 */
const SPLIT_SHARE = 0.17;
/** A smaller group consists of outliers. */
const SPLIT_LEAST = 0.2;

export function findDoubts(
	state: BisectState,
	posterior: Posterior,
	nameOf: (commit: number) => string,
): readonly Warning[] {
	return [...twoChanges(posterior, nameOf), ...splitRounds(state, posterior)];
}

function twoChanges({ two }: Posterior, nameOf: (commit: number) => string): Warning[] {
	if (two.probability < TWO_LIKELY || two.pair === null) return [];
	const { first, second, middle, end } = two.pair;
	const [before, after] = [formatChange(Math.expm1(middle)), formatChange(Math.expm1(end))];
	const recovers = Math.abs(end) < Math.abs(middle) && middle * end > 0;
	if (recovers) {
		return [
			{
				code: 'partial-recovery',
				message: `A later commit made up for part of it: about ${nameOf(second)} the change went from ${before} to ${after}. ${nameOf(first)} cost more than good and bad show.`,
			},
		];
	}
	return [
		{
			code: 'two-changes',
			message: `There are two changes in this range: one about ${nameOf(first)} (${before}) and one about ${nameOf(second)} (${after} in all). Bisect the second on its own: with good at ${nameOf(first)}.`,
		},
	];
}

function splitRounds(state: BisectState, { first, theta }: Posterior): Warning[] {
	let changed = 0;
	const levels = first.map((probability) => {
		changed += probability;
		return changed * theta;
	});
	const residuals = [...pooledProbes(state)].flatMap(([commit, d]) =>
		d.map((value) => value - (levels[commit - 1] as number)),
	);
	const split = bestSplit(residuals);
	if (split === null || split.share > SPLIT_SHARE || split.smaller < SPLIT_LEAST * residuals.length) return [];
	const apart = formatPercent(split.distance);
	return [
		{
			code: 'split-rounds',
			message: `Rounds fall into two groups that lie ${apart} apart (${split.smaller} of ${residuals.length} in the smaller): a process of this server settles in one of two states. That is not noise around one level, so the probabilities are less sure than they look.`,
		},
	];
}

/** The cut into two groups with the least spread within them. Source: Otsu 1979. */
function bestSplit(
	values: readonly number[],
): { readonly share: number; readonly smaller: number; readonly distance: number } | null {
	if (values.length < FEWEST_FOR_LEVELS) return null;
	const sorted = values.toSorted((a, b) => a - b);
	const count = sorted.length;
	const sum = sorted.reduce((total, value) => total + value, 0);
	const spread = sorted.reduce((total, value) => total + (value - sum / count) ** 2, 0);
	let best = { between: 0, lower: 0, distance: 0 };
	let below = 0;
	for (let lower = 1; lower < count; lower++) {
		below += sorted[lower - 1] as number;
		const distance = (sum - below) / (count - lower) - below / lower;
		const between = (distance * distance * lower * (count - lower)) / count;
		if (between > best.between) best = { between, lower, distance };
	}
	const share = spread === 0 ? 1 : 1 - best.between / spread;
	return { share, smaller: Math.min(best.lower, count - best.lower), distance: best.distance };
}
