/** Every process that holds the output of an ended program is ended too: readers would wait for it. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { execa } from 'execa';
import { LATE, within } from '../../src/process/deadline.ts';
import { readText } from '../../src/process/process-tree.ts';
import { endInTime } from '../../src/process/processes.ts';
import { until } from '../support/cli.ts';

const LINUX = { skip: process.platform !== 'linux' && 'only Linux tells what a process has started' };
const PATIENCE_MS = 60_000;
const LONG_MS = 300_000;

/** A shell with a child that holds its output and writes its process id into a file. */
function start(t: TestContext, child: string) {
	const folder = mkdtempSync(join(tmpdir(), 'benchgate-end-'));
	t.after(() => rmSync(folder, { recursive: true }));
	const file = join(folder, 'pid');
	const running = execa('/bin/sh', ['-c', `sh -c '${child}' & wait`], { reject: false, env: { FILE: file } });
	t.after(() => running.kill('SIGKILL'));
	const pid = async () => {
		await until('the child', () => /\n$/.test(readText(file) ?? ''));
		return Number(readFileSync(file, 'utf8'));
	};
	return { running, pid };
}

test('an abandoned program ends with its descendants', LINUX, async (t) => {
	const { running, pid } = start(t, 'echo $$ >$FILE; exec sleep 300');
	const run = new AbortController();
	const ended = endInTime(running, { ms: LONG_MS, signal: run.signal });
	const child = await pid();
	run.abort();
	const end = await within(PATIENCE_MS, ended);
	assert.ok(end !== LATE, 'the child has the output');
	assert.deepEqual([end.timedOut, end.outcome.failed], [false, true]);
	assert.equal(readText(`/proc/${child}/cmdline`)?.includes('sleep') ?? false, false);
});

test('a program that ignores SIGTERM is killed after its time, and that is reported', LINUX, async (t) => {
	const { running } = start(t, 'trap "" TERM; echo $$ >$FILE; sleep 300 & wait; sleep 300');
	const end = await within(PATIENCE_MS, endInTime(running, { ms: 500 }));
	assert.ok(end !== LATE, 'the child has the output');
	assert.equal(end.timedOut, true);
});

test('a program that ends in time is not touched', async () => {
	const { outcome, timedOut } = await endInTime(execa('/bin/sh', ['-c', 'echo said']), { ms: LONG_MS });
	assert.deepEqual([outcome.stdout, timedOut], ['said', false]);
});
