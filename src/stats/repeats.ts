/** Amounts of the same work, counted repeatedly. */

/** A request, by repeat. */
export type Amounts = readonly number[];

/** Returns head's minimum minus base's; 0 within the tolerance, or if repeats vary and overlap. */
export function differenceOf(base: Amounts, head: Amounts, tolerance: number): number {
	const [[baseLeast, baseMost], [headLeast, headMost]] = [rangeOf(base), rangeOf(head)];
	const isSteady = !isVarying(base, tolerance) && !isVarying(head, tolerance);
	const isMore = headLeast - (isSteady ? baseLeast : baseMost) > tolerance;
	const isLess = baseLeast - (isSteady ? headLeast : headMost) > tolerance;
	return isMore || isLess ? headLeast - baseLeast : 0;
}

/** Returns the least and the most; 0 without repeats. */
export function rangeOf(values: Amounts): readonly [number, number] {
	return values.length === 0 ? [0, 0] : [Math.min(...values), Math.max(...values)];
}

/** Whether no second repeat confirms the minimum. Timers add work to some. */
export function isVarying(values: Amounts, tolerance: number): boolean {
	const [least = 0, second = least] = values.toSorted((a, b) => a - b);
	return second - least > tolerance;
}
