/**
 * A control group (cgroup v2) that all processes of one side run in. The kernel adds up the CPU time of a group, also of processes
 * that have ended, and ends a group at one moment. Neither needs a controller. Source: the kernel's Documentation/admin-guide/cgroup-v2.rst.
 */
import { randomBytes } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { shellWord } from '../../text/shell-word.ts';
import type { ControlGroup } from '../../types/run-services.ts';
import type { Seconds } from '../../types/units.ts';
import { readFolder, readText } from '../process-tree.ts';
import { type Privilege, runAsRoot, tryAsRoot } from './run-as-root.ts';

const MICROSECONDS = 1e6;
const NAME = 'benchgate-';
/** Controllers that are used where the machine offers them. */
const CONTROLLERS = ['cpuset', 'cpu', 'pids'] as const;
/** Most threads of a side, as `ulimit -u` has it for users: more than any build needs, less than what stops a machine. */
const MOST_THREADS = 2048;
/** How often, and how long, a group that was killed is waited for: large processes take a while to give back their memory. */
const POLL_MS = 10;
const BURIAL_MS = 10_000;
const ABANDONED_MS = 3_600_000;

/**
 * Makes a group and returns it; null where cgroup v2 is not mounted or cannot be written. `privilege` null: only a group that was
 * delegated to our user can be had.
 */
export async function openControlGroup(privilege: Privilege | null): Promise<ControlGroup | null> {
	const parent = findParent(privilege);
	if (parent === null) return null;
	const group = { path: join(parent, `${NAME}${randomBytes(6).toString('hex')}`), privilege };
	try {
		for (const controller of CONTROLLERS) offer(group, parent, controller);
		removeAbandoned(parent, privilege);
		if (privilege === 'sudo') await runAsRoot(privilege, ['mkdir', group.path]);
		else mkdirSync(group.path);
		if (readGroupTime(group.path) === null) throw new Error('the kernel counts no CPU time in it');
		write(group, 'pids.max', String(MOST_THREADS));
		return group;
	} catch {
		await removeControlGroup(group).catch(() => {});
		return null;
	}
}

/** Returns the words that put a command into the group before it starts. They run as the user that may write the group. */
export function enterControlGroup({ path }: ControlGroup): string[] {
	return ['/bin/sh', '-c', 'echo 0 >"$0/cgroup.procs" && exec "$@"', path];
}

/** Returns the CPU time of all that ever ran in the group; null where it cannot be read. */
export function readGroupTime(path: string): Seconds | null {
	const used = /^usage_usec (\d+)$/m.exec(readText(join(path, 'cpu.stat')) ?? '')?.[1];
	return used === undefined ? null : Number(used) / MICROSECONDS;
}

/** Returns the ids of the group's threads, those of groups below it included. */
export function listGroupThreads(path: string): number[] {
	const below = readFolder(path).filter((name) => existsSync(join(path, name, 'cgroup.threads')));
	const own = (readText(join(path, 'cgroup.threads')) ?? '').split('\n').filter((line) => line !== '');
	return [...own.map(Number), ...below.flatMap((name) => listGroupThreads(join(path, name)))];
}

/**
 * Holds the group on these CPUs, whatever affinity its processes ask for; `null` lets it use all. Does nothing where the machine does
 * not offer that.
 */
export function holdControlGroup(group: ControlGroup, cpus: readonly number[] | null): void {
	write(group, 'cpuset.cpus', cpus === null ? '' : cpus.join(','));
}

/** SIGKILLs all processes of the group at one moment, so that nothing that forks gets away. Kernels before 5.14 do nothing. */
export function killControlGroup(group: ControlGroup): void {
	write(group, 'cgroup.kill', '1');
}

/** Kills what runs in the group, and removes it. Rejects when something in it cannot be killed. */
export async function removeControlGroup(group: ControlGroup): Promise<void> {
	for (const due = performance.now() + BURIAL_MS; existsSync(group.path); await delay(POLL_MS)) {
		killControlGroup(group);
		if (isRemoved(group)) return;
		if (performance.now() > due) throw new Error(`processes in ${group.path} cannot be killed`);
	}
}

/** A group whose processes have ended; groups that they made below it go first. */
function isRemoved({ path, privilege }: ControlGroup): boolean {
	if (privilege === 'sudo') {
		return tryAsRoot(privilege, ['find', path, '-depth', '-type', 'd', '-exec', 'rmdir', '{}', '+']).succeeded;
	}
	try {
		removeFolders(path);
		return true;
	} catch {
		return false;
	}
}

function removeFolders(path: string): void {
	for (const name of readFolder(path)) {
		if (existsSync(join(path, name, 'cgroup.procs'))) removeFolders(join(path, name));
	}
	rmdirSync(path);
}

/** Where groups of ours are made: below the root for root, else below our own group where it is ours. */
function findParent(privilege: Privilege | null): string | null {
	const mount = (readText('/proc/self/mounts') ?? '').split('\n').find((line) => line.split(' ')[2] === 'cgroup2');
	const root = mount?.split(' ')[1];
	if (root === undefined) return null;
	if (privilege !== null) return root;
	const own = /^0::(\/.*)$/m.exec(readText('/proc/self/cgroup') ?? '')?.[1];
	if (own === undefined || own === '/') return null;
	try {
		accessSync(join(root, own, 'cgroup.procs'), constants.W_OK);
		accessSync(join(root, own), constants.W_OK);
		return join(root, own);
	} catch {
		return null;
	}
}

/** Has the parent offer a controller to its children. The root may have processes of its own beside them; others may not. */
function offer(group: ControlGroup, parent: string, controller: string): void {
	const has = (file: string) => (readText(join(parent, file)) ?? '').trim().split(' ').includes(controller);
	if (!has('cgroup.controllers') || has('cgroup.subtree_control')) return;
	write({ ...group, path: parent }, 'cgroup.subtree_control', `+${controller}`);
}

/** Removes groups of runs that were killed together with both watchdogs. A younger one may belong to a run that has just begun. */
function removeAbandoned(parent: string, privilege: Privilege | null): void {
	for (const name of readFolder(parent).filter((each) => each.startsWith(NAME))) {
		const path = join(parent, name);
		const isEmpty = /^populated 0$/m.test(readText(join(path, 'cgroup.events')) ?? '');
		if (isEmpty && statSync(path).mtimeMs < Date.now() - ABANDONED_MS) isRemoved({ path, privilege });
	}
}

/** Writes a file of the kernel's; one that it does not have, or refuses, changes nothing. */
function write({ path, privilege }: ControlGroup, name: string, text: string): void {
	const file = join(path, name);
	if (!existsSync(file)) return;
	try {
		if (privilege === 'sudo') {
			tryAsRoot(privilege, ['/bin/sh', '-c', `printf %s ${shellWord(text)} >${shellWord(file)}`]);
		} else writeFileSync(file, text);
	} catch {
		// As if it were not offered.
	}
}
