/** Cells that are always measured, whatever base's coverage shows. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whyAlways } from '../../src/runs/always-measured.ts';
import type { Config, CustomServer, Scenario } from '../../src/types/config.ts';
import type { Cell } from '../../src/types/plan.ts';
import { configOf } from '../prepare/support.ts';
import { FIXTURE_SCENARIO } from '../support/short-rounds.ts';

const RUNTIME = { name: 'node', version: '24.0.0', node: 'node' };
const CELL = { id: 'api/ping', server: 'api', scenario: 'ping', threshold: 0.05, tolerance: 0.025 };

function why(
	server: Partial<CustomServer>,
	{ scenario, cell, ...more }: { scenario?: Partial<Scenario>; cell?: Partial<Cell> } & Partial<Config> = {},
	runtimes?: boolean,
) {
	const api: CustomServer = {
		...{ kind: 'custom', name: 'api', command: 'node server.js', cwd: '.', env: {}, ready: { timeoutSeconds: 5 } },
		...server,
	};
	const config = { ...configOf([]), servers: [api], scenarios: [{ ...FIXTURE_SCENARIO, ...scenario }], ...more };
	const both = { base: RUNTIME, head: RUNTIME } as never;
	return whyAlways({ ...CELL, ...cell }, { config, ...(runtimes && { runtimes: both }) });
}

const { gate } = configOf([]);

test('a plain program of Node may be unaffected', () => {
	for (const command of ['node server.js', 'node  ./dist/main.mjs', 'node --import ./trace.mjs server.js 8'])
		assert.equal(why({ command }), null, command);
});

const COMMANDS = [
	...['npm start', 'bun server.js', 'deno run server.ts', './server', 'node', 'node server.js && true'],
	...['MODE="$(cat mode)" node server.js', 'node server.js < data', 'node `cat main`', 'PATH=bin node server.js'],
	...['node --env-file=.env server.js', 'node --run start', 'node --expose-gc server.js', 'node server.js; sh'],
];
for (const command of COMMANDS) {
	test(`always measured: ${command}`, () => assert.equal(why({ command }), 'command'));
}

test('always measured: servers with start, stop or variables that lead Node to other files', () => {
	assert.equal(why({ start: 'true' }), 'command');
	assert.equal(why({ stop: 'true' }), 'command');
	for (const name of ['NODE_OPTIONS', 'NODE_PATH', 'LD_PRELOAD', 'PATH'])
		assert.equal(why({ env: { [name]: 'x' } }), 'command');
	assert.equal(why({ env: { MODE: 'fast' } }), null);
});

test('always measured: starts and memory, worker processes, calls without a socket, chosen runtimes', () => {
	assert.equal(why({}, { cell: { metrics: ['cold-start'] } }), 'metric');
	assert.equal(why({}, { gate: { ...gate, metrics: ['throughput', 'memory-peak'] } }), 'metric');
	assert.equal(why({}, { scenario: { workers: 2 } }), 'workers');
	assert.equal(why({}, { scenario: { inProcess: true } }), 'in-process');
	assert.equal(why({}, {}, true), 'runtime');
});
