/**
 * Keeps Node's debugger closed: by default, any process of the same user can open it with SIGUSR1 and run code in ours.
 */
import { spawnSync } from 'node:child_process';
import { isOwnNode } from './programs.ts';

/** Exists in Node from 22.14, 23.7 and 24 on. */
const REFUSE = '--disable-sigusr1';

/** Flags of our own Node processes, which refuse the signal from the start if Node supports it. */
export const OWN_NODE_FLAGS: readonly string[] = process.allowedNodeEnvironmentFlags.has(REFUSE) ? [REFUSE] : [];

/** Error of a Node without the flag. */
export const REFUSES_FLAG = new RegExp(`${REFUSE} is not allowed in NODE_OPTIONS`);

const flagsByNode = new Map<string, readonly string[]>();

export function debuggerFlagsOf(node: string): readonly string[] {
	let flags = isOwnNode(node) ? OWN_NODE_FLAGS : flagsByNode.get(node);
	if (flags === undefined) {
		flags = spawnSync(node, [REFUSE, '--version'], { stdio: 'ignore', timeout: 10_000 }).status === 0 ? [REFUSE] : [];
		flagsByNode.set(node, flags);
	}
	return flags;
}

/** Ignores the signal, for a process started without the flag. */
export function refuseDebugger(): void {
	process.on('SIGUSR1', () => {});
}
