/** The servers outside of the quick tests, and other majors of their frameworks that servers have to run with. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadServers } from '../../src/config/load-catalogue.ts';
import { ask } from '../../src/measure/answers/ask.ts';
import { TOOL_ROOT } from '../../src/process/entries.ts';
import type { HttpRequest } from '../../src/types/config.ts';
import { type Replacements, startBuiltin } from '../support/servers/installed-server.ts';
import { nodeFor } from '../support/servers/node-for-server.ts';
import { describeServer, QUICK, scenarios, TIMEOUT } from './contract.ts';
import { assertSameDocuments, documentsOf, type Told } from './same-documents.ts';

/** Packages of a server's variants are not listed. */
const OTHER_MAJORS: Readonly<Record<string, Replacements>> = {
	express: { express: '4.21.2' },
	fastify: { fastify: '4.29.1' },
};

const catalogue = await loadServers(TOOL_ROOT);
/** wrapped.slow.test.ts covers packages that some registries lack. */
const others = catalogue.filter(({ name, unserved }) => !QUICK.includes(name) && unserved === undefined);

for (const [name, replacements] of Object.entries(OTHER_MAJORS)) {
	const server = catalogue.find((one) => one.name === name);
	assert.ok(server, name);
	describeServer(server, { replacements });
}
const told: Told[] = [];
for (const server of others) describeServer(server, { told });

test('the other servers answer the same documents as node-http, errors included', async () => {
	const declared = catalogue.find(({ name }) => name === 'node-http');
	assert.ok(declared);
	await using reference = await startBuiltin(declared.name);
	const send = (request: HttpRequest) => ask(reference.origin, request, TIMEOUT);
	const documents = await documentsOf(declared, scenarios.values(), send);
	assert.ok(documents.size > scenarios.size);
	assert.equal(told.length, others.filter((server) => 'node' in nodeFor(server)).length);
	assertSameDocuments([{ declared, documents }, ...told]);
});
