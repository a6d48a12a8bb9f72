import type { Location } from '../stats/location.ts';
import type { Verdict } from '../types/verdict.ts';
import { ALPHA, type Limits, type SequentialP } from './looks/sequential.ts';

/** What one metric says about a row at its latest look. */
export interface RowNumbers {
	readonly location: Location;
	readonly test: SequentialP;
	/** Whether that look takes back what earlier ones excluded, because rounds turned out to follow each other. */
	readonly takesBack?: boolean;
	readonly limits: Limits;
}

/** Whether the correction for many rows counts the row among the significant drops, or rises. */
export interface Significance {
	readonly drop: boolean;
	readonly rise: boolean;
}

/** Remarks on a verdict, worded elsewhere. */
export type Remark = 'small-drop' | 'possible-improvement';

/** A verdict that the numbers give. */
export interface Claim {
	readonly verdict: Verdict;
	readonly remarks: readonly Remark[];
}

/** Returns whether a drop of the threshold is excluded over all looks, and no later one has taken that back. */
export function excludesDrop({ test, takesBack = false }: Pick<RowNumbers, 'test' | 'takesBack'>): boolean {
	return test.unchanged <= ALPHA && !takesBack;
}

/**
 * Returns what the numbers say; null while the row is open. The first that holds counts: `unchanged` when a drop of the threshold is
 * excluded; `regressed` when the drop is significant in the family, and the estimate at or beyond the threshold; `improved` likewise
 * upwards; `inconclusive` when there is no further look. Where rounds are so lopsided that the mean excludes such a drop while the
 * estimate itself lies beyond the threshold, it is neither of the first two. `last`: this was the row's last look.
 * Source: docs/statistics.md 5.1.
 */
export function claimOf(numbers: RowNumbers, significant: Significance, last: boolean): Claim | null {
	const { location, limits } = numbers;
	const { centre } = location;
	const [fallen, risen] = [centre <= limits.threshold, centre >= limits.riseThreshold];
	const excluded = excludesDrop(numbers);
	const small: Remark[] = significant.drop ? ['small-drop'] : [];
	if (excluded && !fallen) {
		if (!risen) return claim('unchanged', small);
		if (significant.rise) return claim('improved');
		return last ? claim('unchanged', ['possible-improvement', ...small]) : null;
	}
	if (!excluded && fallen && significant.drop) return claim('regressed');
	if (significant.rise && risen) return claim('improved');
	return last ? claim('inconclusive') : null;
}

/**
 * Returns the verdict of alternating throughput about a row that waits for confirmation, by its own sequential p-values without
 * a family; null while it is open.
 */
export function confirmationOf(
	numbers: RowNumbers | null,
	last: boolean,
): 'unchanged' | 'regressed' | 'inconclusive' | null {
	if (numbers) {
		const { location, test, limits } = numbers;
		const fallen = location.centre <= limits.threshold;
		if (excludesDrop(numbers) && !fallen) return 'unchanged';
		if (test.unchanged > ALPHA && fallen && test.regressed <= ALPHA) return 'regressed';
	}
	return last ? 'inconclusive' : null;
}

function claim(verdict: Verdict, remarks: readonly Remark[] = []): Claim {
	return { verdict, remarks };
}
