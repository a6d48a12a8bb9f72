import { createHash } from 'node:crypto';
import { runtimeOf } from '../../text/runtime-words.ts';
import type { Environment } from '../../types/result.ts';

const DIGITS = 8;

/**
 * Returns the short digest of the machine's kind, 8 hex digits: CPU model, number of CPUs, the major
 * versions of the kernel and of what the servers ran on.
 * Log ratios of two kinds of machine belong to one curve; absolute figures and the spread of rounds do not.
 */
export function environmentIdOf({ cpuModel, cpus, kernel, node, runtimes }: Environment): string {
	const { name, version } = runtimeOf({ ...(runtimes && { runtimes }), node }, 'head');
	const ran = name === 'node' ? majorOf(version) : `${name} ${majorOf(version)}`;
	const kind = [cpuModel, cpus, majorOf(kernel), ran];
	return createHash('sha256').update(JSON.stringify(kind)).digest('hex').slice(0, DIGITS);
}

function majorOf(version: string): string {
	return version.replace(/^v/, '').split('.')[0] ?? '';
}
