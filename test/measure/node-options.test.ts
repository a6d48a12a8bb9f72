import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startServer } from '../../src/measure/server-process.ts';
import { nodeOptions } from '../../src/measure/start/node-options.ts';
import type { Runtime } from '../../src/types/runtime.ts';
import { createBench } from '../support/servers/servers.ts';

test('a runtime other than Node gets only the options of the config', () => {
	const facts = { pinned: true, refusesDebugger: true };
	assert.deepEqual(nodeOptions({ ...facts, node: null, own: undefined }), {});
	assert.deepEqual(nodeOptions({ ...facts, node: null, own: '--conditions=x' }), { NODE_OPTIONS: '--conditions=x' });
	assert.match(nodeOptions({ ...facts, node: process.execPath, own: undefined }).NODE_OPTIONS ?? '', /v8-pool-size=1/);
});

test('a command that begins with node runs on the runtime of its side', async () => {
	await using bench = await createBench();
	const bin = join(bench.folder, 'runtime/bin');
	mkdirSync(bin, { recursive: true });
	// It always reports that it was called.
	writeFileSync(join(bin, 'node'), `#!/bin/sh\necho "asked with [$NODE_OPTIONS]"\nexec ${process.execPath} "$@"\n`);
	chmodSync(join(bin, 'node'), 0o755);
	symlinkSync(process.execPath, join(bin, 'bun'));
	const other: Runtime = { name: 'bun', version: '1.0.0', node: join(bin, 'node'), folder: bench.folder };
	const own: Runtime = { name: 'node', version: process.versions.node, node: process.execPath, folder: bench.folder };
	const runtimes = { base: own, head: other };
	for (const side of ['base', 'head'] as const) {
		const options = bench.options(side);
		const run = { shell: 'exec node behaviour.mjs' };
		await using server = await startServer({ ...options, runtimes, server: { ...options.server, run } });
		assert.equal((await fetch(server.origin)).status, 200);
		assert.equal(server.lastLines(), side === 'head' ? 'asked with []' : '');
	}
});
