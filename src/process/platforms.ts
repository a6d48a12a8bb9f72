/** Platform support, from which the entries and docs/command-line.md take their facts. */
import { EXIT, UserError } from '../types/errors.ts';

/** Must equal `engines` of package.json and the build target. */
export const LEAST_NODE = 22;

export const PLATFORM_TABLE = {
	columns: ['Linux (x64, arm64)', 'macOS'],
	rows: [
		['requests/s and latency, with intervals and gate', 'yes', 'yes'],
		['answers checked before and under load', 'yes', 'yes'],
		['servers on one CPU, generator on another', 'yes', 'no: noisier, needs more rounds'],
		['CPU time per request, memory', 'yes', 'no: rows gated on them are inconclusive'],
		['unequal shares of the CPU are noticed', 'yes', 'no'],
		['connections from elsewhere to a server are noticed', 'yes', 'no'],
		['stopped processes are noticed', 'yes', 'no'],
		['processes that leave their group are found and ended', 'yes', 'no'],
		['tokens are overwritten in the memory of the action', 'yes', 'no'],
		['base and head run as users of their own', 'with root or sudo', 'no'],
	],
} as const satisfies { columns: readonly string[]; rows: readonly (readonly [string, string, string])[] };

/** Throws UserError on Windows. */
export function requirePlatform(platform: NodeJS.Platform): void {
	if (platform !== 'win32') return;
	throw new UserError({
		code: 'windows',
		message: 'benchgate does not run on Windows: it could not stop there what it starts',
		remedy: 'run it in WSL, or in a workflow on a Linux runner (runs-on: ubuntu-latest)',
		exitCode: EXIT.usage,
	});
}

/** Throws UserError for a Node that is too old. */
export function requireNode(version: string, binary: string): void {
	if (Number.parseInt(version, 10) >= LEAST_NODE) return;
	throw new UserError({
		code: 'old-node',
		where: binary,
		message: `Node ${version} is too old for benchgate, which needs Node ${LEAST_NODE} or later`,
		remedy: `run benchgate with a newer Node; to measure servers on this one, add --node ${binary}`,
		exitCode: EXIT.usage,
	});
}
