import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PlannedPairs, planPairs, timingOfMeasure } from '../../../src/plan/ranking-pairs.ts';
import { divideRanking, partOf, planPart } from '../../../src/plan/shards/divide-ranking.ts';
import type { ServerSpec } from '../../../src/types/config.ts';
import { builtinScenario } from '../../config/example-catalogue.ts';

const SERVERS: readonly ServerSpec[] = [
	{ kind: 'built-in', name: 'node-http', without: { post: 'no bodies' } },
	{ kind: 'built-in', name: 'koa' },
	{ kind: 'built-in', name: 'express' },
	{ kind: 'built-in', name: 'hono', without: { post: 'no bodies' } },
	{ kind: 'built-in', name: 'mute', without: { ping: 'no', post: 'no' } },
	{ kind: 'built-in', name: 'fastify' },
];
const NAMES = SERVERS.map(({ name }) => name);
const config = {
	servers: SERVERS,
	scenarios: ['ping', 'post'].map((name) => builtinScenario(name)),
	...{ seed: 1, budgetSeconds: 600, threshold: 0.05, tolerance: 0.025 },
};
const WHOLE = planPairs(config, NAMES, 'node-http', timingOfMeasure({}));
const divide = (count: number | null, budget = 600, rounds = { fewest: 3, most: 100 }) =>
	divideRanking({ servers: NAMES, groups: WHOLE.groups, rounds, budget, count });
const serversIn = (count: number) => divide(count).shards.map(({ cells }) => cells);
const pairsOf = ({ groups }: PlannedPairs) =>
	groups.flatMap(({ reference, plan }) => plan.cells.map(({ id }) => `${id} beside ${reference}`));

for (const count of [1, 2, 3, 5, 9]) {
	test(`${count} shards have every server once, and all pairs of the whole`, () => {
		const servers = serversIn(count);
		assert.equal(servers.length, Math.min(count, NAMES.length - 1));
		assert.deepEqual(servers.flat().toSorted(), ['express', 'fastify', 'hono', 'koa', 'mute']);
		const parts = servers.map((_, index) => {
			const part = partOf(WHOLE, { shard: index + 1, servers, planHash: '', whole: '' });
			const planned = planPart(WHOLE, part, part.installs);
			for (const pair of pairsOf(planned)) assert.ok(part.installs.includes(pair.split(' beside ')[1] ?? ''), pair);
			assert.deepEqual(planned.references, WHOLE.references, 'the same stand-ins everywhere');
			return planned;
		});
		assert.deepEqual(parts.flatMap(pairsOf).toSorted(), pairsOf(WHOLE).toSorted());
		const reported = new Set(parts.flatMap(({ leftOut }) => leftOut).map((one) => `${one.server}/${one.scenario}`));
		assert.equal(reported.size, WHOLE.leftOut.length);
	});
}

test('a stand-in is installed only in shards that need it', () => {
	const servers = [['koa'], ['express', 'hono'], ['fastify', 'mute']];
	const installs = servers.map((_, at) => partOf(WHOLE, { shard: at + 1, servers, planHash: '', whole: '' }).installs);
	assert.deepEqual(installs, [
		['koa', 'node-http'],
		['express', 'hono', 'node-http', 'koa'],
		['fastify', 'mute', 'node-http', 'koa'],
	]);
});

test('a reference that only one machine failed to install has no stand-in', () => {
	const part = partOf(WHOLE, { shard: 1, servers: [['express', 'hono']], planHash: '', whole: '' });
	const planned = planPart(WHOLE, part, ['express', 'hono', 'koa']);
	assert.deepEqual(pairsOf(planned), ['express/post beside koa']);
	assert.deepEqual(
		planned.leftOut.filter(({ state }) => state === 'broken').map(({ server, scenario }) => `${server}/${scenario}`),
		['express/ping', 'hono/ping'],
	);
	assert.match(planned.leftOut.at(-1)?.reason ?? '', /^node-http, which it is measured with, could not be installed/);
});

test('worker processes are loaded alone in a shard as well', () => {
	const scenarios = config.scenarios.map((one) => (one.name === 'post' ? { ...one, workers: 2 } : one));
	const whole = planPairs({ ...config, scenarios }, NAMES, 'node-http', timingOfMeasure({}));
	const part = partOf(whole, { shard: 1, servers: [['koa'], ['express']], planHash: '', whole: '' });
	assert.deepEqual(
		planPart(whole, part, part.installs).groups.map(({ reference, isAlone, plan }) => [
			reference,
			isAlone ?? false,
			plan.cells.map(({ id }) => id),
		]),
		[
			['node-http', false, ['koa/ping']],
			['koa', true, ['koa/post']],
		],
	);
});

test('auto takes as many shards as each needs to finish within its budget, and names the cost of other numbers', () => {
	const alone = divide(1).shards[0]?.expectedSeconds ?? 0;
	assert.equal(divide(null, alone).shards.length, 1);
	assert.equal(divide(null, alone / 1.5, { fewest: 30, most: 100 }).shards.length, 5);
	assert.deepEqual(
		divide(2).prices.map(({ count }) => count),
		[1, 2, 3],
	);
	assert.equal(
		divide(2, 600, { fewest: 3, most: 3 }).shards[0]?.expectedSeconds,
		(divide(2).shards[0]?.expectedSeconds ?? 0) / 2,
	);
});
