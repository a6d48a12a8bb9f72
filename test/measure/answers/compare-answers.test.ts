import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { Answer } from '../../../src/measure/answers/answer.ts';
import { compareAnswers, describeOtherHeaders, type Tolerated } from '../../../src/measure/answers/compare-answers.ts';

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

test('head compresses whenever base does', () => {
	const whole = json(Array.from({ length: 400 }, (_, id) => ({ id, name: `user ${id}` })));
	const as = (encoding: string, wireBytes: number): Answer => ({
		...whole,
		headers: { 'content-encoding': encoding },
		wireBytes,
	});
	const zipped = (level: number) => as('gzip', gzipSync(whole.body, { level }).length);
	const base = [zipped(6), zipped(6)];
	for (const same of [zipped(1), zipped(9), as('br', brotliCompressSync(whole.body).length)])
		assert.equal(compareAnswers(base, [same]), null);
	assert.match(
		compareAnswers(base, [zipped(6), { ...whole, wireBytes: whole.bytes }]) ?? '',
		/compressed to \d+ of \d+ bytes on base but to (\d+) of \1 bytes on head/,
	);
	assert.match(compareAnswers(base, [as('identity', whole.bytes)]) ?? '', /body compressed/);
	assert.match(compareAnswers(base, [zipped(0)]) ?? '', /body compressed/);
	assert.equal(compareAnswers([whole, whole], [zipped(6)]), null);
	assert.equal(compareAnswers(base, [whole], { expect: { compare: 'status' } }), null);
	const empty = { ...as('gzip', 0), body: '', bytes: 0 };
	assert.equal(compareAnswers([empty, empty], [{ ...empty, headers: {} }]), null);
	const alike = json(Array.from({ length: 1_000 }, () => ({ name: 'user', active: true })));
	const level = (each: number) => ({ ...alike, wireBytes: gzipSync(alike.body, { level: each }).length });
	assert.ok(level(1).wireBytes > level(9).wireBytes);
	assert.equal(compareAnswers([level(9)], [level(1)]), null, 'a lower level may be chosen');
});

test('statuses are compared', () => {
	assert.equal(compareAnswers([json({}, 200)], [json({}, 201)]), 'status 200 on base but 201 on head');
});

test('if base gives several statuses, head gives no other, and answers of one status are compared', () => {
	const created = (id: number) => json({ id, name: 'Ada' }, 201);
	const bases = [created(1), json({ error: 'limit' }, 429)];
	assert.equal(compareAnswers(bases, [created(3), created(4)]), null, 'a single answer does not show what varies');
	assert.equal(compareAnswers(bases, [text('{}', 201)]), 'body of 21 bytes on base but 2 on head');
	assert.equal(compareAnswers(bases, [text('', 204)]), 'status 201 or 429 on base but 204 on head');
	const earlier = [created(2)];
	assert.equal(compareAnswers(bases, [created(3), bases[1] as Answer], { earlier }), null);
	assert.equal(
		compareAnswers(bases, [json({ id: 3, name: 'Bob' }, 201)], { earlier }),
		'body at $.name is "Ada" on base but "Bob" on head',
	);
});

test('values that differ between two answers of base may differ on head', () => {
	assert.equal(
		compare(
			[
				{ at: 1, n: 5 },
				{ at: 2, n: 5 },
			],
			[
				{ at: 8, n: 5 },
				{ at: 9, n: 5 },
			],
		),
		null,
	);
	assert.equal(compare([1, 2], [3, 3]), 'body at $ differs in each answer of base but not on head');
	assert.equal(compare([1, 2, 1], [3, 3, 3]), null, 'one of few values');
	const page = (nonce: string) => text(`<p nonce="${nonce}">hi</p>`);
	assert.equal(
		compareAnswers([page('ab12'), page('cd34')], [page('ef56'), page('ef56')]),
		'body has "ef56" in each answer of head, where each of base has another text',
	);
	assert.equal(compareAnswers([page('ab12'), page('cd34')], [page('ef56'), page('gh78')]), null);
	const session = (id: string): Answer => ({ ...json({}), headers: { 'set-cookie': `sid=${id}` } });
	assert.equal(
		compareAnswers([session('1'), session('2')], [session('3'), session('3')]),
		'header set-cookie differs in each answer of base but not on head',
	);
	assert.equal(compareAnswers([session('1'), session('2')], [session('3'), session('4')]), null);
	assert.equal(compareAnswers([session('1'), session('1')], [session('3'), session('3')]), null);
	assert.equal(compareAnswers([json(1)], [json(3), json(3)], { earlier: [json(2)] }), null, 'of another process');
	assert.equal(compare([{ ids: ['a'] }, { ids: ['a', 'b'] }], [{ ids: ['x'] }, { ids: ['x'] }]), null);
	assert.equal(compare([{ trace: 1 }, {}], [{}, {}]), null);
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
	assert.equal(compareAnswers([text('1 ms'), text('2 ms')], [text('3 ms'), text('4 ms')]), null);
	assert.equal(
		compareAnswers([text('<p>1 ms</p> Hi'), text('<p>2 ms</p> Hi')], [text('<p>3 ms</p> Ho')]),
		'body differs from character 14 on: "i" on base but "o" on head',
		'values that base repeats are still compared',
	);
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

test('integers beyond any number type are compared by their digits', () => {
	const of = (digits: string) => [text(`{"id":[${digits}]}`)];
	assert.equal(compareAnswers(of('197038439483310086'), of('197038439483310086')), null);
	assert.equal(
		compareAnswers(of('197038439483310086'), of('197038439483310087')),
		'body at $.id[0] is 197038439483310086 on base but 197038439483310087 on head',
	);
	assert.match(compareAnswers(of('197038439483310080'), of('197038439483310086')) ?? '', /310080 on base/);
	// Long integers must not take long to parse.
	assert.equal(compareAnswers(of('9'.repeat(1_000_000)), of('9'.repeat(1_000_000))), null);
});

test('such integers are numbers if base varies or expect names a kind', () => {
	const of = (id: string) => text(`{"id":${id}}`);
	const [big, other] = ['1234567890123456789', '1234567890123456788'];
	assert.equal(compareAnswers([of(big), of(other)], [of('1234567890123456787')]), null);
	assert.equal(compareAnswers([of(big), of(other)], [of('1234567890123456')]), null, 'one that a number can hold');
	const expect = { json: { id: '<number>' } };
	assert.equal(compareAnswers([of(big), of(big)], [of(other)], { expect }), null);
	assert.equal(
		compareAnswers([of(big), of(big)], [of('"1"')], { expect }),
		'body at $.id is number on base but text on head ("1")',
	);
	const lists = [text(`[${big}]`), text(`[${big},${other}]`)];
	assert.equal(compareAnswers(lists, [text(`[${other}]`)]), null);
	assert.match(compareAnswers(lists, [text('[]')]) ?? '', /has 1 to 2 items on base but 0 on head/);
});

const tolerating = (tolerated: Tolerated, base: readonly unknown[], head: readonly unknown[]) =>
	compareAnswers(
		base.map((document) => json(document)),
		head.map((document) => json(document)),
		tolerated,
	);

test('a difference among the answers of head alone is a difference', () => {
	assert.match(
		compare([{ v: 'a' }, { v: 'a' }], [{ v: 'a' }, { v: 'x' }]) ?? '',
		/^body at \$\.v is "a" on base but "x"/,
	);
	assert.match(compare([{}, {}], [{ trace: 1 }, {}]) ?? '', /^body at \$\.trace is nothing on base but 1 on head$/);
	const [base, head] = [
		[text('same'), text('same')],
		[text('s4me'), text('5ame')],
	];
	assert.match(compareAnswers(base, head) ?? '', /^body differs from character 2 on/);
	assert.equal(compareAnswers([json({}), json({})], [json({}), json({}, 201)]), 'status 200 on base but 201 on head');
});

test('head answers no less if base varies: kinds, keys and lengths stay', () => {
	const bases = [
		{ at: '12:00:01', id: 'a1b2c3', rows: [{ n: 1, name: 'Ada' }] },
		{ at: '12:00:02', id: 'd4e5f6', rows: [{ n: 2, name: 'Bob' }] },
	];
	const like = { at: '12:00:03', id: '071829', rows: [{ n: 3, name: 'Cyd' }] };
	assert.equal(compare(bases, [like]), null);
	const refused: readonly (readonly [object, RegExp])[] = [
		[{ at: null }, /\$\.at is text on base but null on head/],
		[{ at: '' }, /\$\.at has 8 characters on base but 0 on head/],
		[{ id: 7 }, /\$\.id is text on base but number on head/],
		[{ rows: [] }, /\$\.rows is \[\{"n":1,"name":"Ada"\}\] on base but \[\] on head/],
		[{ rows: [{ n: 3 }] }, /\$\.rows\[0\]\.name is "Ada" on base but nothing on head/],
	];
	for (const [change, why] of refused) assert.match(compare(bases, [{ ...like, ...change }]) ?? '', why);
	assert.match(compare(bases, [{ at: like.at }]) ?? '', /\$\.id is "a1b2c3" on base but nothing on head/);
});

test('lists that vary in length may vary as much on head, and no more', () => {
	const list = (length: number) => ({ items: Array.from({ length }, (_, at) => ({ at })) });
	assert.equal(compare([list(4), list(6)], [list(2), list(8)]), null);
	assert.match(compare([list(4), list(6)], [list(1)]) ?? '', /\$\.items has 4 to 6 items on base but 1 on head/);
	assert.match(compare([list(4), list(6)], [list(9)]) ?? '', /4 to 6 items on base but 9/);
	assert.match(compare([list(10), list(40)], [list(4)]) ?? '', /10 to 40 items on base but 4/, 'half of the least');
	const words = (count: number) => text('x '.repeat(count));
	assert.match(
		compareAnswers([words(50), words(150)], [words(0)]) ?? '',
		/100 to 300 characters on base but 0 on head/,
	);
});

test('values that `expect` names by kind are compared by kind, keys and lengths', () => {
	const expect = { json: { version: '<any>', pid: '<number>', items: '<any>' } };
	const base = { version: '1.4.0', pid: 12, items: [{ id: 1, name: 'one' }], fixed: 1 };
	const check = (head: object) => tolerating({ expect }, [base, base], [{ ...base, ...head }]);
	assert.equal(check({ version: '1.4.1', pid: 99_999, items: [{ id: 2, name: 'two' }] }), null);
	assert.equal(check({ version: '1.10.0' }), null, 'a digit more');
	assert.match(check({ version: '' }) ?? '', /\$\.version has 5 characters on base but 0 on head/);
	assert.match(check({ version: null }) ?? '', /\$\.version is text on base but null on head \(null\)/);
	assert.match(check({ items: [] }) ?? '', /\$\.items has 1 items on base but 0 on head/);
	assert.match(check({ items: [{ id: 2 }] }) ?? '', /\$\.items\[0\]\.name is missing on head/);
	assert.match(check({ items: {} }) ?? '', /\$\.items is list on base but object on head/);
	assert.match(check({ fixed: 2 }) ?? '', /\$\.fixed is 1 on base but 2 on head/, 'expect is silent about it');
});

test('a list under a kind is no shorter as a whole, though its items differ in length', () => {
	const expect = { json: { items: '<any>' } };
	const items = ['', 'x'.repeat(100), 'y'.repeat(100)];
	assert.equal(tolerating({ expect }, [{ items }], [{ items: items.toReversed() }]), null);
	assert.match(
		tolerating({ expect }, [{ items }], [{ items: ['', '', ''] }]) ?? '',
		/\$\.items has 210 characters on base but 10 on head/,
	);
});

test('a difference between two processes of base is no difference', () => {
	const earlier = [json({ pid: 11, started: '12:00', hash: 'abc' })];
	const [base, head] = [
		{ pid: 22, started: '12:05', hash: 'abc' },
		{ pid: 33, started: '12:06', hash: 'abc' },
	];
	assert.match(tolerating({}, [base, base], [head, head]) ?? '', /\$\.pid/);
	assert.equal(tolerating({ earlier }, [base, base], [head, head]), null);
	assert.match(tolerating({ earlier }, [base], [{ ...head, hash: 'x' }]) ?? '', /\$\.hash is "abc" on base but "x"/);
	assert.match(tolerating({ earlier }, [base], [{ ...head, pid: '' }]) ?? '', /\$\.pid is number on base but text/);
	const page = (nonce: string, words: string) => text(`<script nonce="${nonce}"></script><p>${words}</p>`);
	const pages = { earlier: [page('Zm9v', 'hi')] };
	assert.equal(compareAnswers([page('YmFy', 'hi')], [page('cXV4', 'hi')], pages), null);
	assert.match(
		compareAnswers([page('YmFy', 'hi')], [page('cXV4', 'ho')], pages) ?? '',
		/"i<\/p>" on base but "o<\/p>"/,
	);
	assert.match(compareAnswers([page('YmFy', 'hi')], [page('', 'hi')], pages) ?? '', /^body differs/);
});

test('the names of the revisions are no difference if both are at the same place', () => {
	const names = [{ base: '1.4.0', head: '1.4.1' }];
	assert.equal(tolerating({ names }, [{ v: 'demo/1.4.0' }], [{ v: 'demo/1.4.1' }]), null);
	assert.equal(tolerating({ names }, [{ dep: '1.4.0' }], [{ dep: '1.4.0' }]), null, 'a dependency of the same version');
	assert.match(tolerating({ names }, [{ v: '1.4.0' }], [{ v: '1.4.2' }]) ?? '', /"1\.4\.0" on base but "1\.4\.2"/);
	assert.equal(compareAnswers([text('<a>v1.4.0</a>')], [text('<a>v1.4.1</a>')], { names }), null);
});

test('if bodies are not compared, head must not answer with less', () => {
	const expect = { compare: 'status' } as const;
	const check = (head: string) => compareAnswers([text('a'.repeat(100))], [text(head)], { expect });
	assert.equal(check('b'.repeat(95)), null);
	assert.equal(check('b'.repeat(500)), null);
	assert.equal(check('b'.repeat(89)), 'body of 100 bytes on base but 89 on head');
	const bases = [text('a'.repeat(100)), text('a'.repeat(160))];
	assert.equal(compareAnswers(bases, [text('a'.repeat(80))], { expect }), null);
	assert.equal(compareAnswers(bases, [text('a'.repeat(80))]), null, 'as where bodies are compared');
	assert.match(compareAnswers(bases, [text('b'.repeat(44))], { expect }) ?? '', /100 bytes on base but 44 on head/);
	assert.equal(compareAnswers([text('a')], [text('b', 201)], { expect }), 'status 200 on base but 201 on head');
});

test('if headers are compared instead, head has all those of base, and equal ones about the body', () => {
	const expect = { compare: 'headers' } as const;
	const of = (headers: Record<string, string>, body = 'page'): Answer => ({ ...text(body), headers });
	const base = of({ 'content-type': 'text/html', 'x-request-id': '1', date: 'a', connection: 'close' });
	const check = (headers: Record<string, string>) => compareAnswers([base], [of(headers, 'gage')], { expect });
	assert.equal(check({ 'content-type': 'text/html', 'x-request-id': '2', date: 'b', 'x-more': '1' }), null);
	assert.equal(check({ 'content-type': 'text/html', date: 'b' }), 'header x-request-id is missing on head');
	assert.equal(check({ date: 'b' }), 'headers content-type, x-request-id are missing on head');
	const optional = { ...expect, headers: { 'content-type': '<optional>' } };
	assert.equal(compareAnswers([base], [of({ 'x-request-id': '2', date: 'b' }, 'gage')], { expect: optional }), null);
	assert.equal(
		check({ 'content-type': 'text/plain', 'x-request-id': '2', date: 'b' }),
		'header content-type is "text/html" on base but "text/plain" on head',
	);
});

test('head sends the headers of base that clients and caches need', () => {
	const of = (headers: Record<string, string>): Answer => ({ ...json({}), headers });
	const full = of({ 'x-powered-by': 'a', etag: '"1"', 'content-length': '2', connection: 'close' });
	const lacking = of({ 'x-powered-by': 'a', 'transfer-encoding': 'chunked', 'x-id': '1' });
	const bases = [full, full];
	assert.equal(compareAnswers(bases, [lacking, lacking]), 'header etag is missing on head');
	assert.equal(compareAnswers(bases, [{ ...full, headers: { etag: '"2"' } }]), null);
	assert.equal(compareAnswers(bases, [lacking], { unrelated: true }), null);
	assert.equal(compareAnswers(bases, [lacking], { expect: { compare: 'status' } }), null);
	assert.equal(compareAnswers(bases, [lacking], { expect: { headers: { etag: '<optional>' } } }), null);
	assert.equal(compareAnswers(bases, [lacking], { expect: { headersOf: { 200: { etag: '<optional>' } } } }), null);
	assert.equal(compareAnswers(bases, [lacking], { earlier: [lacking] }), null, 'another process of base lacks it');
	assert.equal(compareAnswers(bases, [full, lacking]), null, 'it may come by chance');
	assert.equal(
		describeOtherHeaders(bases, [lacking, lacking]),
		'leaves out "etag", "content-length" and adds "transfer-encoding", "x-id"',
	);
	assert.equal(describeOtherHeaders([full, lacking], [lacking, lacking]), null);
	assert.equal(describeOtherHeaders(bases, bases), null);
	const many = of(Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`x-${at}`, ''])));
	assert.match(describeOtherHeaders([of({})], [many]) ?? '', /^adds "x-0", .*"x-7" and 2 more$/);
});

test('keys that match one pattern are all still present', () => {
	const expect = { ignore: ['user-*'] };
	const check = (head: object) =>
		tolerating({ expect }, [{ 'user-1': 'a', 'user-2': 'b', 'user-3 2': 'c', 'user-4': 'd' }], [head]);
	assert.equal(check({ 'user-7': 'a', 'user-8': 'b', 'user-9 2': 'c', 'user-0': 'd' }), null);
	assert.match(check({ 'user-9': 'd' }) ?? '', /on base but/);
	assert.match(check({ 'user-1': 'a', 'user-2': 'b', 'user-3 2': 'c' }) ?? '', /is "d" on base but nothing on head/);
	assert.match(check({ 'user-1': 'a', '<left out> 2': 'b', 'user-3': 'c', 'user-4': 'd' }) ?? '', /on base but/);
});

test('text that matches a pattern of the config is ignored, but must still be present', () => {
	const expect = { ignore: ['/assets/app-*.js'] };
	const page = (script: string) => text(`<script src="${script}"></script><p>hi</p>`);
	const check = (head: string) => compareAnswers([page('/assets/app-1a2b.js')], [page(head)], { expect });
	assert.equal(check('/assets/app-9f8e7d.js'), null);
	assert.match(check('/assets/other.js') ?? '', /^body differs/);
	assert.match(check('/assets/app-" x=".js') ?? '', /^body differs/, 'a word, and no more');
	assert.match(check(`/assets/app-${'x'.repeat(300)}.js`) ?? '', /^body differs/);
	assert.equal(tolerating({ expect }, [{ src: '/assets/app-1.js' }], [{ src: '/assets/app-2.js' }]), null);
});
