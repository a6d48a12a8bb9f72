/** A side's process group, ended by root. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { LATE, within } from '../../src/process/deadline.ts';
import { readText } from '../../src/process/process-tree.ts';
import { signalGroupOf } from '../../src/process/users/user-processes.ts';
import { until } from '../support/cli.ts';

const PATIENCE_MS = 60_000;
/** Number of the system call that ends one thread. */
const EXIT = process.arch === 'arm64' ? 93 : 60;
/** Its first thread ends and another one lives on: /proc reports that as a zombie too. */
const HEADLESS = `
import ctypes, threading, time
threading.Thread(target=time.sleep, args=(600,)).start()
ctypes.CDLL(None).syscall(${EXIT}, 0)
`;

test('a process that only looks dead is killed', async (t) => {
	const child = spawn('python3', ['-c', HEADLESS], { detached: true, stdio: 'ignore' });
	t.after(() => child.kill('SIGKILL'));
	const exited = once(child, 'exit');
	const pid = child.pid ?? 0;
	await until('the end of its first thread', () => /^State:\s+Z/m.test(readText(`/proc/${pid}/status`) ?? ''));
	const uid = process.getuid?.() ?? 0;
	signalGroupOf({ uid, privilege: uid === 0 ? 'root' : 'sudo', setpriv: 'setpriv' }, pid, 'SIGKILL');
	const ended = await within(PATIENCE_MS, exited);
	assert.ok(ended !== LATE, 'it lives');
	assert.equal(ended[1], 'SIGKILL');
});
