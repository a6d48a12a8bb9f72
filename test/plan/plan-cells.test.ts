import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planCells } from '../../src/plan/plan-cells.ts';
import type { Config, Scenario } from '../../src/types/config.ts';
import { builtinScenario } from '../config/example-catalogue.ts';
import { customServer, exampleConfig } from './example-plan.ts';

const mine: Scenario = { ...builtinScenario('own'), origin: 'config' };
const plan = (config: Config) => {
	const names = config.servers.map(({ name }) => name);
	return planCells(config, { servers: { base: names, head: names } });
};
const ids = (config: Config) => plan(config).cells.map(({ id }) => id);
const express = { kind: 'built-in', name: 'express' } as const;

test('servers and scenarios are crossed in the order of the config', () => {
	assert.deepEqual(ids(exampleConfig()), ['express/ping', 'express/json-post', 'koa/ping', 'koa/json-post']);
});

test('built-in servers answer built-in scenarios only', () => {
	assert.deepEqual(ids(exampleConfig({ servers: [express], scenarios: [mine, builtinScenario('ping')] })), [
		'express/ping',
	]);
});

test('a custom server answers its list, else the scenarios of the config, else everything', () => {
	const scenarios = [mine, builtinScenario('ping'), builtinScenario('json-post')];
	const servers = [customServer('listed', ['ping', 'own', 'elsewhere']), customServer('bare')];
	assert.deepEqual(ids(exampleConfig({ servers, scenarios })), ['listed/own', 'listed/ping', 'bare/own']);
	assert.deepEqual(ids(exampleConfig({ servers: [customServer('bare')] })), ['bare/ping', 'bare/json-post']);
});

test('a cell has the margins of its scenario, and half of its own threshold', () => {
	const scenarios = [
		builtinScenario('none'),
		{ ...builtinScenario('threshold'), threshold: 0.08 },
		{ ...builtinScenario('tolerance'), tolerance: 0.01 },
		{ ...builtinScenario('both'), threshold: 0.1, tolerance: 0.02 },
	];
	const { cells } = plan(exampleConfig({ servers: [express], scenarios, tolerance: 0.02 }));
	assert.deepEqual(
		cells.map((cell) => [cell.scenario, cell.threshold, cell.tolerance]),
		[
			['none', 0.05, 0.02],
			['threshold', 0.08, 0.04],
			['tolerance', 0.05, 0.01],
			['both', 0.1, 0.02],
		],
	);
});

test('a server on one side makes its cells new or removed', () => {
	const { cells, oneSided } = planCells(exampleConfig({ scenarios: [builtinScenario('ping')] }), {
		servers: { base: ['express'], head: ['koa'] },
	});
	const margins = { threshold: 0.05, tolerance: 0.025 };
	assert.deepEqual(cells, []);
	assert.deepEqual(oneSided, [
		{
			id: 'express/ping',
			server: 'express',
			scenario: 'ping',
			...margins,
			verdict: 'removed',
			reason: 'Only base has the server express.',
		},
		{
			id: 'koa/ping',
			server: 'koa',
			scenario: 'ping',
			...margins,
			verdict: 'new',
			reason: 'Only head has the server koa.',
		},
	]);
});

test('a scenario in the config of one side only is new or removed, with the margins of the config in force', () => {
	const scenarios = ['kept', 'gone', 'added'].map((name) => builtinScenario(name));
	const [kept, gone, added] = scenarios as [Scenario, Scenario, Scenario];
	const koa = { kind: 'built-in', name: 'koa' } as const;
	const { cells, oneSided } = planCells(exampleConfig({ servers: [express, koa], scenarios }), {
		servers: { base: ['express'], head: ['express', 'koa'] },
		configs: {
			base: [{ servers: [express], scenarios: [kept, gone] }],
			head: [{ servers: [express, koa], scenarios: [kept, { ...added, threshold: 0.5 }] }],
		},
	});
	assert.deepEqual(
		cells.map(({ id }) => id),
		['express/kept'],
	);
	assert.deepEqual(
		oneSided.map(({ id, verdict, reason, threshold }) => [id, verdict, reason, threshold]),
		[
			['express/gone', 'removed', 'Only base has the scenario gone.', 0.05],
			['express/added', 'new', 'Only head has the scenario added.', 0.05],
			['koa/kept', 'new', 'Only head has the server koa.', 0.05],
			['koa/added', 'new', 'Only head has the server koa.', 0.05],
		],
	);
});

test("a first scenario in a side's config replaces the built-in ones of its bare custom server", () => {
	const ping = builtinScenario('ping');
	const server = customServer('api');
	const { cells, oneSided } = planCells(exampleConfig({ servers: [server], scenarios: [ping, mine] }), {
		servers: { base: ['api'], head: ['api'] },
		configs: {
			base: [{ servers: [server], scenarios: [ping] }],
			head: [{ servers: [server], scenarios: [ping, mine] }],
		},
	});
	assert.deepEqual(cells, []);
	assert.deepEqual(
		oneSided.map(({ id, verdict }) => [id, verdict]),
		[
			['api/ping', 'removed'],
			['api/own', 'new'],
		],
	);
});

for (const [label, server, shares] of [
	['in a variable', { env: { PGDATABASE: 'bench_${slot}' } }, true],
	['in a hook', { start: 'createdb "${slot}"' }, true],
	[
		'with all it has in a folder of its own',
		{ start: 'node migrate.js "${data}/x.db"', env: { PORT_TOO: '${port}' } },
		undefined,
	],
] as const) {
	test(`cells of servers that share a database with their rival are marked: ${label}`, () => {
		const { cells } = planCells(
			exampleConfig({ servers: [{ ...customServer('api'), ...server }], scenarios: [mine] }),
			{
				servers: { base: ['api'], head: ['api'] },
			},
		);
		assert.deepEqual(
			cells.map(({ sharesWork }) => sharesWork),
			[shares],
		);
	});
}

test('a plan without cells is an error with the reason', () => {
	assert.throws(() => plan(exampleConfig({ file: 'benchgate.yml', servers: [express], scenarios: [mine] })), {
		code: 'no-cells',
		where: 'benchgate.yml',
		message: 'no server answers any of the scenarios: express with own',
	});
});

test('a server on neither side is an error', () => {
	assert.throws(() => planCells(exampleConfig(), { servers: { base: ['koa'], head: ['koa'] } }), {
		code: 'server-on-no-side',
		message: 'server express is on neither side',
	});
});

test('cells of a server that reads no changed input are planned but not measured', () => {
	const { cells, oneSided, unserved } = planCells(exampleConfig({ scenarios: [builtinScenario('ping'), mine] }), {
		servers: { base: ['express'], head: ['express'] },
		sameCode: ['koa'],
	});
	assert.deepEqual(
		cells.map(({ id }) => id),
		['express/ping'],
	);
	assert.deepEqual(
		oneSided.map(({ id, verdict, reason }) => [id, verdict, reason]),
		[['koa/ping', 'same-code', 'Nothing that koa reads differs between base and head.']],
	);
	assert.deepEqual(unserved, []);
});

test('cells of a server with the same installation on both sides are not measured either, with the reason', () => {
	const { cells, oneSided } = planCells(exampleConfig({ scenarios: [builtinScenario('ping')] }), {
		servers: { base: ['express', 'koa'], head: ['express', 'koa'] },
		samePacked: ['koa'],
	});
	assert.deepEqual(
		[...cells, ...oneSided.map(({ id, verdict, reason }) => [id, verdict, reason])],
		[cells[0], ['koa/ping', 'same-code', 'What koa runs is packed to the same files in base and head.']],
	);
	assert.equal(cells[0]?.id, 'express/ping');
});

test('a cell that runs no changed code is not measured, but others of its server are', () => {
	const scenarios = [builtinScenario('ping'), builtinScenario('json-post')];
	const { cells, oneSided } = planCells(exampleConfig({ servers: [express], scenarios }), {
		servers: { base: ['express'], head: ['express'] },
		unaffected: ['express/ping'],
	});
	assert.deepEqual(
		[...cells.map(({ id }) => id), ...oneSided.map(({ id, verdict, reason }) => [id, verdict, reason])],
		['express/json-post', ['express/ping', 'unaffected', 'None of the code that this row runs has changed.']],
	);
});

test('one-sided cells stay so, even if their server reads no changed input', () => {
	const [ping, added] = [builtinScenario('ping'), builtinScenario('added')];
	const servers = [express];
	const { oneSided } = planCells(exampleConfig({ servers, scenarios: [ping, added] }), {
		servers: { base: [], head: [] },
		configs: { base: [{ servers, scenarios: [ping] }], head: [{ servers, scenarios: [ping, added] }] },
		sameCode: ['express'],
	});
	assert.deepEqual(
		oneSided.map(({ id, verdict }) => [id, verdict]),
		[
			['express/ping', 'same-code'],
			['express/added', 'new'],
		],
	);
});
