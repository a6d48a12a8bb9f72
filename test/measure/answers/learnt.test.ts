import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Answer } from '../../../src/measure/answers/answer.ts';
import { mayExpire, readLearnt, withLearnt } from '../../../src/measure/answers/learnt.ts';
import type { Learn } from '../../../src/types/config.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const request = { method: 'GET', path: '/me', headers: {} };
const learn = (from: Learn['from'], rest: Partial<Learn> = {}): Learn => ({
	...{ request, expect: { status: [200] }, from, sendAs: 'authorization' },
	...rest,
});
const answer = (rest: Partial<Answer>): Answer => ({ status: 200, headers: {}, body: '', bytes: 0, ...rest });
const read = (from: Learn['from'], rest: Partial<Answer>, more: Partial<Learn> = {}) =>
	readLearnt(learn(from, more), answer(rest), NOW);

test('a value of a JSON body is learnt, as text', () => {
	const body = JSON.stringify({ data: { tokens: [{ access: 'abc' }], id: 7, none: null } });
	assert.equal(read({ json: '$.data.tokens[0].access' }, { body }), 'abc');
	assert.equal(read({ json: '$.data.id' }, { body }), '7');
	assert.equal(read({ json: '$.data.tokens[0].access' }, { body }, { template: 'Bearer {{value}}' }), 'Bearer abc');
	for (const json of [
		'$.data.none',
		'$.data.tokens',
		'$.data.tokens[1].access',
		'$.constructor',
		'$.data.tokens.length',
	])
		assert.equal((read({ json }, { body }) as { code: string }).code, 'wrong-body', json);
	assert.deepEqual(read({ json: '$.a' }, { body: 'no' }), {
		code: 'wrong-body',
		message: 'body "no" is not JSON, expected a value at $.a',
	});
});

test('a value that is invalid in a header is not learnt', () => {
	for (const token of ['a\r\nhost: b', '', 'é€']) {
		const refusal = read({ json: '$.token' }, { body: JSON.stringify({ token }) });
		assert.match((refusal as { message: string }).message, /cannot be sent in a header$/);
	}
});

test('cookies go back as pairs, without attributes; the last of a name counts, and expired ones do not', () => {
	const cookies = [
		'theme=dark; Path=/; Max-Age=3600',
		'sid=a1=b; Path=/; HttpOnly; SameSite=Lax; Expires=Wed, 21 Oct 2099 07:28:00 GMT',
		'old=1; Max-Age=0',
		'gone=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT',
		'kept=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT; max-age=60',
		'theme=light',
		'; Path=/',
		'nonsense',
	];
	assert.equal(read({ header: 'set-cookie' }, { cookies }), 'theme=light; sid=a1=b; kept=1');
	assert.equal(read({ cookie: 'sid' }, { cookies }), 'a1=b');
	assert.deepEqual(read({ cookie: 'old' }, { cookies }), { code: 'wrong-header', message: 'it sets no cookie "old"' });
	assert.deepEqual(read({ header: 'set-cookie' }, {}), { code: 'wrong-header', message: 'it sets no cookie' });
});

test('a header is learnt verbatim', () => {
	assert.equal(read({ header: 'etag' }, { headers: { etag: 'W/"1"' } }), 'W/"1"');
	assert.deepEqual(read({ header: 'etag' }, {}), { code: 'wrong-header', message: 'header etag is missing' });
});

test('learnt cookies join those of the request', () => {
	const withCookie = { ...request, headers: { cookie: 'lang=en', accept: '*/*' } };
	const sent = (sendAs: string, value: string) =>
		withLearnt(withCookie, learn({ cookie: 'sid' }, { sendAs }), value).headers;
	assert.deepEqual(sent('cookie', 'sid=1'), { accept: '*/*', cookie: 'lang=en; sid=1' });
	assert.deepEqual(sent('x-csrf', '1'), { accept: '*/*', cookie: 'lang=en', 'x-csrf': '1' });
});

test('values that make a request conditional do not expire', () => {
	assert.equal(mayExpire(learn({ header: 'etag' }, { sendAs: 'if-none-match' })), false);
	assert.equal(mayExpire(learn({ json: '$.token' })), true);
});
