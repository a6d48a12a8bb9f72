/** What the machine is, for reports and raw data. */
import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { cpus, loadavg, release, totalmem } from 'node:os';
import { isOwnNode } from '../process/own-node.ts';
import { systemName } from '../process/system/system-name.ts';
import type { Environment } from '../types/result.ts';
import type { Affinity } from './affinity.ts';

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
