import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withSecondRun } from '../../src/impact/second-run.ts';
import type { CellCoverage, FunctionRun } from '../../src/types/coverage.ts';

const run = (...functions: FunctionRun[]): CellCoverage => ({
	...{ requests: 4, reads: [], texts: [], unseen: [] },
	scripts: [{ path: 'a.js', hash: '', functions }],
});
const send: FunctionRun = [10, 20, 'send', 1, 4];

test('a function that only the second run called is a gap', () => {
	const { unseen } = withSecondRun(run(send), run(send, [30, 40, 'retry', 0, 1]));
	assert.deepEqual(unseen, [{ kind: 'varies', detail: 'a.js: retry at 30' }]);
});

test('other counts, and functions that only the longer first run called, are no gap', () => {
	assert.deepEqual(
		withSecondRun(run(send, [30, 40, '', 0, 1]), run([10, 20, 'send', 0, 1])),
		run(send, [30, 40, '', 0, 1]),
	);
});

test('a second run that failed is a gap', () => {
	const failed = { ...run(), unseen: [{ kind: 'failed' as const, detail: 'exited' }] };
	assert.deepEqual(withSecondRun(run(send), failed).unseen, failed.unseen);
});
