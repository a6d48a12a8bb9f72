/**
 * Control groups (cgroup v2), one per side. The kernel adds up the CPU time of a group, including processes that have ended, and can kill a
 * whole group atomically. Neither needs a controller. Source: the kernel's Documentation/admin-guide/cgroup-v2.rst.
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
/** Controllers to enable where the machine offers them. */
const CONTROLLERS = ['cpuset', 'cpu', 'pids'] as const;
/** Thread limit of a side, the same as `ulimit -u` sets for side users: more than any build needs, too few to stop the machine. */
const MOST_THREADS = 2048;
/** Polling interval and timeout for a killed group to empty: large processes take a while to free their memory. */
const POLL_MS = 10;
const BURIAL_MS = 10_000;
const ABANDONED_MS = 3_600_000;

/**
 * Creates a group; null where cgroup v2 is not mounted or not writable. Without `privilege`, only a subtree delegated to our user will do.
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

/** Returns the command prefix that moves a process into the group before it starts. It runs as the user that may write the group. */
export function enterControlGroup({ path }: ControlGroup): string[] {
	return ['/bin/sh', '-c', 'echo 0 >"$0/cgroup.procs" && exec "$@"', path];
}

/** Returns the CPU time of all processes that ever ran in the group; null where unreadable. */
export function readGroupTime(path: string): Seconds | null {
	const used = /^usage_usec (\d+)$/m.exec(readText(join(path, 'cpu.stat')) ?? '')?.[1];
	return used === undefined ? null : Number(used) / MICROSECONDS;
}

/** Returns the ids of all threads in the group and its descendant groups. */
export function listGroupThreads(path: string): number[] {
	const below = readFolder(path).filter((name) => existsSync(join(path, name, 'cgroup.threads')));
	const own = (readText(join(path, 'cgroup.threads')) ?? '').split('\n').filter((line) => line !== '');
	return [...own.map(Number), ...below.flatMap((name) => listGroupThreads(join(path, name)))];
}

/** Restricts the group to these CPUs, overriding the affinity its processes set; `null` lifts the restriction. No-op without `cpuset`. */
export function holdControlGroup(group: ControlGroup, cpus: readonly number[] | null): void {
	write(group, 'cpuset.cpus', cpus === null ? '' : cpus.join(','));
}

/** SIGKILLs the whole group atomically, so a fork bomb cannot escape. No-op on kernels before 5.14. */
export function killControlGroup(group: ControlGroup): void {
	write(group, 'cgroup.kill', '1');
}

/** Kills all processes of the group and removes it. Rejects when a process survives. */
export async function removeControlGroup(group: ControlGroup): Promise<void> {
	for (const due = performance.now() + BURIAL_MS; existsSync(group.path); await delay(POLL_MS)) {
		killControlGroup(group);
		if (isRemoved(group)) return;
		if (performance.now() > due) throw new Error(`processes in ${group.path} cannot be killed`);
	}
}

/** Removes an emptied group, after the child groups that its processes created. */
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

/** Returns the parent of our groups: the root group for root, else our current group if we may write it. */
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

/**
 * Enables a controller for the parent's children. Only the root group may hold processes beside its children; elsewhere the kernel refuses.
 */
function offer(group: ControlGroup, parent: string, controller: string): void {
	const has = (file: string) => (readText(join(parent, file)) ?? '').trim().split(' ').includes(controller);
	if (!has('cgroup.controllers') || has('cgroup.subtree_control')) return;
	write({ ...group, path: parent }, 'cgroup.subtree_control', `+${controller}`);
}

/** Removes empty groups of runs killed together with both watchdogs. A recent group may belong to a run that has just started. */
function removeAbandoned(parent: string, privilege: Privilege | null): void {
	for (const name of readFolder(parent).filter((each) => each.startsWith(NAME))) {
		const path = join(parent, name);
		const isEmpty = /^populated 0$/m.test(readText(join(path, 'cgroup.events')) ?? '');
		if (isEmpty && statSync(path).mtimeMs < Date.now() - ABANDONED_MS) isRemoved({ path, privilege });
	}
}

/** Writes a cgroup file; a missing file or a refused write changes nothing. */
function write({ path, privilege }: ControlGroup, name: string, text: string): void {
	const file = join(path, name);
	if (!existsSync(file)) return;
	try {
		if (privilege === 'sudo') {
			tryAsRoot(privilege, ['/bin/sh', '-c', `printf %s ${shellWord(text)} >${shellWord(file)}`]);
		} else writeFileSync(file, text);
	} catch {
		// A refused write counts as a missing controller.
	}
}
