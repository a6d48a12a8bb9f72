/** A built-in server that receives the list of its requests: it has these routes and no others. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadServers } from '../../src/config/load-catalogue.ts';
import { ask } from '../../src/measure/answers/ask.ts';
import { TOOL_ROOT } from '../../src/process/entries.ts';
import { tellAskedPaths } from '../../src/runs/ranking/install-servers.ts';
import { startBuiltin, TEST_NODE } from '../support/servers/installed-server.ts';
import { findAnswerFaults } from '../support/servers/server-contract.ts';
import { behavingServer } from '../support/servers/servers.ts';
import { find, TIMEOUT } from './contract.ts';

/**
 * One of each kind: with a parameter, with a query, with checks, with a first request to learn from, mounted, with a
 * log.
 */
const ASKED = ['param-text', 'param-query', 'full-pipeline', 'conditional-get', 'many-routes-10', 'logging'] as const;
const catalogue = await loadServers(TOOL_ROOT);

/** Registers the test of one server. */
export function describeAsked(name: string): void {
	test(`${name} with a list of its scenarios answers them as before, and nothing else`, async () => {
		const scenarios = ASKED.map(find);
		const server = { kind: 'built-in', name } as const;
		const withPaths = tellAskedPaths(new Map([[name, behavingServer('', name)]]), [server], scenarios);
		const { BEHAVIOUR: _, ...env } = withPaths.get(name)?.env ?? {};
		await using running = await startBuiltin(name, {}, TEST_NODE, { env });
		const declared = catalogue.find((one) => one.name === name);
		assert.ok(declared);
		for (const scenario of scenarios) {
			assert.deepEqual(await findAnswerFaults(declared, scenario, running.origin), [], scenario.name);
		}
		for (const other of ['ping', 'json-post', 'middleware-20']) {
			assert.equal((await ask(running.origin, find(other).request, TIMEOUT)).status, 404, other);
		}
		assert.equal(running.output(), '');
	});
}
