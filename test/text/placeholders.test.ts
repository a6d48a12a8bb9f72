import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
	type AnyKind,
	fillExpectation,
	fillRequest,
	placeholdersOf,
	restorePlaceholders,
} from '../../src/text/placeholders.ts';
import type { HttpRequest } from '../../src/types/config.ts';

const request = (rest: Partial<HttpRequest>): HttpRequest => ({ method: 'POST', path: '/', headers: {}, ...rest });
const anyText = fc.string({ unit: 'binary' });
const value = fc.oneof(anyText, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean());

test('a value is one segment of a path, whatever it is', () => {
	fc.assert(
		fc.property(anyText, (id) => {
			const { path } = fillRequest(request({ path: '/users/{{id}}/orders?of={{id}}' }), { id });
			assert.match(path, /^\/users\/[!"$-.0-~]*\/orders\?of=[!"$-~]*$/);
			const { pathname, searchParams } = new URL(`http://x${path.replace(/^\/users\/\.+\//, '/users/x/')}`);
			assert.equal(pathname.split('/').length, 4);
			assert.equal(searchParams.get('of'), id.toWellFormed());
		}),
	);
});

test('a filled JSON body is valid, with values of the right kind in place of their placeholders', () => {
	fc.assert(
		fc.property(value, anyText, (id, name) => {
			const written = { id: '{{id}}', greeting: 'Say "{{name}}"', list: ['{{id}}', '{{other}}'], '{{name}}': 1 };
			const body = JSON.stringify(written);
			const filled = JSON.parse(fillRequest(request({ body, bodyKind: 'json' }), { id, name }).body ?? '');
			// JSON has no negative zero.
			const kept = JSON.parse(JSON.stringify(id));
			assert.deepEqual(filled, { id: kept, greeting: `Say "${name}"`, list: [kept, '{{other}}'], [name]: 1 });
		}),
	);
});

test('a placeholder in a value is not filled again', () => {
	const row = { id: '{{name}}', name: 'x' };
	const body = JSON.stringify(['{{id}}', '-{{id}}-']);
	assert.equal(fillRequest(request({ body, bodyKind: 'json' }), row).body, '["{{name}}","-{{name}}-"]');
	assert.equal(fillRequest(request({ body: '{{id}}' }), row).body, '{{name}}');
});

test('a URL-encoded body gives the values back, and any other body has them verbatim', () => {
	const encoded = restorePlaceholders(new URLSearchParams({ name: '{{name}}', braces: '{}' }).toString());
	fc.assert(
		fc.property(anyText, (name) => {
			const { body } = fillRequest(request({ body: encoded, bodyKind: 'form' }), { name });
			assert.deepEqual(
				[...new URLSearchParams(body)],
				[
					['name', name.toWellFormed()],
					['braces', '{}'],
				],
			);
			assert.equal(fillRequest(request({ body: '<{{name}}>' }), { name }).body, `<${name}>`);
		}),
	);
});

test('headers are filled, and placeholders are recognised in every part of a request', () => {
	const template = request({ path: '/{{a}}', headers: { authorization: 'Bearer {{b}}' }, body: '{{c}} {{ d }} {{5}}' });
	assert.deepEqual(placeholdersOf(template), ['a', 'b', 'c']);
	assert.deepEqual(fillRequest(template, { a: 1, b: 't', c: true }).headers, { authorization: 'Bearer t' });
});

test('the expected answer is filled too; a JSON value may come as text or as a number', () => {
	const filled = fillExpectation(
		{
			status: [200],
			json: { user: { id: '{{id}}' }, path: '/users/{{id}}', n: 1 },
			headers: { location: '/{{id}}' },
			headersOf: { 429: { link: '/{{id}}' } },
		},
		{ id: '7' },
	);
	assert.deepEqual(filled.headers, { location: '/7' });
	assert.deepEqual(filled.headersOf, { 429: { link: '/7' } });
	const { user, path, n } = filled.json as { user: { id: AnyKind }; path: string; n: number };
	assert.deepEqual([path, n], ['/users/7', 1]);
	assert.deepEqual(
		[7, '7', 8, null, { toString: () => '7' }].map((received) => user.id.matches(received)),
		[true, true, false, false, false],
	);
	assert.equal(fillExpectation({ status: [200], text: 'user {{id}}' }, { id: true }).text, 'user true');
});
