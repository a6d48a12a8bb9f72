import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadServers } from '../../src/config/load-catalogue.ts';
import type { Answer } from '../../src/measure/answers/answer.ts';
import { ask } from '../../src/measure/answers/ask.ts';
import { TOOL_ROOT } from '../../src/process/entries.ts';
import type { Scenario } from '../../src/types/config.ts';
import { startBuiltin } from '../support/installed-server.ts';
import { describeServer, find, scenarios, TIMEOUT } from './contract.ts';

const catalogue = await loadServers(TOOL_ROOT);

for (const server of catalogue) describeServer(server);

test('what servers share stands in servers/shared alone', () => {
	const [, token = ''] = find('auth-get').request.headers.authorization?.split(' ') ?? [];
	assert.ok(readFileSync(join(TOOL_ROOT, 'servers/shared/fixtures.mjs'), 'utf8').includes(token) && token !== '');
	for (const { name } of catalogue) {
		const program = readFileSync(join(TOOL_ROOT, 'servers', name, 'server.mjs'), 'utf8');
		assert.ok(!program.includes(token), `${name} has the token`);
		assert.doesNotMatch(program, /minLength|john@example|u_bench/, `${name} has a schema or a document`);
	}
});

test('all servers answer the same documents to all requests, errors included', async () => {
	const requestsOf = (scenario: Scenario) => [
		[scenario.name, scenario.request] as const,
		...scenario.checks.map((check) => [`${scenario.name}, ${check.name}`, check.request] as const),
	];
	const reference = new Map<string, unknown>();
	for (const { name, without = {} } of catalogue) {
		await using server = await startBuiltin(name);
		const declared = [...scenarios.values()].filter((scenario) => !Object.hasOwn(without, scenario.name));
		for (const [label, request] of declared.flatMap(requestsOf)) {
			const answer = documentOf(await ask(server.origin, request, TIMEOUT));
			if (!reference.has(label)) reference.set(label, answer);
			assert.deepEqual(answer, reference.get(label), `${name}: ${label}`);
		}
	}
	assert.ok(reference.size > scenarios.size);
});

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What an answer says, without what is drawn anew for each. */
function documentOf({ status, headers, body }: Answer): { status: number; document: unknown } {
	if (body === '') return { status, document: null };
	if (!/^application\/json/.test(headers['content-type'] ?? '')) return { status, document: body };
	const withoutIds = (_key: string, value: unknown) => (typeof value === 'string' && UUID.test(value) ? 'id' : value);
	return { status, document: JSON.parse(body, withoutIds) };
}
