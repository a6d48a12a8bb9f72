/** Keeps Node's debugger shut: by default any process of the same user opens it with a signal, and then runs code in ours. */
import { spawnSync } from 'node:child_process';
import { isOwnNode } from './programs.ts';

/** Node from 22.14, 23.7 and 24 on has it. */
const REFUSE = '--disable-sigusr1';

/** What our own Node processes are started with: the signal is refused from the first moment where Node can do that. */
export const OWN_NODE_FLAGS: readonly string[] = process.allowedNodeEnvironmentFlags.has(REFUSE) ? [REFUSE] : [];

/** What Node prints when it is told by NODE_OPTIONS to refuse the signal and does not know how. */
export const REFUSES_FLAG = new RegExp(`${REFUSE} is not allowed in NODE_OPTIONS`);

const known = new Map<string, readonly string[]>();

/** Returns the options with which the Node binary `node` refuses the signal; none where it cannot. */
export function debuggerFlagsOf(node: string): readonly string[] {
	let flags = isOwnNode(node) ? OWN_NODE_FLAGS : known.get(node);
	if (flags === undefined) {
		flags = spawnSync(node, [REFUSE, '--version'], { stdio: 'ignore', timeout: 10_000 }).status === 0 ? [REFUSE] : [];
		known.set(node, flags);
	}
	return flags;
}

/** Takes the signal away from Node: for a process that was started by others, or by a Node that knows no better. */
export function refuseDebugger(): void {
	process.on('SIGUSR1', () => {});
}
