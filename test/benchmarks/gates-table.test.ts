import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeGates, type GatedRow } from '../../benchmarks/shared/gates-table.ts';

const row = (more: Partial<GatedRow>): GatedRow => ({
	...{ planted: 'leak', run: 1, code: 1, server: 'koa', metric: 'memory-after-100k', verdict: 'regressed' },
	...{ change: 0.5, halfWidth: 0.05, rounds: 4 },
	...more,
});

test('rows of one case and metric are counted together, whatever the server', () => {
	const table = describeGates([
		row({}),
		row({ server: 'express', verdict: 'inconclusive', change: 0.3, rounds: 8 }),
		row({ server: 'fastify', verdict: 'invalid', change: null, halfWidth: null, rounds: 1 }),
		row({ metric: 'cold-start', verdict: 'unchanged', change: 0 }),
		row({ planted: 'none', verdict: 'unchanged', change: 0.01 }),
	]);
	assert.deepEqual(
		table.map(({ planted, metric, rows }) => [planted, metric, rows]),
		[
			['leak', 'memory-after-100k', 3],
			['leak', 'cold-start', 1],
			['none', 'memory-after-100k', 1],
		],
	);
	const [leak] = table;
	assert.deepEqual([leak?.regressed, leak?.unchanged, leak?.inconclusive, leak?.others], [1, 0, 1, 1]);
	assert.deepEqual([leak?.change, leak?.halfWidth, leak?.rounds], [0.4, 0.05, 4]);
});

test('rows without figures have no median', () => {
	const [only] = describeGates([row({ verdict: 'invalid', change: null, halfWidth: null })]);
	assert.deepEqual([only?.change, only?.halfWidth, only?.others], [null, null, 1]);
});
