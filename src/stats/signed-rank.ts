/** Distributions already worked out, by n: every row of every look asks for the same few. */
const known: (readonly number[])[] = [[1]];

/**
 * Returns the exact null distribution of Wilcoxon's signed-rank sum W for `n` values without ties: element w is P(W = w),
 * for w = 0 .. n (n + 1) / 2. Source: each rank joins the sum with probability ½ (Wilcoxon 1945), by convolution.
 */
export function signedRankProbabilities(n: number): readonly number[] {
	for (let rank = known.length; rank <= n; rank++) known.push(addRank(known[rank - 1] as readonly number[], rank));
	return known[n] as readonly number[];
}

/** Returns the largest w with P(W ≤ w) ≤ alpha for `n` values, or −1 when even P(W = 0) = 2⁻ⁿ exceeds alpha. */
export function signedRankCritical(n: number, alpha: number): number {
	let cumulative = 0;
	let critical = -1;
	for (const probability of signedRankProbabilities(n)) {
		cumulative += probability;
		if (cumulative > alpha) return critical;
		critical++;
	}
	return critical;
}

function addRank(without: readonly number[], rank: number): readonly number[] {
	return Array.from(
		{ length: without.length + rank },
		(_, sum) => ((without[sum] ?? 0) + (without[sum - rank] ?? 0)) / 2,
	);
}
