import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ActionRequest } from '../../../src/types/action-run.ts';
import { isUserError } from '../../../src/types/errors.ts';
import { type Payload, payloadsOf, requestFor } from './example-events.ts';

const EVENTS = [
	'pull_request',
	'merge_group',
	'push',
	'workflow_dispatch',
	'schedule',
	'workflow_run',
	'issue_comment',
] as const;
const CODES = ['bad-event', 'unsafe-event', 'wrong-mode', 'unsupported-event'];
const SHA = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** Payloads with the fields that are read, so that mutations have something to break. */
const seeds = EVENTS.map(
	(name) => [name, payloadsOf(name).map((payload, index) => enliven(name, payload, index))] as const,
);

function enliven(name: string, payload: Payload, index: number): Payload {
	if (name === 'issue_comment') {
		Object.assign(payload, { action: 'created' });
		Object.assign(payload.issue, { state: 'open', pull_request: {} });
		payload.comment.body = index % 2 === 0 ? '/benchgate ping threshold=5%' : '/benchgate threshold=5';
	}
	if (name === 'workflow_run') Object.assign(payload, { action: 'completed' });
	if (name === 'push')
		Object.assign(payload, { ref: 'refs/heads/main', before: 'a'.repeat(40), after: 'b'.repeat(40) });
	return payload;
}

/** Fields that are read; mutations sometimes hit other parts of a payload. */
const READ = [
	...['action', 'ref', 'before', 'after', 'pull_request', 'pull_request.number'],
	...['pull_request.head', 'pull_request.head.sha', 'pull_request.head.repo'],
	...['pull_request.head.repo.full_name', 'pull_request.base.sha'],
	...['merge_group', 'merge_group.head_sha', 'merge_group.base_sha', 'merge_group.base_ref', 'repository'],
	...[
		'repository.default_branch',
		'workflow_run',
		'workflow_run.id',
		'workflow_run.run_attempt',
		'workflow_run.html_url',
	],
	...['workflow_run.head_sha', 'workflow_run.head_branch', 'workflow_run.head_repository', 'workflow_run.event'],
	...['workflow_run.head_repository.full_name', 'workflow_run.repository', 'workflow_run.repository.id'],
	...[
		'workflow_run.conclusion',
		'workflow_run.pull_requests',
		'issue',
		'issue.number',
		'issue.state',
		'issue.pull_request',
	],
	...['comment', 'comment.id', 'comment.body', 'comment.user', 'comment.user.login'],
];

const hostile = fc.oneof(
	fc.constantFrom<unknown>(
		null,
		undefined,
		true,
		'',
		0,
		-1,
		1.5,
		Number.POSITIVE_INFINITY,
		Number.NaN,
		[],
		{},
		'__proto__',
		'constructor',
	),
	fc.constantFrom<unknown>(
		'0'.repeat(40),
		'g'.repeat(40),
		'-'.repeat(40),
		'../../etc',
		'\u202e',
		'::error::x',
		'x'.repeat(1e5),
	),
	fc.constantFrom<unknown>([null, 1, { number: 'x', base: { repo: { id: 1 } } }], { toString: 1 }, { length: -1 }),
	fc.constantFrom<unknown>(
		'/benchgate',
		'/benchgate threshold=1e9%',
		'/benchgate -v',
		'/benchgate \u202e',
		'/benchgate x=1',
		'refs/tags/v1',
		'refs/heads/-x',
		'javascript:x',
	),
	fc.string({ unit: 'binary' }),
	fc.jsonValue(),
);

interface Mutation {
	readonly path: string;
	readonly value: unknown;
	readonly remove: boolean;
}

/** One of the payloads, and some places of it to break. */
const seed = fc
	.constantFrom(...seeds)
	.chain(([name, payloads]) => fc.tuple(fc.constant(name), fc.constantFrom(...payloads)));
const broken = seed.chain(([name, payload]) => {
	const paths = READ.filter((path) => Object.hasOwn(payload, path.split('.')[0] ?? ''));
	const path = fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...paths) }, { weight: 1, arbitrary: fc.string() });
	const mutation: fc.Arbitrary<Mutation> = fc.record({ path, value: hostile, remove: fc.boolean() });
	return fc.tuple(fc.constant(name), fc.constant(payload), fc.array(mutation, { minLength: 1, maxLength: 3 }));
});

/** Changes one place of a payload if it exists. */
function mutate(payload: Payload, { path, value, remove }: Mutation): void {
	const keys = path.split('.');
	const last = keys.pop() ?? '';
	let place = payload;
	for (const key of keys) place = Object.hasOwn(Object(place), key) ? place[key] : undefined;
	if (typeof place !== 'object' || place === null) return;
	if (remove) delete place[last];
	else Object.defineProperty(place, last, { value, enumerable: true, configurable: true, writable: true });
}

/** Invariants of every request. */
function check(request: ActionRequest): void {
	if (request.kind === 'compare') {
		assert.match(request.head, SHA);
		assert.match(request.checkSha, SHA);
		if (request.base.kind === 'commit') assert.match(request.base.sha, SHA);
		if (request.pullRequest !== null) assert.ok(Number.isSafeInteger(request.pullRequest.number));
		assert.doesNotMatch(request.title, /\p{Cc}/u);
	} else if (request.kind === 'report') {
		const { run, headSha, headRepository, pullRequests } = request.measured;
		assert.match(headSha, SHA);
		assert.match(headRepository, /^[\w.-]+\/[\w.-]+$/);
		for (const id of [run.id, run.attempt, ...pullRequests]) assert.ok(Number.isSafeInteger(id) && id > 0);
	} else if (request.kind === 'command') {
		if ('problem' in request.command) assert.doesNotMatch(request.command.problem, /\p{Cc}/u);
		else for (const name of request.command.scenarios) assert.match(name, /^[\w.-]{1,64}$/);
	}
}

test('a mutated payload gives a sound request or a UserError: 10,000 cases', () => {
	const seen = new Map<string, number>();
	fc.assert(
		fc.property(broken, fc.constantFrom('auto', 'compare'), ([name, original, mutations], mode) => {
			const payload = structuredClone(original);
			for (const one of mutations) mutate(payload, one);
			const outcome = outcomeOf(name, payload, mode);
			seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
		}),
		{ numRuns: 10_000, seed: 4 },
	);
	// Guard: the mutations reach every outcome.
	for (const outcome of ['compare', 'report', 'command', 'nothing', 'bad-event', 'unsafe-event']) {
		assert.ok((seen.get(outcome) ?? 0) >= 20, `${outcome}: ${JSON.stringify([...seen])}`);
	}
});

test('anything in place of a payload gives a request or a UserError', () => {
	const any = fc.oneof(fc.anything(), hostile);
	fc.assert(
		fc.property(fc.constantFrom(...EVENTS), any, (name, payload) => {
			outcomeOf(name, payload, 'auto');
		}),
		{ numRuns: 2000, seed: 4 },
	);
});

function outcomeOf(name: string, payload: unknown, mode: string): string {
	try {
		const request = requestFor(name, payload, { mode });
		check(request);
		return request.kind;
	} catch (error) {
		assert.ok(isUserError(error), error instanceof Error ? error.stack : String(error));
		assert.ok(CODES.includes(error.code), error.code);
		assert.ok(error.message.length < 500, error.message);
		assert.doesNotMatch(error.message, /\p{Cc}|\p{Bidi_Control}/u);
		return error.code;
	}
}
