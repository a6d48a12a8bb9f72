/** Describes the machine for reports and raw data, and finds its Node. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { cpus, loadavg, release, totalmem, type, version } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { readFolder, readText } from '../process/process-tree.ts';
import { isOwnNode } from '../process/programs.ts';
import { UserError } from '../types/errors.ts';
import type { Environment } from '../types/result.ts';
import type { Feature } from '../types/selftest.ts';
import type { Affinity } from './affinity.ts';

const DEVICES = '/sys/bus/event_source/devices';

const PARANOID = '/proc/sys/kernel/perf_event_paranoid';

/** Software and tracing events have other names. */
const PROCESSOR = /^(cpu|cpu_core|armv\d.*)$/;

/** Above this value only root may count events, even in own processes. */
const MOST_PARANOID = 2;

const CONTAINERS = [
	['.dockerenv', 'Docker'],
	['run/.containerenv', 'Podman'],
] as const;

const LONGEST = 60;

const VERSION_MS = 30_000;

/** `node` runs the servers. */
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

const versions = new Map<string, string>();

/** Returns the version without the `v`; throws if the binary cannot be run. */
export function nodeVersion(node: string): string {
	if (isOwnNode(node)) return process.versions.node;
	const path = realpathSync(node);
	const cachedVersion = versions.get(path);
	if (cachedVersion !== undefined) return cachedVersion;
	const version = execFileSync(node, ['--version'], { encoding: 'utf8', timeout: VERSION_MS }).trim().replace(/^v/, '');
	versions.set(path, version);
	return version;
}

/** Returns e.g. `Debian GNU/Linux 12 (bookworm), in Docker`. */
export function systemName(root = '/'): string {
	const engine = CONTAINERS.find(([file]) => existsSync(join(root, file)));
	const name = readName(root) ?? `${type()} ${version()}`;
	return `${name.slice(0, LONGEST)}${engine === undefined ? '' : `, in ${engine[1]}`}`;
}

/** Missing outside Linux and in the smallest images. */
function readName(root: string): string | null {
	try {
		const text = readFileSync(join(root, 'etc/os-release'), 'utf8');
		return /^PRETTY_NAME=(["']?)(.+)\1$/m.exec(text)?.[2]?.trim() || null;
	} catch {
		return null;
	}
}

export function findInstructionCounters(): Feature {
	const device = readFolder(DEVICES).find((name) => PROCESSOR.test(name));
	if (device === undefined) return { available: false, note: 'the kernel or hypervisor offers none' };
	const paranoid = Number(readText(PARANOID) ?? Number.NaN);
	if (paranoid > MOST_PARANOID) {
		return { available: false, note: `${device}, but perf_event_paranoid is ${paranoid}` };
	}
	return { available: true, note: device };
}

/** Returns the absolute path of the Node binary for both sides: the flag's, else the first on PATH. */
export function findNode(flag: string | undefined): string {
	const candidates = flag === undefined ? onPath() : [resolve(flag)];
	for (const candidate of candidates) {
		try {
			nodeVersion(candidate);
			return realpathSync(candidate);
		} catch {
			// Try the next one on PATH.
		}
	}
	throw new UserError({
		code: 'no-node',
		where: flag === undefined ? 'PATH' : `--node ${flag}`,
		message: flag === undefined ? 'there is no node on PATH' : 'that is not a Node binary that runs here',
		remedy: 'give the path of a Node binary, e.g. --node "$(command -v node)"',
	});
}

function onPath(): string[] {
	const name = process.platform === 'win32' ? 'node.exe' : 'node';
	return (process.env.PATH ?? '')
		.split(delimiter)
		.filter((folder) => folder !== '')
		.map((folder) => join(folder, name));
}
