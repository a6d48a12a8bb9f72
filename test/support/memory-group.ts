/** A control group with a memory limit, beyond which the kernel kills its processes only. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { asRoot } from './ordinary-user.ts';

export interface MemoryGroup {
	/** Adds processes, including their future children. */
	take(pids: readonly number[]): void;
	/** Removes it once empty. */
	close(): Promise<void>;
}

/** Mount point, limit file, and file that disables swap, which would delay the kill. */
const HIERARCHIES = [
	{ type: /^cgroup /, option: /(^|,)memory(,|$)/, limit: 'memory.limit_in_bytes', noSwap: ['memory.swappiness', '0'] },
	{ type: /^cgroup2 /, option: /^/, limit: 'memory.max', noSwap: ['memory.swap.max', '0'] },
] as const;

/** Returns a new group, or why it cannot be created. */
export function makeMemoryGroup(bytes: number): MemoryGroup | string {
	const mounts = readFileSync('/proc/self/mountinfo', 'utf8').trim().split('\n');
	for (const { type, option, limit, noSwap } of HIERARCHIES) {
		for (const mount of mounts) {
			const [before = '', after = ''] = mount.split(' - ');
			if (!type.test(after) || !option.test(after.split(' ').at(-1) ?? '')) continue;
			const folder = join(before.split(' ')[4] ?? '', `benchgate-test-${process.pid}-${Date.now()}`);
			try {
				root(`mkdir '${folder}' && echo ${bytes} >'${folder}/${limit}'`);
			} catch {
				remove(folder);
				continue;
			}
			// Some kernels do not account swap.
			tryRoot(`echo ${noSwap[1]} >'${folder}/${noSwap[0]}'`);
			return groupIn(folder);
		}
	}
	return 'no control group can be made here that limits memory';
}

function groupIn(folder: string): MemoryGroup {
	return {
		take(pids) {
			for (const pid of pids) root(`echo ${pid} >'${folder}/cgroup.procs'`);
		},
		async close() {
			for (let attempt = 0; attempt < 100 && !remove(folder); attempt++) await delay(100);
		},
	};
}

function remove(folder: string): boolean {
	return tryRoot(`[ ! -d '${folder}' ] || rmdir '${folder}'`);
}

function root(script: string): void {
	const [program = '', ...args] = asRoot(['/bin/sh', '-c', script]);
	execFileSync(program, args, { stdio: 'pipe' });
}

function tryRoot(script: string): boolean {
	try {
		root(script);
		return true;
	} catch {
		return false;
	}
}
