/** Control groups with real processes: CPU time of ended processes, an atomic kill, nothing left behind. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import {
	enterControlGroup,
	holdControlGroup,
	killControlGroup,
	listGroupThreads,
	openControlGroup,
	readGroupTime,
	removeControlGroup,
} from '../../src/process/users/control-group.ts';
import type { ControlGroup } from '../../src/types/run-services.ts';

async function openOrSkip(t: TestContext): Promise<ControlGroup | null> {
	const group = await openControlGroup(process.getuid?.() === 0 ? 'root' : null);
	if (group === null) t.skip('cgroup v2 cannot be written here');
	else t.after(() => removeControlGroup(group));
	return group;
}

/** Uses about this much CPU time. */
const BURN =
	'const until = process.cpuUsage().user + Number(process.argv[1]) * 1e3; while (process.cpuUsage().user < until);';

test('the CPU time of ended orphans is counted', async (t) => {
	const group = await openOrSkip(t);
	if (group === null) return;
	const before = readGroupTime(group.path) ?? Number.NaN;
	const script = '("$0" -e "$1" 200 &) ; exit 0';
	const [program = '', ...args] = [...enterControlGroup(group), '/bin/sh', '-c', script, process.execPath, BURN];
	spawnSync(program, args, { stdio: 'ignore' });
	while (listGroupThreads(group.path).length > 0) await delay(10);
	assert.ok((readGroupTime(group.path) ?? 0) - before > 0.15);
});

test('a kill reaches the whole group, which can then be removed with the groups below it', async (t) => {
	const group = await openOrSkip(t);
	if (group === null) return;
	const [program = '', ...args] = [...enterControlGroup(group), '/bin/sh', '-c', 'setsid sleep 60 & sleep 60'];
	const child = spawn(program, args, { stdio: 'ignore' });
	while (listGroupThreads(group.path).length < 2) await delay(10);
	mkdirSync(join(group.path, 'below'));
	writeFileSync(join(group.path, 'below', 'cgroup.procs'), String(listGroupThreads(group.path).at(-1)));
	assert.ok(listGroupThreads(group.path).length >= 2, 'groups below it count');
	const exited = once(child, 'exit');
	killControlGroup(group);
	await exited;
	await removeControlGroup(group);
	assert.equal(existsSync(group.path), false);
});

test('a group that was held to a CPU may use all CPUs again', async (t) => {
	const group = await openOrSkip(t);
	if (group === null) return;
	const file = join(group.path, 'cpuset.cpus');
	if (!existsSync(file)) return t.skip('no cpuset controller here');
	holdControlGroup(group, [0]);
	assert.equal(readFileSync(file, 'utf8').trim(), '0');
	holdControlGroup(group, null);
	assert.equal(readFileSync(file, 'utf8').trim(), '');
});
