/** A turn whose window comes from another program: programs of our own under their names, before them on PATH. */
import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { runDriver, withDriver } from '../../../src/measure/drivers/run-driver.ts';
import { type Generator, TurnFailed } from '../../../src/measure/generator-process.ts';
import { isUserError, type UserError } from '../../../src/types/errors.ts';
import type { OtherDriver } from '../../../src/types/ranking/ranking-setup.ts';
import { listen } from '../../support/servers/http-server.ts';
import { createBench } from '../../support/servers/servers.ts';

/** Puts a shell script on PATH in place of a driver. */
function pretend(t: TestContext, driver: OtherDriver, script: string): void {
	const folder = mkdtempSync(join(tmpdir(), 'benchgate-driver-'));
	writeFileSync(join(folder, driver), `#!/bin/sh\n${script}\n`);
	chmodSync(join(folder, driver), 0o755);
	const path = process.env.PATH;
	process.env.PATH = `${folder}${delimiter}${path}`;
	t.after(() => {
		process.env.PATH = path;
		rmSync(folder, { recursive: true, force: true });
	});
}

const request = { method: 'GET', path: '/', headers: {} };
const load = { connections: 3, pipelining: 1 };

/** Makes the driver load this very process. */
async function run(driver: OtherDriver, slackMs?: number) {
	await using listening = await listen(createServer((_, answer) => answer.end('{}')));
	await using bench = await createBench();
	const target = { origin: listening.origin, pid: process.pid, request };
	const order = { target, side: 'head' as const, load, seconds: 1, statuses: [200], runStartedAt: Date.now() };
	// Its resources are disposed of at the end of this function, so its end is awaited here.
	const window = await runDriver(driver, order, bench.affinity, bench.janitor, bench.controller.signal, slackMs);
	return window;
}

async function failureOf(driver: OtherDriver, slackMs?: number): Promise<UserError> {
	try {
		await run(driver, slackMs);
	} catch (error) {
		if (isUserError(error)) return error;
		throw error;
	}
	assert.fail('it did not fail');
}

const TOLD = {
	...{ requests: 1_000, failed: 0, bytes: 50_000, milliseconds: 1_000, least: 1, most: 3 },
	statuses: [
		[0, 0],
		[200, 1_000],
	],
	points: Array.from({ length: 1_000 }, () => 2),
};

test('only the part between the marks of a program is counted', async (t) => {
	// It works hard before it begins, and hardly from then on.
	const busy = 'i=0; while [ $i -lt 400000 ]; do i=$((i + 1)); done';
	const marked = 'echo benchgate-began >&2; sleep 0.5; echo benchgate-ended >&2';
	pretend(t, 'k6', `${busy}; ${marked}; echo '${JSON.stringify(TOLD)}'`);
	const { head, generatorUtilisation, generatorCpuSeconds } = await run('k6');
	assert.equal(head?.completed, 1_000);
	assert.deepEqual(head?.statuses, { 200: 1_000 });
	assert.ok(generatorCpuSeconds < 0.1, `${generatorCpuSeconds} s`);
	assert.ok(generatorUtilisation < 0.1);
});

test('a failing program is reported with its error', async (t) => {
	pretend(t, 'wrk', 'echo "unable to connect" >&2; exit 3');
	const { code, message, details, where } = await failureOf('wrk');
	assert.deepEqual([code, message, where], ['driver-failed', 'wrk ended with exit code 3', '--driver wrk']);
	assert.match(details ?? '', /unable to connect/);
});

test('a program without readable output is reported', async (t) => {
	pretend(t, 'wrk', 'echo "Requests/sec: many"');
	const { message, details } = await failureOf('wrk');
	assert.equal(message, 'wrk ended without a result');
	assert.match(details ?? '', /many/);
});

test('a program that does not end is ended', async (t) => {
	pretend(t, 'k6', 'exec sleep 600');
	const { message } = await failureOf('k6', -1_500);
	assert.match(message, /^k6 did not end within \d+ s$/);
});

test('the memory of a server is read once a program has loaded it, and of no other', async (t) => {
	pretend(t, 'k6', `echo benchgate-began >&2; echo benchgate-ended >&2; echo '${JSON.stringify(TOLD)}'`);
	await using bench = await createBench();
	const unknown = { base: null, head: null };
	const inner = {
		pid: process.pid,
		close: async () => {},
		runTurn: async () => ({ windows: [], memoryPeak: unknown, memoryAfterLoad: unknown }),
	} as unknown as Generator;
	const order = {
		turn: { cell: 'app/ping', clientFirst: 'head', windowFirst: 'head', soloFirst: 'head', only: 'head' },
		targets: { head: { origin: 'http://127.0.0.1:1', pid: process.pid, request } },
		...{ load, timing: { soloSeconds: 1 }, statuses: [200], runStartedAt: Date.now() },
	} as unknown as Parameters<Generator['runTurn']>[0];
	const generator = withDriver('k6', inner, bench.affinity, bench.janitor);
	const { memoryAfterLoad, memoryPeak } = await generator.runTurn(order, bench.controller.signal);
	assert.equal(memoryAfterLoad.base, null);
	assert.ok((memoryAfterLoad.head ?? 0) > 20e6);
	assert.ok((memoryPeak.head ?? 0) > 20e6);
});

test('a server that ends under the load of a program fails only that turn', async (t) => {
	pretend(t, 'wrk', 'exec sleep 600');
	await using bench = await createBench();
	const inner = {
		pid: process.pid,
		close: async () => {},
		runTurn: async () => ({ windows: [], memoryPeak: { base: null, head: null } }),
	} as unknown as Generator;
	const generator = withDriver('wrk', inner, bench.affinity, bench.janitor);
	const order = {
		turn: { cell: 'app/ping', clientFirst: 'head', windowFirst: 'head', soloFirst: 'head', only: 'head' },
		targets: { head: { origin: 'http://127.0.0.1:1', pid: process.pid, request } },
		...{ load, timing: { soloSeconds: 60 }, statuses: [200], runStartedAt: Date.now() },
	} as unknown as Parameters<Generator['runTurn']>[0];
	const ended = new AbortController();
	setTimeout(() => ended.abort('a server ended under load'), 200);
	await assert.rejects(generator.runTurn(order, ended.signal), TurnFailed);
});
