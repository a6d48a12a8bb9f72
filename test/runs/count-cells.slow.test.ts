/** Gated counts of real servers with a real peer. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { decide } from '../../src/judge/decide.ts';
import { countCells } from '../../src/runs/count-cells.ts';
import type { MetricName } from '../../src/types/metric.ts';
import type { Round } from '../../src/types/round.ts';
import { LINUX } from '../measure/connections/foreign-connections.ts';
import { scriptPlan } from '../support/rounds.ts';
import { CELL, visitPairs } from './explain/planted.ts';

const PEER = `const server = require('node:net').createServer((socket) => socket.on('error', () => {}).pipe(socket));
server.listen(0, '127.0.0.1', () => console.log(server.address().port));`;

/** Asks the peer once per request, once more each `more`th time, and over a short connection when it is stopped. */
const clientOf = (port: string, more: number) => `import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
const socket = connect(${port}, '127.0.0.1').setNoDelay();
await once(socket, 'connect');
let requestCount = 0;
async function ask(peer = socket) {
	peer.write('?');
	await once(peer, 'data');
}
async function answer(request, response) {
	await ask();
	if (requestCount++ % ${more} === 0) await ask();
	response.setHeader('content-type', 'application/json').end('{"ok":true}');
}
createServer(answer).listen(Number(process.env.PORT), '127.0.0.1');
process.once('SIGTERM', async () => {
	const last = connect(${port}, '127.0.0.1').setNoDelay();
	for (let time = 0; time < 8; time++) await ask(last);
	last.end(() => process.exit(0));
});
`;
const pythonOf = (port: string, more: number) => `import os, socket, threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
peer = socket.create_connection(('127.0.0.1', ${port}))
peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
lock, requestCount = threading.Lock(), 0
def ask():
    peer.sendall(b'?')
    peer.recv(1)
class Answer(BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    wbufsize = -1
    disable_nagle_algorithm = True
    def do_GET(self):
        global requestCount
        with lock:
            ask()
            if requestCount % ${more} == 0: ask()
            requestCount += 1
        self.send_response(200)
        self.send_header('content-type', 'application/json')
        self.send_header('content-length', '11')
        self.end_headers()
        self.wfile.write(b'{"ok":true}')
    def log_message(self, *rest): pass
ThreadingHTTPServer(('127.0.0.1', int(os.environ['PORT'])), Answer).serve_forever()
`;
const NEVER = 1_000_000_007;
const METRICS: readonly MetricName[] = ['throughput', 'round-trips', 'calls', 'bytes-allocated'];
const exact = { threshold: 0, tolerance: 0 };
const PLAN = {
	...scriptPlan([], { metrics: METRICS, margins: { 'round-trips': exact, calls: exact, 'bytes-allocated': exact } }),
	cells: [CELL],
};

async function startPeer(t: TestContext): Promise<string> {
	const child = spawn(process.execPath, ['-e', PEER], { stdio: ['ignore', 'pipe', 'inherit'] });
	t.after(() => child.kill('SIGKILL'));
	const [port] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
	return port;
}

function verdictsOf(round: Round | null, plan = PLAN) {
	const { rows } = decide(plan, round ? [round] : [], 'decided');
	return plan.metrics.slice(1).map((metric) => rows.find((row) => row.metric === metric)?.verdict);
}

test('one round trip more in one of 50 requests is red, and the same code is not', LINUX, async (t) => {
	const port = await startPeer(t);
	const same = { app: clientOf(port, Number.POSITIVE_INFINITY) };
	const pairs = [
		{ base: same, head: same },
		{ base: same, head: { app: clientOf(port, 50) } },
	];
	const rounds = await visitPairs(pairs, ({ laboratory, config }) =>
		countCells([CELL], { plan: PLAN, config, laboratory, startedAt: Date.now() }, () => {}),
	);
	const [equal, more] = rounds;
	assert.deepEqual(verdictsOf(equal ?? null), ['unchanged', 'unchanged', 'unchanged'], JSON.stringify(equal));
	assert.deepEqual(verdictsOf(more ?? null), ['regressed', 'regressed', 'regressed'], JSON.stringify(more));
	const trips = more?.cells[0]?.counted?.map(({ base, head }) => [base.roundTrips, head.roundTrips]);
	assert.deepEqual(
		trips,
		Array.from({ length: 3 }, () => [1, 1.02]),
	);
});

test('the same is found in a service that is not JavaScript', LINUX, async (t) => {
	const port = await startPeer(t);
	const plan = { ...PLAN, metrics: METRICS.slice(0, 2) };
	const pair = { base: { python: pythonOf(port, NEVER) }, head: { python: pythonOf(port, 50) } };
	const [more] = await visitPairs([pair], ({ laboratory, config }) =>
		countCells([CELL], { plan, config, laboratory, startedAt: Date.now() }, () => {}),
	);
	assert.deepEqual(verdictsOf(more ?? null, plan), ['regressed'], JSON.stringify(more));
});
