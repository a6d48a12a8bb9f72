import assert from 'node:assert/strict';
import { clopperPearson } from '../../src/stats/distributions.ts';

/** One minus twice the chance to reject a rate that keeps its limit exactly. Seeds are fixed, so it is taken once. */
const CONFIDENCE = 0.998;

/** Asserts that `count` of `of` does not prove a rate above `limit`: the low end of its exact interval is no higher. */
export function assertAtMost(limit: number, count: number, of: number, label: string, confidence = CONFIDENCE): void {
	const { low } = clopperPearson(count, of, confidence);
	assert.ok(low <= limit, `${label}: ${count} of ${of}, which proves more than ${limit}`);
}

/** Asserts that `count` of `of` agrees with a rate from `low` to `high`, and is itself no lower than `low`. */
export function assertBetween(low: number, high: number, count: number, of: number, label: string): void {
	assert.ok(count / of >= low, `${label}: ${count} of ${of}, less than the ${low} that is documented`);
	assertAtMost(high, count, of, label);
}
