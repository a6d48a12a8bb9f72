/** Built-in servers in worker processes, and called without a socket. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { isHosted } from '../../src/config/answered-scenarios.ts';
import { ask } from '../../src/measure/answers/ask.ts';
import { verifyScenario } from '../../src/measure/answers/verify-scenario.ts';
import { listTree } from '../../src/process/process-tree.ts';
import { startBuiltin, TEST_NODE } from '../support/servers/installed-server.ts';
import { readScenarios } from '../support/servers/scenario-files.ts';
import { TIMEOUT } from './contract.ts';

const WORKERS = 3;
const hosted = [...readScenarios().values()].filter(isHosted);

/** Registers the tests of a server in worker processes. */
export function describeCluster(name: string): void {
	test(`${name} in worker processes listens with all of them, answers, and ends at SIGTERM`, async () => {
		const by = { program: '../shared/hosting/cluster.mjs', env: { WORKERS: String(WORKERS) } };
		await using server = await startBuiltin(name, {}, TEST_NODE, by);
		assert.equal(listTree(server.process.pid ?? 0).length, WORKERS + 1);
		const [scenario] = hosted.filter(({ workers }) => workers !== undefined);
		assert.ok(scenario);
		const { faults } = await verifyScenario({ base: server.origin, head: server.origin }, scenario, TIMEOUT);
		assert.deepEqual(faults, []);
		const ended = once(server.process, 'exit');
		server.process.kill('SIGTERM');
		assert.deepEqual(await ended, [0, null]);
		assert.equal(server.output(), '');
	});
}

/** Registers the tests of a server that is called without a socket. */
export function describeInProcess(name: string): void {
	test(`${name} answers without a socket as it does through one, and counts its requests`, async () => {
		await using server = await startBuiltin(name, {}, TEST_NODE, { program: '../shared/hosting/in-process.mjs' });
		const inProcessScenarios = hosted.filter(({ inProcess }) => inProcess);
		const askOwn = async (order: object) => {
			const headers = { 'content-type': 'application/json' };
			const request = { method: 'POST', path: '/.in-process', headers, body: JSON.stringify(order) };
			return JSON.parse((await ask(server.origin, request, TIMEOUT)).body);
		};
		assert.equal(inProcessScenarios.length, 5);
		for (const scenario of inProcessScenarios) {
			const { faults } = await verifyScenario({ base: server.origin, head: server.origin }, scenario, TIMEOUT);
			assert.deepEqual(faults, [], scenario.name);
			const inside = await askOwn({ request: scenario.request, seconds: 0.05 });
			const { completed, statuses, seconds, latency, bytes } = inside;
			assert.ok(completed > 0 && bytes > 0 && seconds >= 0.05);
			assert.deepEqual(statuses, { [scenario.expect.status[0] ?? 0]: completed });
			assert.equal(
				latency.reduce((sum: number, [, count]: [number, number]) => sum + count, 0),
				completed,
			);
			const counted = await askOwn({ request: scenario.request, seconds: 60, calls: 30 });
			assert.deepEqual([counted.completed, counted.statuses], [30, { [scenario.expect.status[0] ?? 0]: 30 }]);
		}
		server.process.kill('SIGTERM');
		await once(server.process, 'exit');
		assert.equal(server.output(), '');
	});
}
