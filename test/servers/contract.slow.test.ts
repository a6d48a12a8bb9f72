/** The servers that are not asked in every run, and other majors of their frameworks that servers have to run with. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadServers } from '../../src/config/load-catalogue.ts';
import { TOOL_ROOT } from '../../src/process/entries.ts';
import type { Replacements } from '../support/installed-server.ts';
import { describeServer, QUICK } from './contract.ts';
import { assertSameDocuments } from './same-documents.ts';

/** What a variant of the server runs is not here. */
const OTHER_MAJORS: Readonly<Record<string, Replacements>> = {
	express: { express: '4.21.2' },
	fastify: { fastify: '4.29.1' },
};

const catalogue = await loadServers(TOOL_ROOT);
/** What some registries lack is asked in wrapped.slow.test.ts. */
const others = catalogue.filter(({ name, unserved }) => !QUICK.includes(name) && unserved === undefined);

for (const [name, replacements] of Object.entries(OTHER_MAJORS)) {
	const server = catalogue.find((one) => one.name === name);
	assert.ok(server, name);
	describeServer(server, replacements);
}
for (const server of others) describeServer(server);

test('the other servers answer the same documents as node-http, errors included', () => {
	const reference = catalogue.filter(({ name }) => name === 'node-http');
	return assertSameDocuments([...reference, ...others]);
});
