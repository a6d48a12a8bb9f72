/** Other majors of their frameworks that servers have to run with. */
import assert from 'node:assert/strict';
import { loadServers } from '../../src/config/load-catalogue.ts';
import { TOOL_ROOT } from '../../src/process/entries.ts';
import type { Replacements } from '../support/installed-server.ts';
import { describeServer } from './contract.ts';

const OTHER_MAJORS: Readonly<Record<string, Replacements>> = {
	express: { express: '4.21.2' },
	fastify: { fastify: '4.29.1' },
	koa: { koa: '2.16.4' },
};

const catalogue = await loadServers(TOOL_ROOT);
for (const [name, replacements] of Object.entries(OTHER_MAJORS)) {
	const server = catalogue.find((one) => one.name === name);
	assert.ok(server, name);
	describeServer(server, replacements);
}
