import { acceptRedRows } from '../../src/judge/acceptance.ts';
import type { CommentContext } from '../../src/report/github/comment.ts';
import type { MeasuringContext } from '../../src/report/github/comment-measuring.ts';
import type { Conclusion, Failure } from '../../src/types/action-run.ts';
import type { Side } from '../../src/types/units.ts';
import type { Acceptance } from '../../src/types/verdict.ts';
import { HOSTILE, resultCase } from './result-cases.ts';

export const SHA = '9f8e7d6c5b4a39281706f5e4d3c2b1a098765432';
const RUN_URL = 'https://github.com/expressjs/express/actions/runs/1234567890';

/** An ordinary pull request. */
export const CONTEXT: CommentContext = {
	headSha: SHA,
	runUrl: RUN_URL,
	serverUrl: 'https://github.com',
	repository: { owner: 'expressjs', repo: 'express' },
	gate: 'enforce',
	onInconclusive: 'pass',
	acceptLabel: 'benchgate: accepted',
	title: 'pull request #12',
	warnings: [],
};

export interface CommentCase {
	readonly conclusion: Conclusion;
	readonly context: CommentContext;
}

const byLabel: Acceptance = { by: 'octocat', via: 'label', reason: null };
const byComment: Acceptance = {
	by: 'octocat',
	via: 'comment',
	reason: 'the router now decodes every parameter',
	headSha: SHA,
	rows: [{ cell: 'express/ping', kind: 'regressed', upTo: 0.13 }],
};
const byBody: Acceptance = {
	by: 'octocat',
	via: 'body',
	reason: 'the router now decodes every parameter, which is a security fix',
};

/** In the words of src/prepare. */
function repeatIn(side: Side, sha: string): string {
	const copy = `../benchgate-${side}`;
	return `repeat it by hand: git worktree add --detach ${copy} ${sha} && cd ${copy} && npm ci`;
}

const FAILURE: Failure = {
	code: 'build-failed',
	side: 'head',
	message: 'npm ci failed with exit code 1',
	where: 'head (9f8e7d6)',
	remedy: repeatIn('head', SHA),
	details: [
		'npm error code EUSAGE',
		'npm error',
		'npm error `npm ci` can only install packages when your package.json and package-lock.json are in sync.',
		'npm error',
		'npm error Missing: path-to-regexp@8.3.0 from lock file',
	].join('\n'),
	usage: false,
};

const HOSTILE_LOG = [
	'```',
	'~~~',
	'</details>',
	...Object.values(HOSTILE),
	'````js',
	'\u001b[31mred\u001b[0m',
	'``````````',
];

/** Every text is an attack. */
const HOSTILE_FAILURE: Failure = {
	code: HOSTILE.html,
	side: 'head',
	message: Object.values(HOSTILE).join('\n'),
	where: HOSTILE.markdown,
	remedy: HOSTILE.mention,
	details: HOSTILE_LOG.join('\n'),
	usage: true,
};

const missingPermission = {
	code: 'missing-permission',
	message: [
		'The check run could not be created, because the token may not write checks. Add to the job:',
		'permissions:',
		'  contents: read',
		'  pull-requests: write',
		'  checks: write',
	].join('\n'),
};

const compared = (name: string, changed: Partial<CommentContext> = {}): CommentCase => ({
	conclusion: { kind: 'compared', result: resultCase(name) },
	context: { ...CONTEXT, ...changed },
});
const failed = (failure: Partial<Failure>, changed: Partial<CommentContext> = {}): CommentCase => ({
	conclusion: { kind: 'failed', failure: { ...FAILURE, ...failure } },
	context: { ...CONTEXT, ...changed },
});
const accepted = (name: string, acceptance: Acceptance): CommentCase => ({
	conclusion: { kind: 'compared', result: acceptRedRows(resultCase(name), [acceptance]) },
	context: CONTEXT,
});

/** One comment per situation, named after its golden file. */
export const COMMENT_CASES: Readonly<Record<string, () => CommentCase>> = {
	unchanged: () => compared('unchanged'),
	'one-cell': () => compared('one-cell'),
	'one-regressed': () => compared('one-regressed'),
	several: () => compared('several'),
	improved: () => compared('improved'),
	inconclusive: () => compared('inconclusive'),
	invalid: () => compared('invalid'),
	'base-broken': () => compared('base-broken'),
	'both-broken': () =>
		compared('both-broken', { lineOf: () => ({ path: 'bench/benchgate.yml', line: 12 }), onInconclusive: 'fail' }),
	'needs-rebase': () => compared('needs-rebase'),
	'answers-differ': () => compared('answers-differ'),
	'gone-in-head': () => compared('gone-in-head'),
	'everything-wrong': () => compared('everything-wrong'),
	'base-never-starts': () => compared('base-never-starts'),
	'new-and-removed': () => compared('new-and-removed'),
	'nothing-measured': () => compared('nothing-measured'),
	'main-below': () => compared('main-below'),
	'adds-to-drift': () => compared('adds-to-drift'),
	'two-hundred': () => compared('two-hundred'),
	hostile: () =>
		compared('hostile', {
			acceptLabel: HOSTILE.markdown,
			title: HOSTILE.mention,
			warnings: Object.values(HOSTILE).map((message) => ({ code: HOSTILE.markdown, message })),
		}),
	'accepted-by-label': () => accepted('one-regressed', byLabel),
	'accepted-in-part': () => accepted('several', byComment),
	'accepted-with-reason': () => accepted('several', byBody),
	'accepted-broken': () => accepted('invalid', byBody),
	'accepted-and-nothing-left': () => accepted('gone-in-head', byLabel),
	'accepted-beside-broken-base': () => accepted('everything-wrong', byBody),
	'accepted-hostile': () => accepted('one-regressed', { by: HOSTILE.mention, via: 'body', reason: HOSTILE.html }),
	'advisory-fail': () => compared('one-regressed', { gate: 'advisory', acceptLabel: null }),
	'base-does-not-build': () =>
		failed({
			side: 'base',
			where: 'base (1a2b3c4)',
			remedy: repeatIn('base', '1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d'),
		}),
	'head-does-not-build': () => failed({}),
	'head-does-not-build-advisory': () => failed({}, { gate: 'advisory' }),
	'bad-config': () =>
		failed({
			code: 'bad-config',
			side: null,
			message: [
				'benchgate.yml:3: servers[0]: unknown server "exprss"; did you mean "express"?',
				'benchgate.yml:7: scenarios[1].threshold: "8" is not allowed; write a percentage such as 8%',
			].join('\n'),
			where: null,
			remedy: null,
			details: null,
			usage: true,
		}),
	network: () =>
		failed({
			code: 'network',
			message: 'no network: npm ci could not reach the package registry',
			remedy: 'check the connection, the proxy (HTTPS_PROXY) and the registry setting of npm',
			details: 'npm error code ENOTFOUND\nnpm error network request to the registry failed',
		}),
	internal: () =>
		failed({
			code: 'internal',
			side: null,
			message: "benchgate itself failed: Cannot read properties of undefined (reading 'rounds')",
			where: null,
			remedy: 'please report it with the lines below',
			details: 'TypeError: Cannot read properties of undefined\n    at decide (dist/action.js:1:2345)',
		}),
	'hostile-failure': () => failed(HOSTILE_FAILURE),
	cancelled: () => ({ conclusion: { kind: 'cancelled' }, context: CONTEXT }),
	'nothing-relevant-changed': () => ({
		conclusion: { kind: 'unchanged', base: { label: 'main@1a2b3c4' }, head: { label: 'docs@9f8e7d6' } },
		context: CONTEXT,
	}),
	'missing-permission': () => compared('improved', { warnings: [missingPermission] }),
};

/** At the start of measuring. */
export const MEASURING: MeasuringContext = {
	headSha: SHA,
	baseLabel: 'main@1a2b3c4',
	startedAt: '2026-11-21T09:30:12.000Z',
	expectedMinutes: 9.4,
	runUrl: RUN_URL,
};

export function commentCase(name: string): CommentCase {
	const make = COMMENT_CASES[name];
	if (!make) throw new Error(`There is no comment case ${name}.`);
	return make();
}
