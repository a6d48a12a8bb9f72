import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sanityOf } from '../../benchmarks/shared/sanity-checks.ts';
import { summariseRanking } from '../../src/rank/summarise-ranking.ts';
import type { RankingSample } from '../../src/types/ranking/ranking.ts';
import { scriptData, scriptServer, scriptTrials } from '../support/ranking-cases.ts';

const servers = ['node-http', 'koa', 'express'].map((name) => scriptServer(name));
const checksOf = (samples: readonly RankingSample[]) => sanityOf(summariseRanking(scriptData(servers, samples)));
const find = (checks: ReturnType<typeof checksOf>, words: RegExp) =>
	checks.find(({ statement }) => words.test(statement)) ?? assert.fail(String(words));

test('the server that has to be slower is, is not, or is inconclusive', () => {
	const order = (koa: number, express: number, spread = 0.004) =>
		find(checksOf([...scriptTrials('koa', koa, spread), ...scriptTrials('express', express, spread)]), /^on ping/);
	assert.deepEqual(order(0.8, 0.4), {
		statement: 'on ping, express is slower than koa is slower than node-http',
		...{ of: 2, holds: 2, open: [], fails: [] },
	});
	assert.deepEqual(order(0.4, 0.8).fails, ['express and koa']);
	assert.deepEqual(order(0.8, 0.8, 0.2).open, ['express and koa', 'koa and node-http']);
});

test('more work is slower on every server', () => {
	const checks = checksOf([
		...scriptTrials('koa', 0.5, 0.004, 'full-pipeline'),
		...scriptTrials('koa', 0.4, 0.004, 'production-stack'),
		...scriptTrials('express', 0.3, 0.004, 'full-pipeline'),
		...scriptTrials('express', 0.33, 0.004, 'production-stack'),
	]);
	const { of, holds, fails } = find(checks, /^production-stack is slower than full-pipeline/);
	// node-http, the reference, answers as much in both: that is not slower.
	assert.deepEqual([of, holds], [3, 1]);
	assert.deepEqual(fails, ['node-http (1.00)', 'express (1.10)']);
	assert.ok(!checks.some(({ statement }) => /middleware|on ping/.test(statement)), 'unmeasured pairs are left out');
});

test('figures confirm each other to a tenth, or the row is named', () => {
	const samples = scriptTrials('koa', 0.8, 0.004).map((sample): RankingSample => {
		const { server } = sample.alone;
		assert.ok(server?.latency);
		// 50 connections at 32,000 requests/s wait 1.5625 ms.
		const changed = { ...server, latency: { ...server.latency, mean: 1.5625 } };
		return { ...sample, alone: { ...sample.alone, server: changed } };
	});
	const checks = checksOf(samples);
	const busy = find(checks, /one CPU$/);
	assert.deepEqual([busy.of, busy.holds], [2, 2]);
	const waiting = find(checks, /under way$/);
	assert.deepEqual([waiting.of, waiting.holds, waiting.fails], [2, 1, ['node-http/ping (1.10)']]);
});
