/** What the machine is, for reports and raw data. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { cpus, loadavg, release, totalmem, type, version } from 'node:os';
import { join } from 'node:path';
import { readFolder, readText } from '../process/process-tree.ts';
import { isOwnNode } from '../process/programs.ts';
import type { Environment } from '../types/result.ts';
import type { Feature } from '../types/selftest.ts';
import type { Affinity } from './affinity.ts';

const DEVICES = '/sys/bus/event_source/devices';

const PARANOID = '/proc/sys/kernel/perf_event_paranoid';

/** Names the kernel gives to a processor's counters; software and tracing events have others. */
const PROCESSOR = /^(cpu|cpu_core|armv\d.*)$/;

/** Beyond this only the administrator may count, not even in processes of one's own. */
const MOST_PARANOID = 2;

/** Files that container engines leave in a container, and what they are called. */
const CONTAINERS = [
	['.dockerenv', 'Docker'],
	['run/.containerenv', 'Podman'],
] as const;

const LONGEST = 60;

/** A Node binary that takes longer to say its version is none. */
const VERSION_MS = 30_000;

/** Returns what this machine is, for the report. `node` is the binary the servers run on. */
export function describeEnvironment(affinity: Affinity, node: string): Environment {
	const processors = cpus();
	return {
		os: systemName(),
		kernel: release(),
		cpuModel: processors[0]?.model.trim() ?? 'unknown',
		cpus: processors.length,
		memoryBytes: totalmem(),
		node: nodeVersion(node),
		loadAverage: Math.round((loadavg()[0] ?? 0) * 100) / 100,
		pinning: affinity.note,
	};
}

/** What was asked before, by the path of the binary. */
const versions = new Map<string, string>();

/** Returns the version of a Node binary, without the `v`. Throws when it cannot be run. */
export function nodeVersion(node: string): string {
	if (isOwnNode(node)) return process.versions.node;
	const path = realpathSync(node);
	const known = versions.get(path);
	if (known !== undefined) return known;
	const version = execFileSync(node, ['--version'], { encoding: 'utf8', timeout: VERSION_MS }).trim().replace(/^v/, '');
	versions.set(path, version);
	return version;
}

// What the operating system calls itself, for reports.

/** Returns the system by its own name, `Debian GNU/Linux 12 (bookworm), in Docker`. `root` is the folder that everything is in. */
export function systemName(root = '/'): string {
	const engine = CONTAINERS.find(([file]) => existsSync(join(root, file)));
	const name = readName(root) ?? `${type()} ${version()}`;
	return `${name.slice(0, LONGEST)}${engine === undefined ? '' : `, in ${engine[1]}`}`;
}

/** Systems other than Linux have no such file, nor do the smallest images. */
function readName(root: string): string | null {
	try {
		const text = readFileSync(join(root, 'etc/os-release'), 'utf8');
		return /^PRETTY_NAME=(["']?)(.+)\1$/m.exec(text)?.[2]?.trim() || null;
	} catch {
		return null;
	}
}

// Whether the instructions of a process can be counted on this machine.

/** Returns whether instructions of a process can be counted here, and what stands in the way. */
export function findInstructionCounters(): Feature {
	const device = readFolder(DEVICES).find((name) => PROCESSOR.test(name));
	if (device === undefined) return { available: false, note: 'the kernel or hypervisor offers none' };
	const paranoid = Number(readText(PARANOID) ?? Number.NaN);
	if (paranoid > MOST_PARANOID) {
		return { available: false, note: `${device}, but perf_event_paranoid is ${paranoid}` };
	}
	return { available: true, note: device };
}
