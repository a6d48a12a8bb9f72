import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trendOf } from '../../src/trend/trend-of.ts';
import { syntheticRecords } from '../support/baselines/records.ts';

test('thousands of anchors, each with commits of its own, are linked in one go', { timeout: 120_000 }, () => {
	const levels = syntheticRecords({ cells: ['koa/ping'], se: [0.005, 0.006], seed: 9, commits: 2500 });
	const anchorAt = (at: number) => ({ sha: `${at}`.padStart(40, '0'), label: `v${at}`, kind: 'release' as const });
	const records = levels.flatMap((record, at) =>
		[0, 1].map((back) => ({
			...record,
			anchor: anchorAt(Math.max(0, at - back)),
			run: { ...record.run, attempt: back + 1 },
		})),
	);
	const trend = trendOf(records);
	assert.equal(trend.eras.length, 2500);
	assert.equal(trend.links.length, 2499);
});
