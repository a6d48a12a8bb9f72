/** What servers that run on Node are told by NODE_OPTIONS, the same on both sides. */
import { debuggerFlagsOf } from '../../process/debugger.ts';
import { TELL_FLAG } from '../tell-vitals.ts';

/**
 * Node starts as many helper threads for collecting garbage and compiling as it would with all CPUs to itself. Held on one CPU
 * they fight over it, and one process in twenty or so comes out of that 20 to 30 % slower for life (docs/evaluation.md).
 */
const ONE_HELPER = '--v8-pool-size=1';

export interface NodeOptionsFacts {
	/** Whether servers are held on one CPU. */
	readonly pinned: boolean;
	/** Node binary that comes first on their PATH; null for another runtime, which takes none of Node's options. */
	readonly node: string | null;
	/** False for a server that was found to run on another Node, which cannot. */
	readonly refusesDebugger: boolean;
	/** Whether its processes report garbage collection and event loop. */
	readonly vitals?: boolean;
	/** What the config gives the server. */
	readonly own: string | undefined;
}

/** Returns the variable, or nothing where there is nothing to tell. */
export function nodeOptions({ pinned, node, refusesDebugger, vitals = false, own }: NodeOptionsFacts): {
	NODE_OPTIONS?: string;
} {
	if (node === null) return own ? { NODE_OPTIONS: own } : {};
	const ours = [
		...(pinned ? [ONE_HELPER] : []),
		...(refusesDebugger ? debuggerFlagsOf(node) : []),
		...(vitals ? [TELL_FLAG] : []),
	];
	const all = [...ours, ...(own ? [own] : [])].join(' ');
	return all === '' ? {} : { NODE_OPTIONS: all };
}
