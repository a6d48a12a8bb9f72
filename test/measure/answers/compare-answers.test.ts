import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Answer } from '../../../src/measure/answers/answer.ts';
import { compareAnswers } from '../../../src/measure/answers/compare-answers.ts';

const text = (body: string, status = 200): Answer => ({ status, headers: {}, body, bytes: Buffer.byteLength(body) });
const json = (document: unknown, status = 200) => text(JSON.stringify(document), status);
const compare = (base: readonly unknown[], head: readonly unknown[]) =>
	compareAnswers(
		base.map((document) => json(document)),
		head.map((document) => json(document)),
	);

test('a document equals itself, whatever the order of its keys', () => {
	fc.assert(
		fc.property(fc.jsonValue(), (document) => assert.equal(compare([document, document], [document, document]), null)),
	);
	assert.equal(compareAnswers([text('{"a":1,"b":2}')], [text('{"b":2,"a":1}')]), null);
});

test('a difference is named with its path and both values', () => {
	assert.equal(
		compare([{ user: { id: 1, tags: ['a', 'b'] } }], [{ user: { id: 1, tags: ['a', 'c'] } }]),
		'body at $.user.tags[1] is "b" on base but "c" on head',
	);
	assert.equal(compare([{ a: 1 }], [{ a: 1, b: null }]), 'body at $.b is nothing on base but null on head');
	assert.equal(compare([[1]], [[1, 2]]), 'body at $ is [1] on base but [1,2] on head');
	assert.equal(compare([{}], [[]]), 'body at $ is {} on base but [] on head');
});

test('statuses are compared', () => {
	assert.equal(compareAnswers([json({}, 200)], [json({}, 201)]), 'status 200 on base but 201 on head');
});

test('what differs between two answers of one side is dynamic and not compared', () => {
	assert.equal(
		compare(
			[
				{ at: 1, n: 5 },
				{ at: 2, n: 5 },
			],
			[
				{ at: 9, n: 5 },
				{ at: 9, n: 5 },
			],
		),
		null,
	);
	assert.equal(compare([{ ids: ['a'] }, { ids: ['a', 'b'] }], [{ ids: ['x'] }, { ids: ['x'] }]), null);
	assert.equal(compare([{}, {}], [{ trace: 1 }, {}]), null);
	assert.equal(
		compare(
			[
				{ at: 1, n: 5 },
				{ at: 2, n: 5 },
			],
			[
				{ at: 3, n: 6 },
				{ at: 4, n: 6 },
			],
		),
		'body at $.n is 5 on base but 6 on head',
	);
	assert.equal(compareAnswers([text('', 201), text('', 429)], [text('', 201), text('', 201)]), null);
});

test('bodies that are not JSON are compared as text', () => {
	assert.equal(compareAnswers([text('Hello')], [text('Hello')]), null);
	assert.equal(
		compareAnswers([text('Hello, base')], [text('Hello, head')]),
		'body differs from character 8 on: "base" on base but "head" on head',
	);
	assert.equal(compareAnswers([text('1 ms'), text('2 ms')], [text('3 ms'), text('3 ms')]), null);
	assert.equal(
		compareAnswers([text('{}')], [text('')]),
		'body differs from character 1 on: "{}" on base but "" on head',
	);
});

test('a hostile depth does not exhaust the stack', () => {
	const deep = (at: string) => text('['.repeat(200_000) + at + ']'.repeat(200_000));
	assert.equal(compareAnswers([deep('1')], [deep('1')]), null);
	assert.match(compareAnswers([deep('1')], [deep('2')]) ?? '', /^body differs from character 200001 on/);
});

test('integers that no number can hold are compared by their digits', () => {
	const of = (digits: string) => [text(`{"id":[${digits}]}`)];
	assert.equal(compareAnswers(of('197038439483310086'), of('197038439483310086')), null);
	assert.equal(
		compareAnswers(of('197038439483310086'), of('197038439483310087')),
		'body at $.id[0] is 197038439483310086 on base but 197038439483310087 on head',
	);
	assert.match(compareAnswers(of('197038439483310080'), of('197038439483310086')) ?? '', /310080 on base/);
	// Many digits are read in no time.
	assert.equal(compareAnswers(of('9'.repeat(1_000_000)), of('9'.repeat(1_000_000))), null);
});
