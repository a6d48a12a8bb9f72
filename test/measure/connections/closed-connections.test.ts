/** The kernel's reports on ended connections, through the real `ss`. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { findAffinity } from '../../../src/measure/affinity.ts';
import { watchClosedConnections } from '../../../src/measure/connections/closed-connections.ts';
import { findFreePort } from '../../../src/measure/ports.ts';
import { enterOwnNetwork } from '../../support/own-network.ts';
import { createBench } from '../../support/servers/servers.ts';
import { LINUX } from './foreign-connections.ts';

// The kernel reports to every listener of a network: this many connections would disturb concurrent tests, too.
enterOwnNetwork(fileURLToPath(import.meta.url));

/** Opens and closes so many connections to its own server, one after the other. */
function connectTo(port: number, times: number): void {
	const script = `
		const { connect, createServer } = require('node:net');
		let left = ${times};
		const server = createServer((socket) => socket.on('error', () => {}).resume()).listen(${port}, '127.0.0.1', next);
		function next() {
			if (left-- === 0) return server.close();
			const socket = connect(${port}, '127.0.0.1', () => socket.resetAndDestroy()).on('close', next);
		}`;
	assert.equal(spawnSync(process.execPath, ['-e', script]).status, 0);
}

test('after more ended connections than can be reported, later ones are still reported', LINUX, async () => {
	await using bench = await createBench();
	const port = await findFreePort();
	let reports = 0;
	const count = ({ port: of }: { port: number }) => {
		if (of === port) reports++;
	};
	const closed = await watchClosedConnections(count, findAffinity(), bench.janitor);
	assert.ok(closed);
	const first = closed.pid;
	connectTo(port, 3);
	assert.equal(await closed.settle(), 'told');
	assert.equal(reports, 3);
	assert.equal(closed.losses, 0);
	// Nothing reads meanwhile, as on a busy machine.
	process.kill(first, 'SIGSTOP');
	connectTo(port, 20_000);
	process.kill(first, 'SIGCONT');
	assert.equal(await closed.settle(), 'told');
	assert.ok(reports < 20_003, `${reports} were told`);
	assert.equal(closed.losses, 1);
	assert.notEqual(closed.pid, first);
	reports = 0;
	connectTo(port, 3);
	assert.equal(await closed.settle(), 'told');
	assert.equal(reports, 3);
	await closed.close();
});

test('an ss without the right to ask the kernel is started once, and abandoned at once', LINUX, async (t) => {
	await using bench = await createBench();
	const folder = mkdtempSync(join(tmpdir(), 'benchgate-ss-'));
	const path = process.env.PATH ?? '';
	t.after(() => {
		process.env.PATH = path;
		rmSync(folder, { recursive: true });
	});
	const runs = join(folder, 'runs');
	const refusing = `#!/bin/sh\necho run >>'${runs}'\necho 'Cannot open netlink socket: Protocol not supported' >&2\nexit 255\n`;
	writeFileSync(join(folder, 'ss'), refusing, { mode: 0o755 });
	process.env.PATH = [folder, path].join(delimiter);
	assert.equal(await watchClosedConnections(() => {}, findAffinity(), bench.janitor), null);
	assert.equal(readFileSync(runs, 'utf8'), 'run\n');
});
