/**
 * Returns the exact two-sided p-value of the Mann–Whitney U test (Wilcoxon rank sum) that `base` and `head` come from
 * the same distribution: twice the probability, over all ways to assign the pooled values to the sides, of a U at least
 * as extreme as the observed one in its direction; at most 1. Ties get their mean rank and are counted in the same way,
 * so that no approximation is needed. 1 if all values are equal or a side is empty. For samples of up to a few dozen
 * values. Source: Mann and Whitney 1947; with ties Klotz 1966.
 */
export function rankSumTest(base: readonly number[], head: readonly number[]): number {
	const ranks = doubledRanks([...base, ...head]);
	const observed = ranks.slice(0, base.length).reduce((sum, rank) => sum + rank, 0);
	const total = ranks.reduce((sum, rank) => sum + rank, 0);
	const ways = waysToSum(ranks, base.length);
	// Base's rank sum is centred on base's share of all ranks; the nearer tail is the smaller one.
	const centre = (total * base.length) / ranks.length;
	const inTail = (sum: number) => (observed < centre ? sum <= observed : sum >= observed);
	let all = 0;
	let tail = 0;
	for (const [sum, count] of ways.entries()) {
		all += count;
		if (inTail(sum)) tail += count;
	}
	return observed === centre || ranks.length === 0 ? 1 : Math.min(1, (2 * tail) / all);
}

/** Returns twice the rank of each value, ties at their mean: whole numbers. */
function doubledRanks(values: readonly number[]): number[] {
	return values.map((value) => {
		const below = values.filter((other) => other < value).length;
		const equal = values.filter((other) => other === value).length;
		return 2 * below + equal + 1;
	});
}

/** Returns the number of subsets of `size` ranks, by their sum. */
function waysToSum(ranks: readonly number[], size: number): Float64Array {
	const total = ranks.reduce((sum, rank) => sum + rank, 0);
	const ways = Array.from({ length: size + 1 }, () => new Float64Array(total + 1));
	(ways[0] as Float64Array)[0] = 1;
	for (const rank of ranks) {
		// Larger subsets first, so that no rank is taken twice.
		for (let taken = size; taken > 0; taken--) {
			const to = ways[taken] as Float64Array;
			const from = ways[taken - 1] as Float64Array;
			for (let sum = total; sum >= rank; sum--) to[sum] = (to[sum] as number) + (from[sum - rank] as number);
		}
	}
	return ways[size] as Float64Array;
}
