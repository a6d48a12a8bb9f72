/** The end of a process that cannot be killed, such as one that waits for a device. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { within } from '../../src/process/deadline.ts';
import { endGroup } from '../../src/process/users/end-group.ts';
import { SAME_USER } from '../../src/process/users/same-user.ts';

const PATIENCE_MS = 30_000;

test('a process that no signal ends is abandoned after some seconds, and reported', async (t) => {
	const child = spawn('sleep', ['300'], { detached: true, stdio: 'ignore' });
	t.after(() => child.kill('SIGKILL'));
	const sent: string[] = [];
	const user = { ...SAME_USER, signalGroup: (_pid: number, signal: string) => void sent.push(signal) };
	const ended = endGroup(user, child.pid ?? 0, new Promise(() => {}));
	assert.deepEqual(await within(PATIENCE_MS, ended), { hungOnTerm: true, survived: true });
	assert.deepEqual(sent, ['SIGTERM', 'SIGKILL']);
});
