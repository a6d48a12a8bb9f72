/**
 * Returns the positions rejected at false discovery rate `q`: the k smallest p-values, where k is the largest with p₍ₖ₎
 * ≤ k q / m. If all hypotheses are true, P(any rejection) ≤ q (Simes). `m`: size of the family; missing p-values count
 * as 1. Source: Benjamini and Hochberg 1995, for independent or positively dependent p-values.
 */
export function benjaminiHochberg(pValues: readonly number[], q: number, m = pValues.length): ReadonlySet<number> {
	const order = ascending(pValues);
	const count = order.findLastIndex((position, rank) => pAt(pValues, position) <= ((rank + 1) * q) / m) + 1;
	return new Set(order.slice(0, count));
}

function ascending(pValues: readonly number[]): number[] {
	return pValues.map((_, position) => position).sort((a, b) => pAt(pValues, a) - pAt(pValues, b));
}

function pAt(pValues: readonly number[], position: number): number {
	return pValues[position] as number;
}
