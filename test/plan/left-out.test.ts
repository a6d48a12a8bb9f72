import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leftOutWarnings, planCells } from '../../src/plan/plan-cells.ts';
import { planTrialCells } from '../../src/plan/plan-trials.ts';
import type { BuiltinServer, Config } from '../../src/types/config.ts';
import { builtinScenario } from '../config/example-catalogue.ts';
import { customServer, exampleConfig } from './example-plan.ts';

const builtin = (name: string, without?: BuiltinServer['without']): BuiltinServer => ({
	kind: 'built-in',
	name,
	...(without && { without }),
});
const koa = builtin('koa', { sse: 'Koa has no streams' });
const hono = builtin('hono', { sse: 'it buffers', upload: 'it buffers' });
const express = builtin('express');
const scenarios = ['ping', 'sse', 'upload'].map((name) => builtinScenario(name));
const plan = (config: Config) => {
	const names = config.servers.map(({ name }) => name);
	return planCells(config, { servers: { base: names, head: names } });
};

test('a scenario that a built-in server leaves out is not planned, and reported', () => {
	const { cells, oneSided, leftOut } = plan(exampleConfig({ servers: [express, koa], scenarios }));
	assert.deepEqual(
		cells.map(({ id }) => id),
		['express/ping', 'express/sse', 'express/upload', 'koa/ping', 'koa/upload'],
	);
	assert.deepEqual(oneSided, []);
	assert.deepEqual(leftOut, [{ server: 'koa', scenario: 'sse', reason: 'Koa has no streams' }]);
});

test('scenarios not requested, and those of the config itself, are not reported', () => {
	const ownScenario = { ...builtinScenario('sse'), origin: 'config' } as const;
	const servers = [koa, customServer('api', ['sse'])];
	assert.deepEqual(plan(exampleConfig({ servers, scenarios: [ownScenario, builtinScenario('ping')] })).leftOut, []);
	assert.deepEqual(plan(exampleConfig({ servers: [koa], scenarios: scenarios.slice(0, 1) })).leftOut, []);
});

test('with two configs a left-out scenario is reported only if one of them requests it', () => {
	const [ping, sse] = scenarios as [Config['scenarios'][0], Config['scenarios'][0]];
	const config = exampleConfig({ servers: [express, koa], scenarios: [ping, sse] });
	const base = { servers: [express], scenarios: [ping, sse] };
	const present = { base: ['express'], head: ['express', 'koa'] };
	const planWith = (head: typeof base) =>
		planCells(config, { servers: present, configs: { base: [base], head: [head] } });
	const apart = planWith({ servers: [express, koa], scenarios: [ping] });
	assert.deepEqual(apart.leftOut, []);
	const together = planWith({ servers: [express, koa], scenarios: [ping, sse] });
	assert.deepEqual(
		[together.leftOut.map(({ server, scenario }) => `${server}/${scenario}`), together.oneSided.map(({ id }) => id)],
		[['koa/sse'], ['koa/ping']],
	);
});

test('one warning for each scenario names its servers and their reasons', () => {
	const { leftOut } = plan(exampleConfig({ servers: [express, koa, hono, builtin('next', koa.without)], scenarios }));
	assert.deepEqual(leftOutWarnings(leftOut), [
		{ code: 'scenario-left-out', message: 'sse is not measured for koa, next (Koa has no streams); hono (it buffers)' },
		{ code: 'scenario-left-out', message: 'upload is not measured for hono (it buffers)' },
	]);
});

test('an error about an empty plan names the reasons', () => {
	assert.throws(() => plan(exampleConfig({ servers: [koa], scenarios: scenarios.slice(1, 2) })), {
		code: 'no-cells',
		message: 'no server answers any of the scenarios: koa with sse; koa leaves out sse (Koa has no streams)',
	});
});

test('trials run on every cell but those left out, servers within scenarios', () => {
	const { cells, leftOut } = planTrialCells(
		exampleConfig({ servers: [express, koa], scenarios: scenarios.slice(0, 2) }),
	);
	assert.deepEqual(
		cells.map(({ id }) => id),
		['express/ping', 'koa/ping', 'express/sse'],
	);
	assert.deepEqual(
		leftOut.map(({ scenario }) => scenario),
		['sse'],
	);
});
