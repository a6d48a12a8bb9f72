import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'yaml';
import { userErrorOf, warningOf } from '../../src/github/api-failure.ts';
import { MESSAGE_LIMIT, plainText } from '../../src/text/escape.ts';
import { UserError } from '../../src/types/errors.ts';

const ATTEMPT = { what: 'write the comment on #123456', needs: { 'pull-requests': 'write', checks: 'write' } } as const;

function failed(status: number, message = 'Resource not accessible by integration'): Error {
	return Object.assign(new Error(message), { status });
}

for (const fromFork of [false, true]) {
	test(`the YAML survives a report’s one line, whole and valid: ${fromFork ? 'fork' : 'own'}`, () => {
		const { message } = warningOf(failed(403), { ...ATTEMPT, fromFork });
		assert.equal(plainText(message, MESSAGE_LIMIT), message);
		const yaml = message.slice(message.indexOf('permissions: {'));
		assert.deepEqual(parse(yaml), {
			permissions: {
				...(fromFork && { actions: 'read' }),
				contents: 'read',
				'pull-requests': 'write',
				checks: 'write',
			},
		});
	});
}

for (const [status, message, code] of [
	[401, 'Bad credentials', 'missing-permission'],
	[403, 'Resource not accessible by personal access token', 'missing-permission'],
	[403, 'Must have admin rights to Repository.', 'missing-permission'],
	[403, 'You have exceeded a secondary rate limit', 'github-unreachable'],
	[403, 'Unable to create comment because issue is locked.', 'github-refused'],
	[404, 'Not Found', 'missing-permission'],
	[422, 'Validation Failed', 'github-refused'],
	[429, 'Too many', 'github-unreachable'],
	[500, 'other side closed', 'github-unreachable'],
	[503, 'Unicorn', 'github-unreachable'],
] as const) {
	test(`${status} ${message}: ${code}`, () => {
		assert.equal(warningOf(failed(status, message), ATTEMPT).code, code);
		assert.equal(userErrorOf(failed(status, message), ATTEMPT).code, code);
	});
}

test('if the client gives up on a rate limit, GitHub is out of reach', () => {
	const limit = new UserError({ code: 'github-rate-limit', message: 'The limit is used up.', remedy: 'Wait.' });
	const warning = warningOf(limit, ATTEMPT);
	assert.equal(warning.code, 'github-unreachable');
	assert.match(warning.message, /The limit is used up\./);
});

test('other errors than failed requests are rethrown', () => {
	for (const bug of [
		new TypeError('x is not a function'),
		new UserError({ code: 'other', message: 'm' }),
		'text',
		null,
	]) {
		assert.throws(
			() => warningOf(bug, ATTEMPT),
			(error) => error === bug,
		);
	}
});

test('GitHub’s message is quoted as one short line', () => {
	const { message } = warningOf(failed(422, `a\n\u202e${'b'.repeat(5000)}`), ATTEMPT);
	assert.ok(message.length < MESSAGE_LIMIT);
	assert.doesNotMatch(message, /[\n\u202e]/);
});
