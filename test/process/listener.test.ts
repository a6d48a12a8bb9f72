import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import { ownsListener } from '../../src/process/socket-table.ts';

const { ppid } = process;

test('the process that listens on a port owns it, and no other', { skip: process.platform !== 'linux' }, async () => {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	assert.equal(ownsListener([ppid, process.pid], port), true);
	assert.equal(ownsListener([ppid], port), false);
	// Another process that only tried whether the port is free, as a neighbouring run does, was not our server.
	await new Promise((resolve) => server.close(resolve));
	assert.equal(ownsListener([process.pid], port), false);
});
