import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createProcessList, listTree, listTrees } from '../../src/process/process-tree.ts';

/** An imitation of /proc in which processes start, change and end. */
function makeProc(t: TestContext) {
	const proc = mkdtempSync(join(tmpdir(), 'benchgate-proc-'));
	t.after(() => rmSync(proc, { recursive: true }));
	writeFileSync(join(proc, 'stat'), 'cpu 1 2 3\n');
	const write = (folder: string, pid: number, parent: number, group: number, state = 'S') =>
		writeFileSync(join(folder, 'stat'), `${pid} (a) Z 7 (b) ${state} ${parent} ${group} ${group} 0 -1 4194560\n`);
	const bear = (pid: number, parent: number, group: number, state?: string) => {
		// Made beside the previous process of that number, so that the two differ.
		const made = join(proc, `${pid}-new`);
		mkdirSync(made);
		write(made, pid, parent, group, state);
		rmSync(join(proc, String(pid)), { recursive: true, force: true });
		renameSync(made, join(proc, String(pid)));
	};
	return {
		bear,
		change: (pid: number, parent: number, group: number) => write(join(proc, String(pid)), pid, parent, group),
		end: (pid: number) => rmSync(join(proc, String(pid)), { recursive: true }),
		list: createProcessList(proc),
	};
}

const familyOf = (all: ReturnType<ReturnType<typeof createProcessList>>) =>
	Object.fromEntries([...all].map(([pid, { parent, group }]) => [pid, [parent, group]]));

test('a process is read once, and again if its parent has ended or its number was reused', (t) => {
	const { bear, change, end, list } = makeProc(t);
	bear(1, 0, 1);
	bear(10, 1, 10);
	bear(11, 10, 10);
	assert.deepEqual(familyOf(list()), { 1: [0, 1], 10: [1, 10], 11: [10, 10] });
	change(11, 1, 10);
	assert.deepEqual(familyOf(list())[11], [10, 10], 'its parent lives, so it has no other');
	end(10);
	assert.deepEqual(familyOf(list()), { 1: [0, 1], 11: [1, 10] });
	change(11, 12, 12);
	bear(12, 11, 12);
	assert.deepEqual(familyOf(list()), { 1: [0, 1], 11: [1, 10], 12: [11, 12] });
	bear(11, 1, 11);
	change(12, 1, 12);
	assert.deepEqual(
		familyOf(list()),
		{ 1: [0, 1], 11: [1, 11], 12: [1, 12] },
		'its parent is not who has the number now',
	);
});

test('zombies are not listed, and a missing folder gives an empty list', (t) => {
	const { bear, list } = makeProc(t);
	bear(1, 0, 1);
	bear(10, 1, 10, 'Z');
	assert.deepEqual(familyOf(list()), { 1: [0, 1] });
	assert.equal(createProcessList('/no/such/folder')().size, 0);
});

test('a tree has processes started since the last look, and no ended ones', async (t) => {
	if (process.platform !== 'linux') return t.skip('needs /proc');
	const script = 'read a; sleep 300 & read a; kill $!; wait; read a';
	const shell = spawn('/bin/sh', ['-c', script], { stdio: ['pipe', 'ignore', 'inherit'] });
	t.after(() => shell.kill('SIGKILL'));
	const pid = shell.pid as number;
	const until = async (size: number) => {
		while (listTree(pid).length !== size) await delay(5);
		assert.deepEqual(listTrees({ base: { pid }, head: process }), { base: listTree(pid), head: listTree(process.pid) });
	};
	await until(1);
	shell.stdin.write('\n');
	await until(2);
	assert.ok(listTree(process.pid).length >= 3);
	shell.stdin.write('\n');
	await until(1);
	shell.stdin.end('\n');
	await once(shell, 'exit');
	assert.deepEqual(listTree(pid), []);
});
