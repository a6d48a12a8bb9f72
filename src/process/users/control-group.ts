/**
 * Control groups (cgroup v2), one per side. The kernel sums a group's CPU time, including ended processes, and kills it
 * atomically. Neither needs a controller. Source: the kernel's Documentation/admin-guide/cgroup-v2.rst.
 */
import { randomBytes } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { shellWord } from '../../text/escape.ts';
import type { ControlGroup } from '../../types/run-services.ts';
import type { Seconds } from '../../types/units.ts';
import { readFolder, readText } from '../process-tree.ts';
import { type Privilege, runAsRoot, tryAsRoot } from './run-as-root.ts';

const MICROSECONDS = 1e6;
const NAME = 'benchgate-';
const CONTROLLERS = ['cpuset', 'cpu', 'pids'] as const;
/** Equals the `ulimit -u` of side users. */
const MOST_THREADS = 2048;
/** The kernel takes a while to free the memory of a large process. */
const POLL_MS = 10;
const BURIAL_MS = 10_000;
const ABANDONED_MS = 3_600_000;

/**
 * Returns null where cgroup v2 is not mounted or not writable. Without `privilege`, our user needs a delegated subtree.
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

/** Returns the prefix that starts a command inside the group, for a user who may write to the group. */
export function enterControlGroup({ path }: ControlGroup): string[] {
	return ['/bin/sh', '-c', 'echo 0 >"$0/cgroup.procs" && exec "$@"', path];
}

export function readGroupTime(path: string): Seconds | null {
	const used = /^usage_usec (\d+)$/m.exec(readText(join(path, 'cpu.stat')) ?? '')?.[1];
	return used === undefined ? null : Number(used) / MICROSECONDS;
}

export function listGroupThreads(path: string): number[] {
	const below = readFolder(path).filter((name) => existsSync(join(path, name, 'cgroup.threads')));
	const threadIds = (readText(join(path, 'cgroup.threads')) ?? '').split('\n').filter((line) => line !== '');
	return [...threadIds.map(Number), ...below.flatMap((name) => listGroupThreads(join(path, name)))];
}

/**
 * Restricts the group to these CPUs, overriding affinities. `null` lifts the restriction. Does nothing without
 * `cpuset`.
 */
export function holdControlGroup(group: ControlGroup, cpus: readonly number[] | null): void {
	// Writing no byte at all would change nothing.
	write(group, 'cpuset.cpus', cpus === null ? '\n' : cpus.join(','));
}

/** SIGKILLs the group atomically, so a fork bomb cannot escape. Does nothing before kernel 5.14. */
export function killControlGroup(group: ControlGroup): void {
	write(group, 'cgroup.kill', '1');
}

/** Rejects when a process survives. */
export async function removeControlGroup(group: ControlGroup): Promise<void> {
	for (const due = performance.now() + BURIAL_MS; existsSync(group.path); await delay(POLL_MS)) {
		killControlGroup(group);
		if (isRemoved(group)) return;
		if (performance.now() > due) throw new Error(`processes in ${group.path} cannot be killed`);
	}
}

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

/** The root group for root, else our current group if it is writable. */
function findParent(privilege: Privilege | null): string | null {
	const mount = (readText('/proc/self/mounts') ?? '').split('\n').find((line) => line.split(' ')[2] === 'cgroup2');
	const root = mount?.split(' ')[1];
	if (root === undefined) return null;
	if (privilege !== null) return root;
	const groupPath = /^0::(\/.*)$/m.exec(readText('/proc/self/cgroup') ?? '')?.[1];
	if (groupPath === undefined || groupPath === '/') return null;
	try {
		accessSync(join(root, groupPath, 'cgroup.procs'), constants.W_OK);
		accessSync(join(root, groupPath), constants.W_OK);
		return join(root, groupPath);
	} catch {
		return null;
	}
}

/** Gives child groups the controller. The kernel refuses if `parent` holds processes and is not the root group. */
function offer(group: ControlGroup, parent: string, controller: string): void {
	const has = (file: string) => (readText(join(parent, file)) ?? '').trim().split(' ').includes(controller);
	if (!has('cgroup.controllers') || has('cgroup.subtree_control')) return;
	write({ ...group, path: parent }, 'cgroup.subtree_control', `+${controller}`);
}

/** Removes empty groups of runs killed together with both watchdogs. A recent group may belong to a starting run. */
function removeAbandoned(parent: string, privilege: Privilege | null): void {
	for (const name of readFolder(parent).filter((each) => each.startsWith(NAME))) {
		const path = join(parent, name);
		const isEmpty = /^populated 0$/m.test(readText(join(path, 'cgroup.events')) ?? '');
		if (isEmpty && statSync(path).mtimeMs < Date.now() - ABANDONED_MS) isRemoved({ path, privilege });
	}
}

function write({ path, privilege }: ControlGroup, name: string, text: string): void {
	const file = join(path, name);
	if (!existsSync(file)) return;
	try {
		if (privilege === 'sudo') {
			tryAsRoot(privilege, ['/bin/sh', '-c', `printf %s ${shellWord(text)} >${shellWord(file)}`]);
		} else writeFileSync(file, text);
	} catch {
		// The controller counts as missing.
	}
}
