/** Which level of isolation the facts of a machine allow. */
import type { IsolationWish } from '../types/isolation.ts';
import type { IsolationChoice, IsolationFacts } from './isolation-facts.ts';

/** What each level stands on, best first: the reason it is not available here, or null when it is. */
const NEEDS: readonly (readonly [IsolationChoice['level'], (facts: IsolationFacts) => string | null])[] = [
	['users', whyNotUsers],
	['namespace', whyNotNamespace],
	['none', () => null],
];

/**
 * Returns the best level these facts allow, not above the one that was asked for, and why it is not a higher one: a sentence
 * for reports without its full stop, null when what was asked for was reached.
 */
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
