import { BASE, HEAD } from './examples.ts';
import type { Account, DoubleState, StoredPull } from './types.ts';

/** Returns a state with one open pull request, no written items and all permissions; `given` replaces parts. */
export function initialState(given: Partial<DoubleState> = {}): DoubleState {
	return {
		repository: 'o/r',
		defaultBranch: 'main',
		permissions: {},
		user: { login: 'github-actions[bot]', type: 'Bot' },
		tokens: null,
		issues: [],
		threads: [],
		withoutIssues: false,
		pulls: [examplePull()],
		comments: [],
		reactions: [],
		labelsEvents: [],
		otherEvents: [],
		collaborators: {},
		checkRuns: [],
		statuses: [],
		releases: [],
		refs: {},
		commits: null,
		compare: {},
		compared: {},
		contents: {},
		contentsAt: {},
		links: {},
		runs: [],
		workflows: [],
		artifacts: [],
		rateLimit: { limit: 1000, remaining: 1000, reset: Math.floor(Date.now() / 1000) + 3600 },
		faults: [],
		allowInvalid: false,
		...given,
	};
}

/** Returns pull request 1 of a branch of the same repository: head `aaa…`, base `bbb…`. */
export function examplePull(given: Partial<StoredPull> = {}): StoredPull {
	return {
		number: 1,
		headSha: HEAD,
		baseSha: BASE,
		headRepository: 'o/r',
		headRef: 'topic',
		baseRef: 'main',
		author: 'contributor',
		...given,
	};
}

/** Returns the account with this login; a name in brackets at its end makes it a bot. */
export function accountOf(login: string): Account {
	return { login, type: login.endsWith('[bot]') ? 'Bot' : 'User' };
}

/** Returns an unused id. */
export function nextId(items: readonly { readonly id: number }[]): number {
	return items.reduce((highest, item) => Math.max(highest, item.id), 1000) + 1;
}
