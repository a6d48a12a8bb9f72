import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type BisectResult, bisectedOf } from '../../../src/trend/bisect/bisect-result.ts';
import { bisectedWith } from '../../support/baselines/bisected.ts';

const commits = Array.from({ length: 6 }, (_, index) => ({
	...{ sha: `${index}`.repeat(40), title: `Commit ${index} ${'x'.repeat(300)}`, author: 'Ada' },
	committedAt: '2026-03-01T10:00:00Z',
}));
const { schemaVersion, kind, tool, createdAt, run } = bisectedWith({});
const ORIGIN = { schemaVersion, kind, tool, createdAt, run };
const RESULT = {
	commits,
	row: { cell: 'koa/param-json', metric: 'throughput' },
	posterior: { theta: -0.042 } as BisectResult['posterior'],
	ended: { kind: 'found', span: { before: 2, after: 3, probability: 1 + 1e-12 }, proven: true },
	proof: {
		before: 2,
		after: 3,
		judgedBy: 'cpu-per-request',
		change: 0.05,
		rounds: 12,
		interval: { low: 0.03, high: 0.07, confidence: 0.9 },
	},
} as const;

test('a named and proven commit is handed on with the ends of the range and the duet', () => {
	assert.deepEqual(bisectedOf(RESULT, ORIGIN), {
		...ORIGIN,
		...{ server: 'koa', scenario: 'param-json', metric: 'throughput', step: -0.042 },
		...{ good: '0'.repeat(40), bad: '5'.repeat(40) },
		named: {
			...{ before: '2'.repeat(40), commit: '3'.repeat(40), skipped: 0, probability: 1 },
			title: (commits[3]?.title ?? '').slice(0, 200),
			...{ judgedBy: 'cpu-per-request', change: 0.05, low: 0.03, high: 0.07, rounds: 12 },
		},
	});
	const gap = { ...RESULT, ended: { ...RESULT.ended, span: { before: 1, after: 4, probability: 0.96 } } };
	assert.equal(bisectedOf(gap, ORIGIN)?.named.skipped, 2);
});

test('an unproven commit is not handed on', () => {
	const ended = [
		{ ...RESULT.ended, proven: false },
		{ kind: 'stuck', span: RESULT.ended.span },
		{ kind: 'no-change', sameCode: false },
		{ kind: 'budget' },
		{ kind: 'interrupted' },
	] as const;
	for (const each of ended) assert.equal(bisectedOf({ ...RESULT, ended: each }, ORIGIN), null);
	assert.equal(bisectedOf({ ...RESULT, proof: null }, ORIGIN), null);
});
