/** Chooses and opens a level of isolation. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { SAME_USER } from '../process/users/same-user.ts';
import type { Isolation, IsolationWish } from '../types/isolation.ts';
import type { IsolationChoice, IsolationFacts, IsolationOptions } from './isolation-facts.ts';
import { openNamespaces } from './open-namespaces.ts';
import { openUsers } from './open-users.ts';
import { probeMachine } from './probe-machine.ts';

/** Levels, best first, each with a function that returns why the level is unavailable. */
const NEEDS: readonly (readonly [IsolationChoice['level'], (facts: IsolationFacts) => string | null])[] = [
	['users', whyNotUsers],
	['namespace', whyNotNamespace],
	['none', () => null],
];

/** Opens the best available level, up to `wish`. Nothing of it outlives the run. */
export async function openIsolation(options: IsolationOptions): Promise<Isolation> {
	if (options.wish === 'none') return openNone(null);
	for (const name of options.passed ?? []) await mkdir(join(options.folder, name), { recursive: true });
	let facts = options.facts ?? probeMachine();
	for (;;) {
		// An available level can still fail to open for this run.
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

/** Returns the best available level, up to `wish`, and why it is not higher: a phrase without full stop, or null. */
export function chooseLevel(wish: IsolationWish, facts: IsolationFacts): IsolationChoice {
	const wanted = wish === 'auto' ? 'users' : wish;
	const reasons: string[] = [];
	for (const [level, whyNot] of NEEDS.slice(NEEDS.findIndex(([name]) => name === wanted))) {
		const reason = whyNot(facts);
		if (reason === null) return { level, reason: reasons.length === 0 ? null : [...new Set(reasons)].join('; ') };
		reasons.push(reason);
	}
	throw new Error('the level none needs nothing');
}

function whyNotUsers(facts: IsolationFacts): string | null {
	if (facts.platform !== 'linux') return `${facts.platform} has no setpriv`;
	if (facts.privilege === null) return `${facts.whyNoPrivilege ?? 'this user may not start processes as another one'}`;
	if (facts.setpriv === null) return 'setpriv is not installed (package util-linux, on Alpine setpriv)';
	if (!facts.setprivChangesUser) return "this setpriv is BusyBox's and cannot change the user (install util-linux)";
	return facts.whyNoUser;
}

function whyNotNamespace(facts: IsolationFacts): string | null {
	if (facts.platform !== 'linux') return `${facts.platform} has no user namespaces`;
	if (facts.unshare === null || facts.setpriv === null) return 'unshare is not installed (package util-linux)';
	return facts.whyNoNamespace;
}
