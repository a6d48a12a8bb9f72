/** The commands before and after each process of a server. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { isFaults } from '../../src/measure/fresh-pair.ts';
import { nameSlots, startPair } from '../../src/measure/pair.ts';
import { StartFailure, type StartOptions, startServer } from '../../src/measure/server-process.ts';
import { findMarked } from '../../src/process/processes.ts';
import type { CustomServer } from '../../src/types/config.ts';
import type { Prepared, PreparedServer, PreparedSide } from '../../src/types/prepared.ts';
import type { Fault } from '../../src/types/round.ts';
import type { Side } from '../../src/types/units.ts';
import { listen } from '../support/servers/http-server.ts';
import { type Bench, createBench } from '../support/servers/servers.ts';

const PATIENCE_MS = 30_000;

/** A server of a shell with hooks; `$notes` is a file that all of them can write to. */
function withHooks(
	bench: Bench,
	hooks: StartOptions['hooks'],
	{ shell = 'exec node behaviour.mjs', timeoutSeconds = 30, env = {} } = {},
): { options: StartOptions; notes(): string[] } {
	const options = bench.options('head', '', timeoutSeconds);
	const notes = join(bench.folder, 'notes');
	return {
		options: {
			...options,
			...(hooks && { hooks }),
			server: { ...options.server, run: { shell }, env: { ...options.server.env, notes, ...env } },
		},
		// The shell makes the file before it writes into it.
		notes: () =>
			existsSync(notes)
				? readFileSync(notes, 'utf8')
						.split('\n')
						.filter((line) => line !== '')
				: [],
	};
}

async function faultOf(start: Promise<unknown>): Promise<Fault> {
	try {
		await start;
	} catch (error) {
		if (error instanceof StartFailure) return error.fault;
		throw error;
	}
	assert.fail('the server came up');
}

/** A side whose one server is a program of a shell. */
function sideWith(side: Side, server: PreparedServer): PreparedSide {
	const shell = { ...server, run: { shell: 'exec node behaviour.mjs' }, env: { ...server.env, SLOT: '${slot}' } };
	return {
		side,
		info: { revision: side, kind: 'dir', label: side, versions: {} },
		servers: { [server.name]: shell },
	};
}

async function until(holds: () => boolean): Promise<boolean> {
	for (const due = performance.now() + PATIENCE_MS; !holds() && performance.now() < due; ) await delay(20);
	return holds();
}

function leftOf({ janitor }: Bench): number[] {
	return findMarked(`${janitor.marker.name}=${janitor.marker.value}`);
}

test('start is run before the process and stop after it, with its port, slot and folder', async () => {
	await using bench = await createBench();
	const says = 'echo "$STEP ${port} $PORT ${slot} $DB $(cat "${data}/db")" >> "$notes"';
	const { options, notes } = withHooks(
		bench,
		{ start: `echo made > "\${data}/db"\nSTEP=start; ${says}`, stop: `STEP=stop; ${says}` },
		{ shell: `STEP=server; ${says}; exec node behaviour.mjs`, env: { DB: 'of_${slot}_${port}' } },
	);
	const server = await startServer(options);
	assert.deepEqual(
		notes().map((line) => line.split(' ')[0]),
		['start', 'server'],
	);
	await server.stop();
	const rest = `${server.port} ${server.port} slot_of_head of_slot_of_head_${server.port} made`;
	assert.deepEqual(notes(), [`start ${rest}`, `server ${rest}`, `stop ${rest}`]);
	assert.equal(server.untidy.stopFailed, null);
	assert.equal(server.untidy.escaped, 0);
});

test('a failing start command is a fault with its last lines; the server is not started, and stop runs', async () => {
	await using bench = await createBench();
	const { options, notes } = withHooks(
		bench,
		{ start: 'echo "no such role" >&2\nfalse\necho never >> "$notes"', stop: 'echo stop >> "$notes"' },
		{ shell: 'echo server >> "$notes"; exec node behaviour.mjs' },
	);
	assert.deepEqual(await faultOf(startServer(options)), {
		code: 'start-failed',
		side: 'head',
		message: 'the start command of the head server fixture failed: exit code 1; it printed: no such role',
	});
	assert.deepEqual(notes(), ['stop']);
	assert.deepEqual(leftOf(bench), []);
});

test('a start command that exceeds its time is ended', async () => {
	await using bench = await createBench();
	const { options } = withHooks(bench, { start: 'echo thinking; sleep 300' }, { timeoutSeconds: 1 });
	const { code, message } = await faultOf(startServer(options));
	assert.equal(code, 'start-failed');
	assert.match(message, /failed: did not end within 1 s; it printed: thinking$/);
	assert.ok(await until(() => leftOf(bench).length === 0));
});

test('processes that start leaves running live as long as the server', async () => {
	await using bench = await createBench();
	const { options } = withHooks(bench, { start: 'sleep 300 & setsid sleep 301 &', stop: 'sleep 0' });
	const server = await startServer(options);
	const sleeping = () =>
		leftOf(bench).filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('sleep'));
	assert.equal(sleeping().length, 2);
	await server.stop();
	assert.equal(server.untidy.escaped, 2);
	assert.ok(await until(() => leftOf(bench).length === 0));
});

test('a failing stop command is noted, with its last lines', async () => {
	await using bench = await createBench();
	const { options } = withHooks(bench, { stop: 'echo "is being accessed by other users"; exit 3' });
	const server = await startServer(options);
	await server.stop();
	assert.equal(server.untidy.stopFailed, 'exit code 3; it printed: is being accessed by other users');
});

test('an interrupted run ends start, and runs stop', async () => {
	await using bench = await createBench();
	const { options, notes } = withHooks(bench, {
		start: 'echo start >> "$notes"; sleep 300',
		stop: 'echo stop >> "$notes"',
	});
	const start = startServer(options);
	const rejected = assert.rejects(start, /interrupted/);
	assert.ok(await until(() => notes().length > 0));
	bench.controller.abort(new Error('interrupted'));
	await rejected;
	assert.deepEqual(notes(), ['start', 'stop']);
	assert.ok(await until(() => leftOf(bench).length === 0));
});

test('a start on another port, because the first was taken, runs everything anew', async () => {
	await using bench = await createBench();
	await using taken = await listen(createServer((socket) => socket.destroy()));
	const port = Number(new URL(taken.origin).port);
	const { options, notes } = withHooks(bench, {
		start: 'echo "start ${port}" >> "$notes"; mkdir "${data}/once"',
		stop: 'echo "stop ${port}" >> "$notes"',
	});
	const server = await startServer({ ...options, port });
	await server.stop();
	assert.deepEqual(notes(), [`start ${port}`, `stop ${port}`, `start ${server.port}`, `stop ${server.port}`]);
});

test('base and head have different slots, by their places in the pair', async () => {
	await using bench = await createBench();
	const { server, ...options } = bench.options('base');
	const prepared: Prepared = {
		sides: { base: sideWith('base', server), head: sideWith('head', server) },
		warnings: [],
		installs: 0,
	};
	const notes = join(bench.folder, 'notes');
	const spec: CustomServer = {
		...{ kind: 'custom', name: server.name, command: '', cwd: '.', env: {} },
		start: `echo "$(basename "$TMPDIR") \${slot}" >> '${notes}'`,
		ready: { timeoutSeconds: 30 },
	};
	const context = { ...options, slots: ['slot_one', 'slot_two'] } as const;
	const pair = await startPair(spec, prepared, { startFirst: 'base', slot: { base: 1, head: 0 } }, context);
	assert.ok(!isFaults(pair));
	assert.deepEqual(readFileSync(notes, 'utf8').trimEnd().split('\n').toSorted(), ['t slot_one', 't slot_two']);
	const slotOf = (pid: number) => /\0SLOT=([^\0]*)/.exec(readFileSync(`/proc/${pid}/environ`, 'utf8'))?.[1];
	assert.deepEqual([slotOf(pair.base.pid), slotOf(pair.head.pid)], ['slot_two', 'slot_one']);
	await pair[Symbol.asyncDispose]();
});

test('slots have equal lengths, are names in SQL, and reveal nothing about each other', () => {
	const names = Array.from({ length: 20 }, () => nameSlots()).flat();
	assert.equal(new Set(names).size, 40);
	for (const name of names) assert.match(name, /^[a-z][a-z0-9_]{14}$/);
});
