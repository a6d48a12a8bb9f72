import assert from 'node:assert/strict';
import type { Double } from '../github/types.ts';
import { NUMBER } from './events.ts';

/** Returns the only comment and check; fails on others. */
export function written({ state }: Double): {
	comment: string;
	check: string | null;
	headSha: string;
	annotations: unknown[];
} {
	assert.equal(state.comments.length, 1);
	assert.equal(state.comments[0]?.issue, NUMBER);
	const [check, ...others] = state.checkRuns;
	assert.ok(check && others.length === 0);
	assert.equal(check.status, 'completed');
	const { conclusion, headSha, annotations } = check;
	return { comment: state.comments[0].body, check: conclusion, headSha, annotations };
}
