/** Round trips of a real process with a real peer, counted by the kernel. */
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { findAffinity } from '../../../src/measure/affinity.ts';
import { watchPeers } from '../../../src/measure/connections/count-peers.ts';
import { enterOwnNetwork } from '../../support/own-network.ts';
import { createBench } from '../../support/servers/servers.ts';
import { LINUX } from '../connections/foreign-connections.ts';

// This many connections would disturb concurrent tests.
enterOwnNetwork(fileURLToPath(import.meta.url));

const PEER = `const { createServer } = require('node:net');
const server = createServer((socket) => socket.setNoDelay().on('error', () => {}).on('data', () => socket.write('1234567')));
server.listen(0, '127.0.0.1', () => console.log(server.address().port));`;

/** Answers `KIND COUNT` after so many round trips: over one connection, or with one for each. */
const CLIENT = `const { connect } = require('node:net');
const { once } = require('node:events');
const open = async () => {
	const socket = connect(Number(process.argv[1]), '127.0.0.1').setNoDelay();
	await once(socket, 'connect');
	return socket;
};
const exchange = async (socket) => {
	socket.write('12345');
	await once(socket, 'data');
};
open().then(async (lasting) => {
	console.log('ready');
	for await (const line of require('node:readline').createInterface({ input: process.stdin })) {
		const [kind, count] = line.split(' ');
		for (let at = 0; at < Number(count); at++) {
			const socket = kind === 'lasting' ? lasting : await open();
			await exchange(socket);
			if (socket !== lasting) {
				// Like a connection to a database, it lasts for some milliseconds.
				await new Promise((resolve) => setTimeout(resolve, 10));
				socket.end();
				await once(socket, 'close');
			}
		}
		console.log('done');
	}
});`;

interface Started {
	readonly child: ChildProcess;
	readonly lines: Interface;
	readonly first: string;
}

async function start(t: TestContext, script: string, ...args: readonly string[]): Promise<Started> {
	const child = spawn(process.execPath, ['-e', script, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
	t.after(() => child.kill('SIGKILL'));
	const lines = createInterface({ input: child.stdout });
	const [first] = (await once(lines, 'line')) as [string];
	return { child, lines, first };
}

test('counts round trips and bytes over lasting and short connections, of one process alone', LINUX, async (t) => {
	await using bench = await createBench();
	const { first: port } = await start(t, PEER);
	const client = await start(t, CLIENT, port);
	const other = await start(t, CLIENT, port);
	const order = async ({ child, lines }: Started, kind: 'lasting' | 'short', count: number) => {
		const done = once(lines, 'line');
		child.stdin?.write(`${kind} ${count}\n`);
		await done;
	};
	const server = { pid: client.child.pid ?? 0, port: 1, uid: null };
	const watch = await watchPeers(server, { affinity: findAffinity(), janitor: bench.janitor });
	assert.ok(watch, 'ss reports nothing');
	try {
		const address = `127.0.0.1:${port}`;
		await watch.begin();
		await Promise.all([order(client, 'lasting', 204), order(other, 'lasting', 50)]);
		const { peers, unseen } = await watch.end();
		const [peer] = peers;
		assert.deepEqual(
			[peers.length, peer?.address, peer?.roundTrips, peer?.bytesSent, peer?.bytesReceived, unseen],
			[1, address, 204, 1020, 1428, []],
		);

		await watch.begin();
		other.child.kill();
		await order(client, 'short', 20);
		const [short] = (await watch.end()).peers;
		assert.deepEqual([short?.address, short?.roundTrips, short?.bytesSent], [address, 20, 100]);
	} finally {
		await watch.close();
	}
});

test('finds a peer of short connections alone', LINUX, async (t) => {
	await using bench = await createBench();
	const { first: port } = await start(t, PEER);
	const script = CLIENT.replace("console.log('ready');", "lasting.end(); console.log('ready');");
	const client = await start(t, script, port);
	const order = async (count: number) => {
		const done = once(client.lines, 'line');
		client.child.stdin?.write(`short ${count}\n`);
		await done;
	};
	const server = { pid: client.child.pid ?? 0, port: 1, uid: null };
	const watch = await watchPeers(server, { affinity: findAffinity(), janitor: bench.janitor });
	assert.ok(watch, 'ss reports nothing');
	try {
		await watch.learn(() => order(200));
		await watch.begin();
		await order(25);
		const { peers } = await watch.end();
		assert.deepEqual(
			peers.map(({ address, roundTrips }) => [address, roundTrips]),
			[[`127.0.0.1:${port}`, 25]],
		);
	} finally {
		await watch.close();
	}
});

/** Opens and closes so many connections. */
const STORM = `const { connect } = require('node:net');
let left = Number(process.argv[2]);
const next = () => {
	if (left-- > 0) connect(Number(process.argv[1]), '127.0.0.1', function () { this.resetAndDestroy(); }).on('close', next);
	else console.log('done');
};
next();`;

test('more ended connections than the kernel reports are noted until the next count', LINUX, async (t) => {
	await using bench = await createBench();
	const { first: port } = await start(t, PEER);
	const client = await start(t, CLIENT, port);
	const server = { pid: client.child.pid ?? 0, port: 1, uid: null };
	const watch = await watchPeers(server, { affinity: findAffinity(), janitor: bench.janitor });
	assert.ok(watch, 'ss reports nothing');
	const storm = async () => {
		const watcher = Number(execFileSync('pgrep', ['-P', `${process.pid}`, '-x', 'ss'], { encoding: 'utf8' }));
		process.kill(watcher, 'SIGSTOP');
		await start(t, STORM, port, '20000');
		process.kill(watcher, 'SIGCONT');
	};
	try {
		// A loss before the count does not concern it.
		await storm();
		await watch.begin();
		const quiet = await watch.end();
		assert.deepEqual([quiet.isLossy, quiet.unseen], [false, []]);
		await watch.begin();
		await storm();
		const lossy = await watch.end();
		assert.equal(lossy.isLossy, true);
		assert.match(lossy.unseen.join(), /^connections to other programs that ended, because/);
		await watch.begin();
		assert.equal((await watch.end()).isLossy, false);
	} finally {
		await watch.close();
	}
});
