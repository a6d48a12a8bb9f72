import type { Rank } from '../types/ranking/measure.ts';

/** What a row is ranked by: higher is better. */
export interface Rankable {
	readonly value: number;
	readonly low: number;
	readonly high: number;
}

/**
 * Returns the places of each row, in the order given. `first` is one more than the number of rows whose interval lies wholly
 * above the row's, `last` is how many rows there are less those wholly below: rows that cannot be told apart share places. Intervals
 * that touch overlap.
 *
 * Two 95 % intervals that do not overlap are stronger evidence than a test at 5 %, so a place is hardly ever given by chance.
 */
export function rankByInterval(rows: readonly Rankable[]): readonly Rank[] {
	return rows.map((row) => ({
		first: 1 + rows.filter((other) => other.low > row.high).length,
		last: rows.length - rows.filter((other) => other.high < row.low).length,
	}));
}

/** Returns a rank as a reader sees it: `2`, or `1-2` where places are shared. */
export function writeRank({ first, last }: Rank): string {
	return first === last ? String(first) : `${first}-${last}`;
}

/** Returns rows in the order of a ranking: by first place, then the higher value; rows without a place come last, as they were. */
export function inRankOrder<T extends { readonly rank: Rank | null }>(
	rows: readonly T[],
	figureOf: (row: T) => number | null,
): T[] {
	const key = (row: T): number => figureOf(row) ?? Number.NEGATIVE_INFINITY;
	return rows.toSorted((one, other) => {
		if (one.rank === null || other.rank === null) return Number(one.rank === null) - Number(other.rank === null);
		return one.rank.first - other.rank.first || key(other) - key(one);
	});
}
