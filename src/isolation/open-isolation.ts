import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { SAME_USER } from '../process/users/same-user.ts';
import type { Isolation } from '../types/isolation.ts';
import { chooseLevel } from './choose-level.ts';
import type { IsolationOptions } from './isolation-options.ts';
import { openNamespaces } from './open-namespaces.ts';
import { openUsers } from './open-users.ts';
import { probeMachine } from './probe-machine.ts';

/** Returns the best isolation that is possible here, not above what is wished. Nothing of it outlives the run. */
export async function openIsolation(options: IsolationOptions): Promise<Isolation> {
	if (options.wish === 'none') return openNone(null);
	for (const name of options.passed ?? []) await mkdir(join(options.folder, name), { recursive: true });
	let facts = options.facts ?? probeMachine();
	for (;;) {
		// What was found out about the machine may still not do for this run: then the next best is chosen.
		const { level, reason } = chooseLevel(options.wish, facts);
		if (level === 'none') return openNone(reason);
		try {
			const opened = await (level === 'users' ? openUsers : openNamespaces)({ ...options, facts });
			const reasons = [reason, opened.reason].filter((one) => one !== null);
			return { ...opened, reason: reasons.length === 0 ? null : reasons.join('; ') };
		} catch (error) {
			const why = (error as Error).message;
			facts = level === 'users' ? { ...facts, whyNoUser: why } : { ...facts, whyNoNamespace: why };
		}
	}
}

function openNone(reason: string | null): Isolation {
	const close = async () => {};
	const sides = { base: SAME_USER, head: SAME_USER };
	return {
		level: 'none',
		reason,
		hidesProcesses: false,
		readOnly: false,
		refusesRival: false,
		sides,
		whyOneLane: null,
		openLane: async () => sides,
		hide() {},
		reclaim: async () => {},
		shareCaches: async () => {},
		uncovered: () => [],
		close,
		[Symbol.asyncDispose]: close,
	};
}
