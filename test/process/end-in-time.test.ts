/** What holds the output of a program is ended with it: who reads it would wait for that. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { execa } from 'execa';
import { LATE, within } from '../../src/process/deadline.ts';
import { endInTime } from '../../src/process/end-in-time.ts';
import { readText } from '../../src/process/process-tree.ts';
import { until } from '../support/cli.ts';

const LINUX = { skip: process.platform !== 'linux' && 'only Linux tells what a process has started' };
const PATIENCE_MS = 60_000;
const LONG_MS = 300_000;

/** A shell with a child that has its output and writes its number into a file. */
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

test('what is given up ends with what it has started', LINUX, async (t) => {
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

test('what does not heed SIGTERM is killed when its time is up, and that is said', LINUX, async (t) => {
	const { running } = start(t, 'trap "" TERM; echo $$ >$FILE; sleep 300 & wait; sleep 300');
	const end = await within(PATIENCE_MS, endInTime(running, { ms: 500 }));
	assert.ok(end !== LATE, 'the child has the output');
	assert.equal(end.timedOut, true);
});

test('what ends in time is left alone', async () => {
	const { outcome, timedOut } = await endInTime(execa('/bin/sh', ['-c', 'echo said']), { ms: LONG_MS });
	assert.deepEqual([outcome.stdout, timedOut], ['said', false]);
});
