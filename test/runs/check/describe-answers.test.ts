import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeAnswers } from '../../../src/runs/check/describe-answers.ts';
import type { Fault } from '../../../src/types/round.ts';

type Asked = Parameters<typeof describeAnswers>[0];

/** Advice of `check` when the only cell has these faults. */
function remedyOf(...faults: readonly Fault[]): string {
	const [fault, ...others] = faults;
	const request = {
		plan: { cells: [{ id: 'api/feed' }] },
		planned: { oneSided: [], leftOut: [] },
		refused: [{ cell: 'api/feed', fault, others }],
	};
	const [finding] = describeAnswers(request as unknown as Asked);
	assert.ok(finding?.kind === 'problem');
	return finding.remedy ?? '';
}

test('the advice fits: a stream, no answer at all, a wrong one', () => {
	const on = (code: string): Fault => ({ code, side: 'base', message: 'it did' });
	assert.match(remedyOf(on('endless-answer')), /leave the scenario out if its answer is a stream/);
	assert.match(remedyOf(on('no-answer'), on('endless-answer')), /stream/);
	assert.match(remedyOf(on('no-answer')), /by hand/);
	assert.match(remedyOf(on('wrong-body')), /correct the scenario's expect/);
	assert.match(remedyOf(on('wrong-protocol'), on('no-answer')), /without TLS and HTTP\/2/);
	assert.match(remedyOf(on('limited')), /switch the limiter off/);
	assert.match(remedyOf(on('unexpected-answers')), /server's log/);
	const crashed = { ...on('crashed'), message: 'it cannot listen on port 9464, which another process has taken' };
	assert.match(remedyOf(crashed), /METRICS_PORT=/);
	const exited = (printed: string) => remedyOf({ ...on('not-started'), message: `it exited; it printed: ${printed}` });
	for (const printed of [
		'Error: API_KEY is required',
		"KeyError: 'DATABASE_URL'",
		'Missing environment variables:\n    JWT_SECRET: undefined',
	]) {
		assert.match(exited(printed), /variables that it needs into env of the server/);
	}
	assert.doesNotMatch(exited('Error: ERR_MODULE_NOT_FOUND: x is not defined'), /variables that it needs into env of/);
	const python = "the base server exited at start: exit code 1; it failed with KeyError in app.py:3: 'API_KEY'";
	assert.match(
		remedyOf({ ...on('exited-at-start'), message: python }),
		/variables that it needs into env of the server/,
	);
	const redirected = { ...on('wrong-status'), message: 'status 301, with location "https://127.0.0.1/"' };
	assert.match(remedyOf(redirected), /x-forwarded-proto: https/);
});

test('a fault of both sides is reported once', () => {
	const on = (side: 'base' | 'head', code: number): Fault => ({
		code: 'exited-at-start',
		side,
		message: `the ${side} server api exited at start: exit code ${code}`,
	});
	const textOf = (...[fault, ...others]: readonly [Fault, ...Fault[]]) => {
		const asked = {
			plan: { cells: [{ id: 'api/feed' }] },
			planned: { oneSided: [], leftOut: [] },
			refused: [{ cell: 'api/feed', fault, others }],
		};
		return describeAnswers(asked as unknown as Asked)[0]?.text;
	};
	assert.equal(
		textOf(on('base', 1), on('head', 1)),
		'api/feed: on both sides the server api exited at start: exit code 1',
	);
	assert.equal(textOf(on('base', 1)), 'api/feed: the base server api exited at start: exit code 1');
	assert.match(textOf(on('base', 1), on('head', 2)) ?? '', /the base server api .* 1; the head server api .* 2$/);
});

test('headers that only one side sends are noted once for all servers', () => {
	const message = 'Head adds "x-id" in its answers to GET /; the change includes the cost of these headers.';
	const remarked = { body: '', remarks: [{ code: 'other-headers', side: null, message }] };
	const request = {
		plan: { cells: [{ id: 'api/feed' }, { id: 'web/feed' }] },
		planned: { oneSided: [], leftOut: [] },
		refused: [],
		setup: {
			config: { scenarios: [] },
			answered: new Map([
				['api/feed', remarked],
				['web/feed', remarked],
			]),
		},
	};
	assert.deepEqual(
		describeAnswers(request as unknown as Asked).flatMap(({ kind, text }) => (kind === 'note' ? [text] : [])),
		[`api/feed, web/feed: ${message.slice(0, -1)}`],
	);
});

test('a header that may differ is allowed by one line', () => {
	const on = (difference: string): Fault => ({
		code: 'bodies-differ',
		side: null,
		message: `base and head disagree on GET /: ${difference}`,
	});
	assert.match(remedyOf(on('header etag is missing on head')), / write headers: \{ etag: <optional> \} into expect/);
	assert.match(remedyOf(on('headers etag, vary are missing on head')), /\{ etag: <optional>, vary: <optional> \}/);
	assert.match(remedyOf(on('header vary is "a" on base but "b" on head')), /\{ vary: <optional> \}/);
	assert.match(remedyOf(on('header etag differs in each answer of base but not on head')), /\{ etag: <optional> \}/);
	assert.match(remedyOf(on('body at $.a is 1 on base but 2 on head')), /expect\.json/);
});

test('an answer with a fine status and the body of an error gets a note', () => {
	const notesOn = (body: string, expect: object = {}) => {
		const config = { scenarios: [{ name: 'tags', expect: { status: [200], ...expect } }] };
		const request = {
			plan: { cells: [{ id: 'api/tags', scenario: 'tags' }] },
			planned: { oneSided: [], leftOut: [] },
			refused: [],
			setup: { config, answered: new Map([['api/tags', { body, remarks: [] }]]) },
		};
		return describeAnswers(request as unknown as Asked).filter(({ kind }) => kind === 'note');
	};
	for (const body of [
		'{"code":20001,"msg":"no token","data":null}',
		'{"errors":[{"message":"no field"}],"data":null}',
		'{"success":false}',
		'{"error":"not allowed"}',
		'{"status":"error"}',
	]) {
		assert.match(notesOn(body)[0]?.text ?? '', /^api\/tags may measure an error: it answers \{"/, body);
	}
	for (const body of [
		'{"code":200}',
		'{"code":0}',
		'{"errors":[],"error":null}',
		'[{"error":"x"}]',
		'<p>error</p>',
		'',
	]) {
		assert.deepEqual(notesOn(body), [], body);
	}
	assert.deepEqual(notesOn('{"success":false}', { json: { success: false } }), []);
	assert.deepEqual(notesOn('{"success":false}', { status: [404] }), []);
});
