import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask } from '../../src/measure/answers/ask.ts';
import { startBuiltin } from '../support/installed-server.ts';
import { describeServer, scenarios, TIMEOUT } from './contract.ts';

const SERVERS = ['node-http', 'express', 'fastify', 'koa', 'hono'];

for (const name of SERVERS) describeServer(name);

test('all servers answer the same documents to all requests, errors included', async () => {
	const requests = [...scenarios.values()].flatMap((scenario) => [
		[scenario.name, scenario.request] as const,
		...scenario.checks.map((check) => [`${scenario.name}, ${check.name}`, check.request] as const),
	]);
	const documents = new Map<string, unknown>();
	for (const name of SERVERS) {
		await using server = await startBuiltin(name);
		const answers: Record<string, unknown> = {};
		for (const [label, request] of requests) {
			const { status, body } = await ask(server.origin, request, TIMEOUT);
			answers[label] = { status, document: body === '' ? null : JSON.parse(body) };
		}
		documents.set(name, answers);
	}
	const [reference, ...others] = documents.keys();
	for (const other of others) assert.deepEqual(documents.get(other), documents.get(reference ?? ''), other);
});
