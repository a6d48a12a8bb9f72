/** NODE_OPTIONS of servers, the same on both sides. */
import { debuggerFlagsOf } from '../../process/debugger.ts';
import { TELL_FLAG } from '../vitals.ts';

/**
 * Node sizes its pool of GC and compiler threads for all CPUs. Pinned to one CPU they compete, and one process in
 * twenty stays 20 to 30 % slower for life (decision 0010).
 */
const ONE_HELPER = '--v8-pool-size=1';

export interface NodeOptionsFacts {
	readonly pinned: boolean;
	/** The first Node on PATH; null for another runtime, which ignores Node's options. */
	readonly node: string | null;
	/** False if the server's Node lacks these flags. */
	readonly refusesDebugger: boolean;
	readonly vitals?: boolean;
	/** First, because code that runs before the probe is unseen. */
	readonly probe?: string | undefined;
	/** From the config. */
	readonly own: string | undefined;
}

export function nodeOptions({ pinned, node, refusesDebugger, vitals = false, probe, own }: NodeOptionsFacts): {
	NODE_OPTIONS?: string;
} {
	if (node === null) return own ? { NODE_OPTIONS: own } : {};
	const ours = [
		...(probe === undefined ? [] : [probe]),
		...(pinned ? [ONE_HELPER] : []),
		...(refusesDebugger ? debuggerFlagsOf(node) : []),
		...(vitals ? [TELL_FLAG] : []),
	];
	const all = [...ours, ...(own ? [own] : [])].join(' ');
	return all === '' ? {} : { NODE_OPTIONS: all };
}
