import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Answer } from '../../../src/measure/answers/answer.ts';
import {
	isSameText,
	leaveOut,
	namesOfFolders,
	namesOfRevisions,
	withoutOwnOrigin,
} from '../../../src/measure/answers/own-texts.ts';

const answer = (body: string, headers: Answer['headers'] = {}): Answer => ({ status: 200, headers, body, bytes: 1 });
const without = (body: string, port: number) => withoutOwnOrigin(answer(body), `http://127.0.0.1:${port}`).body;

test('the own address of a server is the same text for every port, however it is written', () => {
	const forms = [
		'http://127.0.0.1:PORT/items/1',
		'ws://localhost:PORT',
		'//LOCALHOST:PORT/x',
		'http://[::1]:PORT/',
		'http://[::ffff:127.0.0.1]:PORT/',
		'/login?next=http%3A%2F%2F127.0.0.1%3APORT%2Fa',
		'/login?next=http%253a%252f%252flocalhost%253aPORT',
		'http%3A%2F%2F%5B%3A%3A1%5D%3APORT',
		'href="http:&#x2F;&#x2F;localhost&#58;PORT"',
		'"http:\\/\\/localhost\\u003aPORT"',
	];
	for (const form of forms) {
		const [base, head] = [20_001, 30_002].map((port) => without(form.replace('PORT', `${port}`), port));
		assert.equal(base, head, form);
		assert.doesNotMatch(base ?? '', /20001/);
	}
});

test('a placeholder for other text is distinguished from the same text of a server', () => {
	assert.notEqual(without('<own origin>', 1), without('127.0.0.1:1', 1));
	assert.notEqual(leaveOut(['app-*.js'])('<left out>'), leaveOut(['app-*.js'])('app-1.js'));
});

test('the address of another server stays', () => {
	assert.equal(without('http://127.0.0.1:8000/', 80), 'http://127.0.0.1:8000/');
	assert.equal(without('http://example.com:8000/', 8000), 'http://example.com:8000/');
});

test('headers are read like bodies', () => {
	const link = '<http://127.0.0.1:8000/items?page=2>; rel="next"';
	const { headers } = withoutOwnOrigin(
		answer('', { link, location: 'http://localhost:8000/' }),
		'http://127.0.0.1:8000',
	);
	assert.deepEqual(headers, {
		link: '<http://<own origin>/items?page=2>; rel="next"',
		location: 'http://<own origin>/',
	});
});

test('a pattern matches within one word, and its other characters are literal', () => {
	assert.equal(leaveOut(['app-*.js'])('x app-12.js y app-3.css'), 'x <left out> y app-3.css');
	assert.equal(leaveOut(['build *'])('<i>build 17</i>'), '<i><left out></i>');
	assert.equal(leaveOut(['a.c', 'x(y)'])('abc a.c x(y)'), 'abc <left out> <left out>');
	assert.equal(leaveOut([])('abc'), 'abc');
});

test('no answer makes a search for patterns take long', () => {
	const search = leaveOut(['ab*xx']);
	const hostile = 'ab'.repeat(200_000);
	assert.equal(search(hostile), hostile);
	// A regular expression would try 256 characters from each place, for each pattern.
	const letters = `${'a'.repeat(1_000_000)} z`;
	const patterns = ['*zz', 'a*zz', 'aa*zz'].flatMap((each) => Array<string>(10).fill(each));
	assert.equal(leaveOut(patterns)(`${letters}z`), `${letters.slice(0, -1)}<left out>`);
	assert.equal(leaveOut(['a*zz'])(`${'a'.repeat(1000)}zz`), `${'a'.repeat(743)}<left out>`);
});

test('a search finds the matches of the equivalent regular expressions', () => {
	const word = fc.string({ unit: fc.constantFrom('a', 'b', ' '), maxLength: 3 });
	const pattern = fc.tuple(word, fc.constantFrom('', '*'), word).map((parts) => parts.join(''));
	const usual = pattern.filter((each) => /[^*]{2}/.test(each));
	const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' ', '"'), maxLength: 40 });
	fc.assert(
		fc.property(fc.array(usual, { minLength: 1, maxLength: 3 }), text, (patterns, body) => {
			const sources = patterns.map((each) =>
				each.replace(/\*$/, '[^\\s"]{0,256}').replace(/\*(?!\])/, '[^\\s"]{0,256}?'),
			);
			assert.equal(leaveOut(patterns)(body), body.replace(new RegExp(sources.join('|'), 'g'), '<left out>'));
		}),
	);
});

test('names of revisions are their versions and commits, if they differ and are long enough', () => {
	const of = (version: string, sha?: string) => ({ subject: { version }, ...(sha !== undefined && { sha }) });
	assert.deepEqual(namesOfRevisions({ base: of('1.4.0'), head: of('1.4.1') }), [{ base: '1.4.0', head: '1.4.1' }]);
	assert.deepEqual(namesOfRevisions({ base: of('1.4.0'), head: of('1.4.0') }), []);
	assert.deepEqual(namesOfRevisions({ base: of('1'), head: of('2') }), []);
	assert.deepEqual(namesOfRevisions({ base: of('1.4.0'), head: of('"}],"rows":[]') }), []);
	assert.deepEqual(namesOfRevisions({ base: {}, head: of('1.4.1') }), []);
	const [one, two] = ['1'.repeat(40), '2'.repeat(40)];
	assert.deepEqual(namesOfRevisions({ base: of('1.0.0', one), head: of('1.0.0', two) }), [
		{ base: one, head: two },
		{ base: '1111111', head: '2222222' },
	]);
});

test('names of folders are the parts by which checkouts differ', () => {
	const [one, two] = ['1'.repeat(64), '2'.repeat(64)];
	const names = namesOfFolders({ base: `/cache/${one}/app`, head: `/cache/${two}/app` });
	assert.deepEqual(names, [{ base: one, head: two }]);
	assert.ok(isSameText(`<title>Files of ${one}&#47;</title>`, `<title>Files of ${two}&#47;</title>`, names));
	assert.deepEqual(namesOfFolders({ base: '/servers/koa/1', head: '/servers/koa/2' }), []);
	assert.deepEqual(namesOfFolders({ base: `/cache/${one}`, head: '' }), []);
});

test('two texts are equal if names of the revisions are at the same places', () => {
	const names = [{ base: '1.4.0', head: '1.10.0' }];
	assert.ok(isSameText('demo@1.4.0 (1.4.0)', 'demo@1.10.0 (1.10.0)', names));
	assert.ok(isSameText('demo@1.4.0, left-pad@1.4.0', 'demo@1.10.0, left-pad@1.4.0', names));
	assert.ok(!isSameText('demo@1.4.0', 'demo@', names));
	assert.ok(!isSameText('demo@1.4.0', 'demo@1.10.0 more', names));
	assert.ok(!isSameText('11.4.0', '11.10.0', names), 'part of another version');
	assert.ok(!isSameText('a', 'b', names));
});
