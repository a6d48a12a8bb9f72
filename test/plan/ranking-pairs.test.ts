import assert from 'node:assert/strict';
import { test } from 'node:test';
import { estimatePairs, planAlone, planPairs, timingOfMeasure } from '../../src/plan/ranking-pairs.ts';
import type { ServerSpec } from '../../src/types/config.ts';
import { builtinScenario } from '../config/example-catalogue.ts';

const builtin = (name: string, without?: Readonly<Record<string, string>>): ServerSpec => ({
	kind: 'built-in',
	name,
	...(without && { without }),
});
const config = (servers: readonly ServerSpec[], scenarios: readonly string[]) => ({
	servers,
	scenarios: scenarios.map((name) => builtinScenario(name)),
	seed: 1,
	budgetSeconds: 600,
	threshold: 0.05,
	tolerance: 0.025,
});
const timing = timingOfMeasure({});
const cellsOf = ({ groups }: ReturnType<typeof planPairs>) =>
	groups.flatMap(({ reference, plan }) => plan.cells.map(({ id }) => `${id} beside ${reference}`));

test('every server is measured beside the reference, and the reference alone', () => {
	const planned = planPairs(
		config(
			['node-http', 'koa', 'express'].map((name) => builtin(name)),
			['ping', 'post'],
		),
		['node-http', 'koa', 'express'],
		'node-http',
		timing,
	);
	assert.deepEqual(cellsOf(planned), [
		'koa/ping beside node-http',
		'koa/post beside node-http',
		'express/ping beside node-http',
		'express/post beside node-http',
	]);
});

test('if the reference leaves a scenario out, the first server that answers it stands in', () => {
	const servers = [builtin('node-http', { post: 'no bodies' }), builtin('koa'), builtin('express')];
	const planned = planPairs(config(servers, ['ping', 'post']), ['node-http', 'koa', 'express'], 'node-http', timing);
	assert.deepEqual(cellsOf(planned), [
		'koa/ping beside node-http',
		'express/ping beside node-http',
		'express/post beside koa',
	]);
	assert.equal(planned.references.get('post'), 'koa');
	assert.deepEqual(planned.leftOut, [
		{ server: 'node-http', scenario: 'post', state: 'left-out', reason: 'no bodies', side: null },
	]);
});

test('a reference that could not be installed has a stand-in everywhere', () => {
	const servers = ['node-http', 'koa', 'express'].map((name) => builtin(name));
	const planned = planPairs(config(servers, ['ping']), ['koa', 'express'], 'node-http', timing);
	assert.deepEqual(cellsOf(planned), ['express/ping beside koa']);
});

test('a server without a partner is measured beside itself, and a scenario that no server answers has no pair', () => {
	assert.deepEqual(cellsOf(planPairs(config([builtin('koa')], ['ping']), ['koa'], 'koa', timing)), [
		'koa/ping beside koa',
	]);
	const nobody = planPairs(config([builtin('koa', { ping: 'no' })], ['ping']), ['koa'], 'koa', timing);
	assert.deepEqual([cellsOf(nobody), nobody.references.get('ping')], [[], null]);
});

test('flags set the time that a server is loaded, and the time before', () => {
	const set = timingOfMeasure({ durationSeconds: 15, warmupSeconds: 5 });
	assert.deepEqual([set.windows * set.windowSeconds, set.windows, set.soloSeconds], [15, 300, 15]);
	// Each side goes first as often as the other, however short.
	assert.deepEqual(
		[0.01, 0.17, 1.9].map((durationSeconds) => timingOfMeasure({ durationSeconds }).windows),
		[2, 4, 38],
	);
	assert.deepEqual(set.firstWarmup, { requests: 0, leastSeconds: 5, mostSeconds: 5, inTurn: true });
	assert.deepEqual(set.warmup, set.firstWarmup);
});

test('the estimate grows with pairs, rounds and windows', () => {
	const servers = ['node-http', 'koa'].map((name) => builtin(name));
	const seconds = (rounds: number, duration?: number) =>
		estimatePairs(
			planPairs(
				config(servers, ['ping']),
				['node-http', 'koa'],
				'node-http',
				timingOfMeasure({ durationSeconds: duration }),
			).groups,
			rounds,
		);
	assert.ok(seconds(3) > 10 && seconds(3) < 30, String(seconds(3)));
	assert.equal(seconds(6), 2 * seconds(3));
	assert.ok(seconds(3, 10) > seconds(3) + 3 * 2 * (10 - 2));
});

test('every row starts processes, except those of a page', () => {
	const servers = ['node-http', 'koa'].map((name) => builtin(name));
	const planned = (...scenarios: readonly string[]) => config(servers, [...scenarios]);
	const inTurn = (...scenarios: readonly string[]) =>
		estimatePairs(planPairs(planned(...scenarios), ['node-http', 'koa'], 'node-http', timing).groups, 3);
	assert.ok(Math.abs(inTurn('ping', 'post') - 2 * inTurn('ping')) < 1e-9);
	const page = timingOfMeasure({ isAlone: true });
	const alone = (...scenarios: readonly string[]) =>
		estimatePairs(planAlone(planned(...scenarios), ['koa'], page).groups, 3);
	assert.ok(alone('ping', 'post') < 2 * alone('ping') - 3);
});

test('a preset loads each server alone, in the order of its page', () => {
	const servers = ['express', 'node-http', 'koa'].map((name) => builtin(name));
	const { groups, references } = planAlone(
		config(servers, ['post', 'ping']),
		['express', 'koa'],
		timingOfMeasure({ isAlone: true }),
	);
	assert.deepEqual(
		groups.map(({ reference, plan }) => [reference, plan.cells.map(({ id }) => id)]),
		[
			['express', ['express/post', 'express/ping']],
			['koa', ['koa/post', 'koa/ping']],
		],
	);
	assert.deepEqual([...references.values()], [null, null]);
	assert.equal(groups[0]?.plan.timing.windows, 0);
	assert.ok((groups[0]?.plan.timing.soloRounds ?? 0) > 100);
});

test('a preset measures starts and memory with two processes of each server, before any load', () => {
	const servers = ['express', 'koa'].map((name) => builtin(name));
	const request = config(servers, ['ping', 'startup']);
	const scenarios = request.scenarios.map((scenario) =>
		scenario.name === 'startup' ? { ...scenario, metrics: ['cold-start'] as const } : scenario,
	);
	const { groups } = planAlone({ ...request, scenarios }, ['express', 'koa'], timingOfMeasure({ isAlone: true }));
	assert.deepEqual(
		groups.map(({ reference, isAlone, plan }) => [
			reference,
			isAlone ?? false,
			plan.timing.windows,
			plan.timing.soloRounds > 0,
			plan.cells.map(({ id }) => id),
		]),
		[
			['express', false, 1, false, ['express/startup']],
			['koa', false, 1, false, ['koa/startup']],
			['express', true, 0, true, ['express/ping']],
			['koa', true, 0, true, ['koa/ping']],
		],
	);
});

test('scenarios that a page does not request of a server are neither planned nor left out', () => {
	const zod: ServerSpec = { kind: 'built-in', name: 'fastify-zod', scenarios: ['post'], without: { ping: 'no' } };
	const { groups, leftOut } = planAlone(
		config([builtin('express', { post: 'no bodies' }), zod], ['post', 'ping']),
		['express', 'fastify-zod'],
		timingOfMeasure({ isAlone: true }),
	);
	assert.deepEqual(
		groups.flatMap(({ plan }) => plan.cells.map(({ id }) => id)),
		['express/ping', 'fastify-zod/post'],
	);
	assert.deepEqual(
		leftOut.map(({ server, scenario }) => `${server}/${scenario}`),
		['express/post'],
	);
});

test('servers are loaded in turn with the reference; starts and memory are measured beside it', () => {
	const servers = ['node-http', 'koa'].map((name) => builtin(name));
	const request = config(servers, ['ping', 'post']);
	const scenarios = request.scenarios.map((scenario) =>
		scenario.name === 'post' ? { ...scenario, metrics: ['cold-start'] as const } : scenario,
	);
	const { groups } = planPairs({ ...request, scenarios }, ['node-http', 'koa'], 'node-http', timing);
	assert.deepEqual(
		groups.map(({ plan }) => [plan.design, plan.timing.resting ?? false, plan.cells.map(({ id }) => id)]),
		[
			['alternating', true, ['koa/ping']],
			['duet', false, ['koa/post']],
		],
	);
	assert.ok(groups.every(({ plan }) => plan.timing.soloRounds === 0));
});

test('worker processes have no server beside them, and the other scenarios their reference', () => {
	const servers = ['node-http', 'koa'].map((name) => builtin(name));
	const request = config(servers, ['ping', 'cluster-2']);
	const scenarios = request.scenarios.map((scenario) =>
		scenario.name === 'cluster-2' ? { ...scenario, workers: 2 } : scenario,
	);
	const planned = planPairs({ ...request, scenarios }, ['node-http', 'koa'], 'node-http', timing);
	assert.deepEqual(
		planned.groups.map(({ reference, isAlone, plan }) => [
			reference,
			isAlone ?? false,
			plan.timing.windows > 0,
			plan.cells.map(({ id }) => id),
		]),
		[
			['node-http', false, true, ['koa/ping']],
			['node-http', true, false, ['node-http/cluster-2']],
			['koa', true, false, ['koa/cluster-2']],
		],
	);
	assert.deepEqual(
		[...planned.references],
		[
			['ping', 'node-http'],
			['cluster-2', null],
		],
	);
});
