import { createHash } from 'node:crypto';
import type { Environment } from '../../types/result.ts';

const DIGITS = 8;

/**
 * Returns the short digest of the machine's kind, 8 hex digits: CPU model, number of CPUs, kernel's and Node's major versions.
 * Log ratios of two kinds of machine belong to one curve; absolute figures and the spread of rounds do not.
 */
export function environmentIdOf({ cpuModel, cpus, kernel, node }: Environment): string {
	const kind = [cpuModel, cpus, majorOf(kernel), majorOf(node)];
	return createHash('sha256').update(JSON.stringify(kind)).digest('hex').slice(0, DIGITS);
}

function majorOf(version: string): string {
	return version.replace(/^v/, '').split('.')[0] ?? '';
}
