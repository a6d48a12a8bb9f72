import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { FIRST_PORT, findFreePort, LAST_PORT } from '../../src/measure/ports.ts';
import { isUserError } from '../../src/types/errors.ts';
import { listen, pickPort } from '../support/servers/http-server.ts';

test('ports are drawn at random from a wide range, each at most once', async () => {
	const ports: number[] = [];
	for (let count = 0; count < 50; count++) ports.push(await findFreePort());
	assert.equal(new Set(ports).size, ports.length);
	assert.ok(ports.every((port) => port >= FIRST_PORT && port <= LAST_PORT));
	// Of 50 uniform draws all lie within half of the range once in 10^13 runs.
	assert.ok(Math.max(...ports) - Math.min(...ports) > (LAST_PORT - FIRST_PORT) / 2, ports.join(' '));
});

test('a taken port is skipped, and so are the usual ports of programs on their own machine', async () => {
	await using taken = await listen(createServer((socket) => socket.destroy()));
	const free = await pickPort();
	const drawn = [Number(new URL(taken.origin).port), 27_017, free];
	assert.equal(await findFreePort(() => drawn.shift() ?? 0), free);
	const again = [free, await pickPort()];
	assert.notEqual(await findFreePort(() => again.shift() ?? 0), free, 'it was handed out a moment ago');
});

test('if all ports are taken, the error is not reported as a bug', async () => {
	await using taken = await listen(createServer((socket) => socket.destroy()));
	const { port } = new URL(taken.origin);
	const error = await findFreePort(() => Number(port)).catch((thrown: unknown) => thrown);
	assert.ok(isUserError(error));
	assert.deepEqual([error.code, error.exitCode], ['no-port', 3]);
});
