import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Answer, childPath, isObject } from '../../../src/measure/answers/answer.ts';
import { findMismatch, matchAnswer } from '../../../src/measure/answers/match-answer.ts';
import { AnyKind } from '../../../src/text/placeholders.ts';
import type { Expectation } from '../../../src/types/config.ts';

function answer(body: string, fields: Partial<Answer> = {}): Answer {
	return { status: 200, headers: {}, body, bytes: Buffer.byteLength(body), ...fields };
}

const matchJson = (json: unknown, document: unknown) =>
	matchAnswer({ status: [200], json }, answer(JSON.stringify(document)));

/** JSON documents; strings in angle brackets would be placeholders. */
const documents = fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.parse(JSON.stringify(value).replaceAll('<', '(')));

/** Every leaf of a document (empty arrays and objects are leaves) with its path and a way to replace it. */
function leaves(document: unknown, path = '$'): { path: string; change: (to: unknown) => unknown }[] {
	if (Array.isArray(document) && document.length > 0) {
		return document.flatMap((item, index) =>
			leaves(item, childPath(path, index)).map((leaf) => ({
				path: leaf.path,
				change: (to: unknown) => document.with(index, leaf.change(to)),
			})),
		);
	}
	if (isObject(document) && Object.keys(document).length > 0) {
		return Object.entries(document).flatMap(([key, value]) =>
			leaves(value, childPath(path, key)).map((leaf) => ({
				path: leaf.path,
				change: (to: unknown) =>
					Object.fromEntries(Object.entries(document).map(([k, v]) => [k, k === key ? leaf.change(to) : v])),
			})),
		);
	}
	return [{ path, change: (to) => to }];
}

test('a document always matches itself', () => {
	fc.assert(fc.property(documents, (document) => assert.equal(matchJson(document, document), null)));
});

test('any changed leaf is reported with its path', () => {
	const changes = documents.chain((document) =>
		fc.constantFrom(...leaves(document)).map((leaf) => ({ document, ...leaf })),
	);
	fc.assert(
		fc.property(changes, ({ document, path, change }) => {
			const why = matchJson(document, change('changed by the test'));
			assert.ok(why?.startsWith(`body at ${path} is "changed by the test" instead of `), `${why} at ${path}`);
		}),
	);
});

test('unexpected keys are allowed, at every depth', () => {
	assert.equal(matchJson({ user: { id: 1 } }, { user: { id: 1, name: 'x' }, extra: true }), null);
	assert.equal(matchJson({}, { anything: 1 }), null);
});

const JSON_TYPED: Expectation = { status: [200], headers: { 'content-type': '<json>' } };

test('JSON has its type with any parameters', () => {
	for (const type of ['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset=UTF-8']) {
		assert.equal(matchAnswer(JSON_TYPED, answer('{}', { headers: { 'content-type': type } })), null, type);
	}
});

const mismatches: readonly [title: string, expect: Expectation, answer: Answer, why: string][] = [
	[
		'a wrong status shows the body',
		{ status: [200] },
		answer('{"error":"no"}', { status: 403 }),
		'status 403 instead of 200, with body "{\\"error\\":\\"no\\"}"',
	],
	[
		'a status outside the list',
		{ status: [201, 429] },
		answer('', { status: 200 }),
		'status 200 instead of 201 or 429',
	],
	[
		'JSON labelled as text',
		JSON_TYPED,
		answer('{}', { headers: { 'content-type': 'text/plain' } }),
		'header content-type is "text/plain" instead of <json>',
	],
	[
		'a type that only begins like JSON',
		JSON_TYPED,
		answer('{}', { headers: { 'content-type': 'application/jsonl' } }),
		'header content-type is "application/jsonl" instead of <json>',
	],
	['JSON without a type', JSON_TYPED, answer('{}'), 'header content-type is missing, expected <json>'],
	['a missing header', { status: [200], headers: { etag: '<any>' } }, answer(''), 'header etag is missing'],
	[
		'a missing header with a value',
		{ status: [200], headers: { vary: 'origin' } },
		answer(''),
		'header vary is missing, expected "origin"',
	],
	[
		'another header value',
		{ status: [200], headers: { 'content-encoding': 'gzip' } },
		answer('', { headers: { 'content-encoding': 'br' } }),
		'header content-encoding is "br" instead of "gzip"',
	],
	['another text', { status: [200], text: 'Hello' }, answer('hello'), 'body is "hello" instead of "Hello"'],
	['another length', { status: [200], bodyBytes: 0 }, answer('hi'), 'body of 2 bytes instead of 0: "hi"'],
	['no JSON', { status: [200], json: { ok: true } }, answer('<p>'), 'body "<p>" is not JSON, expected {"ok":true}'],
	[
		'a missing key',
		{ status: [200], json: { a: { b: 1 } } },
		answer('{"a":{}}'),
		'body at $.a.b is missing, expected 1',
	],
	[
		'an inherited name is no key',
		{ status: [200], json: { toString: 1 } },
		answer('{}'),
		'body at $.toString is missing, expected 1',
	],
	['an odd key', { status: [200], json: { 'a b': 1 } }, answer('{"a b":2}'), 'body at $["a b"] is 2 instead of 1'],
	['a shorter array', { status: [200], json: [1, 2] }, answer('[1]'), 'body at $ has 1 items instead of 2: [1]'],
	['an object for an array', { status: [200], json: [1] }, answer('{"0":1}'), 'body at $ is {"0":1} instead of [1]'],
	['an array for an object', { status: [200], json: {} }, answer('[]'), 'body at $ is [] instead of {}'],
	[
		'a number as string',
		{ status: [200], json: { id: 42 } },
		answer('{"id":"42"}'),
		'body at $.id is "42" instead of 42',
	],
	[
		'a placeholder of another kind',
		{ status: [200], json: ['<uuid>'] },
		answer('["x"]'),
		'body at $[0] is "x" instead of <uuid>',
	],
];

for (const [title, expect, received, why] of mismatches) {
	test(`a mismatch is named: ${title}`, () => assert.equal(matchAnswer(expect, received), why));
}

test('an optional header may be missing and has any value', () => {
	const expect: Expectation = { status: [200], headers: { etag: '<optional>' } };
	assert.equal(matchAnswer(expect, answer('')), null);
	assert.equal(matchAnswer(expect, answer('', { headers: { etag: '"1"' } })), null);
});

test('the fault code names the kind of error', () => {
	const expect: Expectation = { status: [200], text: 'a', headers: { x: '1' } };
	const codes = [
		answer('b', { status: 500 }),
		answer('b'),
		answer('b', { headers: { x: '1' } }),
		answer('a', { headers: { x: '1' } }),
	].map((received) => findMismatch(expect, received)?.code);
	assert.deepEqual(codes, ['wrong-status', 'wrong-header', 'wrong-body', undefined]);
});

test('placeholders match by kind', () => {
	const uuid = '0b8f5d1e-6a51-4f0e-9d8b-1c2d3e4f5a6b';
	const expected = { any: '<any>', string: '<string>', number: '<number>', uuid: '<uuid>' };
	assert.equal(matchJson(expected, { any: null, string: '', number: -1.5, uuid }), null);
	for (const wrong of [{ string: 1 }, { number: '1' }, { uuid: 'x' }, { any: undefined }]) {
		assert.notEqual(matchJson(expected, { any: 0, string: '', number: 1, uuid, ...wrong }), null);
	}
});

test('the body of another allowed status is not compared', () => {
	const expect: Expectation = { status: [201, 429], json: { id: 1 }, bodyBytes: 8, text: '{"id":1}' };
	assert.equal(matchAnswer(expect, answer('slow down', { status: 429 })), null);
	assert.notEqual(matchAnswer(expect, answer('slow down', { status: 201 })), null);
});

test('long values are cut at 200 characters', () => {
	const why = matchAnswer({ status: [200], text: 'short' }, answer('x'.repeat(5000)));
	assert.equal(why, `body is "${'x'.repeat(198)}… instead of "short"`);
});

test('an integer beyond any number type is a number, and equals its text in a data file', () => {
	const big = answer('{"id":197038439483310086}');
	assert.equal(matchAnswer({ status: [200], json: { id: '<number>' } }, big), null);
	assert.equal(matchAnswer({ status: [200], json: { id: new AnyKind('197038439483310086') } }, big), null);
	assert.equal(
		matchAnswer({ status: [200], json: { id: 197038439483310080 } }, big),
		'body at $.id is 197038439483310086 instead of 197038439483310080',
	);
});
