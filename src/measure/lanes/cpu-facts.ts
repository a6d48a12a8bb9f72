import { dirname, join } from 'node:path';
import { readText } from '../../process/process-tree.ts';
import type { Bytes } from '../../types/units.ts';

export interface CpuFacts {
	/** Ascending. */
	readonly allowed: readonly number[];
	/** CPUs on the core of each CPU, itself included; empty if unknown. */
	readonly siblings: ReadonlyMap<number, readonly number[]>;
	/** CPUs of the control group's limit, e.g. 1.5. */
	readonly quota: number | null;
	/** Memory of the machine, or the control group's limit if lower. */
	readonly memory: Bytes | null;
}

/** Mount point of control groups of both versions. */
const VERSION_2 = 'sys/fs/cgroup';
const KILOBYTE = 1024;

export function readCpuFacts(root = '/'): CpuFacts {
	const read = (path: string) => readText(join(root, path)) ?? '';
	const allowed = parseCpuList(/^Cpus_allowed_list:\s*(.+)$/m.exec(read('proc/self/status'))?.[1] ?? '');
	const siblingsOf = (cpu: number) => {
		const topology = `sys/devices/system/cpu/cpu${cpu}/topology`;
		// The second file is the older name of the first.
		return parseCpuList(read(`${topology}/core_cpus_list`) || read(`${topology}/thread_siblings_list`));
	};
	const groups = parseGroups(read('proc/self/cgroup'));
	const total = /^MemTotal:\s+(\d+) kB/m.exec(read('proc/meminfo'))?.[1];
	const limits = [...memoryLimits(groups, read), ...(total === undefined ? [] : [Number(total) * KILOBYTE])];
	const quotas = cpuQuotas(groups, read);
	return {
		allowed,
		siblings: new Map(allowed.map((cpu) => [cpu, siblingsOf(cpu)])),
		quota: quotas.length === 0 ? null : Math.min(...quotas),
		memory: limits.length === 0 ? null : Math.min(...limits),
	};
}

/** Parses a kernel CPU list such as `0-3,8`. */
export function parseCpuList(text: string): number[] {
	return text
		.trim()
		.split(',')
		.filter((part) => part !== '')
		.flatMap((part) => {
			const [first = Number.NaN, last = first] = part.split('-').map(Number);
			return Array.from({ length: last - first + 1 }, (_, index) => first + index);
		});
}

type Read = (path: string) => string;

/** A line of `/proc/self/cgroup`. In version 2 it names no controllers. */
interface Group {
	readonly controllers: string;
	readonly path: string;
}

function parseGroups(text: string): Group[] {
	return text.split('\n').flatMap((line) => {
		const [, controllers, path] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
		return controllers === undefined || path === undefined ? [] : [{ controllers, path }];
	});
}

/** Limits of the group and its ancestors. Sources: cgroups(7), "cpu.max" and "cpu.cfs_quota_us". */
function cpuQuotas(groups: readonly Group[], read: Read): number[] {
	return groups.flatMap(({ controllers, path }) => {
		if (controllers === '') return foldersUp(VERSION_2, path).flatMap((folder) => share(read(`${folder}/cpu.max`)));
		if (!controllers.split(',').includes('cpu')) return [];
		return foldersUp(`${VERSION_2}/${controllers}`, path)
			.concat(foldersUp(`${VERSION_2}/cpu`, path))
			.flatMap((folder) => share(`${read(`${folder}/cpu.cfs_quota_us`)} ${read(`${folder}/cpu.cfs_period_us`)}`));
	});
}

/** `200000 100000` is two CPUs; `max 100000` and `-1 100000` are no limit. */
function share(text: string): number[] {
	const [quota = '', period = ''] = text.trim().split(/\s+/);
	const cpus = Number(quota) / Number(period);
	return quota !== '' && cpus > 0 && Number.isFinite(cpus) ? [cpus] : [];
}

function memoryLimits(groups: readonly Group[], read: Read): Bytes[] {
	const files = groups.flatMap(({ controllers, path }) => {
		if (controllers === '') return foldersUp(VERSION_2, path).map((folder) => `${folder}/memory.max`);
		if (controllers !== 'memory') return [];
		return foldersUp(`${VERSION_2}/memory`, path).map((folder) => `${folder}/memory.limit_in_bytes`);
	});
	return files.map((file) => Number(read(file).trim() || Number.NaN)).filter((bytes) => bytes > 0);
}

/**
 * The group's folder and its ancestors. A container sees its group's path on the host, but finds the group
 * itself at the mount point.
 */
function foldersUp(top: string, path: string): string[] {
	const folders: string[] = [];
	for (let at = path; at !== '/'; at = dirname(at)) folders.push(`${top}${at}`);
	return [...folders, top];
}
