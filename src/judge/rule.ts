import type { Location } from '../stats/location.ts';
import type { Verdict } from '../types/verdict.ts';
import { ALPHA, type Limits, type SequentialP } from './looks/sequential.ts';

export interface RowNumbers {
	readonly location: Location;
	readonly test: SequentialP;
	/** Rounds turned out to be correlated, which revokes exclusions by earlier looks. */
	readonly takesBack?: boolean;
	readonly limits: Limits;
}

export interface Significance {
	readonly drop: boolean;
	readonly rise: boolean;
}

export type Remark = 'small-drop' | 'possible-improvement';

export interface Claim {
	readonly verdict: Verdict;
	readonly remarks: readonly Remark[];
}

export function excludesDrop({ test, takesBack = false }: Pick<RowNumbers, 'test' | 'takesBack'>): boolean {
	return test.unchanged <= ALPHA && !takesBack;
}

/**
 * Returns the first claim that holds; null while open. If a drop of the threshold is excluded but the estimate is
 * beyond it (skewed rounds), the row is neither unchanged nor regressed. Source: docs/statistics.md 5.1.
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

/** Returns the verdict by throughput of alternating windows, not corrected for a family; null while open. */
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
