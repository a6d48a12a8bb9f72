/**
 * Our reader of answers beside Node's parser: the same answers from the same bytes, wherever they are cut, or a named
 * fault.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { MAX_HEAD } from '../../../src/measure/generator/reading/line-keeper.ts';
import { cutAt, readNodes, readOurs } from './read-answers.ts';

const OK = 'HTTP/1.1 200 OK\r\n';
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`;
const SIZED = `${OK}Content-Length: 2\r\n\r\nab`;

/** Recorded from express, koa, fastify and a proxy, with odd ones that the standard allows. */
const RIGHT: Readonly<Record<string, { readonly bytes: string; readonly methods?: readonly string[] }>> = {
	express: {
		bytes:
			'HTTP/1.1 200 OK\r\nX-Powered-By: Express\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: 11\r\nETag: W/"b-Ai2R8hgEarLmHKwesT1qcY913ys"\r\nDate: Sun, 22 Nov 2026 09:12:44 GMT\r\nConnection: keep-alive\r\nKeep-Alive: timeout=5\r\n\r\n{"ok":true}',
	},
	streamed: {
		bytes: `HTTP/1.1 200 OK\r\nDate: Sun, 22 Nov 2026 09:12:44 GMT\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel\r\n\r\n6\r\nlo €\r\n0\r\n\r\n${SIZED}`,
	},
	'chunk extensions and trailers': {
		bytes: `${CHUNKED}2;a=b;c="d\\"e f"\r\nab\r\n0A\r\n0123456789\r\n0;last\r\nX-Sum: 1\r\nServer-Timing: a\r\n\r\n${SIZED}`,
	},
	pipelined: { bytes: SIZED.repeat(4) },
	'no body': {
		bytes: `HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nHTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\nX: a\r\n\r\n${OK}Content-Length: 0\r\n\r\n${SIZED}`,
	},
	HEAD: {
		bytes: `${OK}Content-Length: 5\r\n\r\n${CHUNKED}${OK}\r\n${SIZED}`,
		methods: ['HEAD', 'HEAD', 'HEAD', 'GET'],
	},
	informational: {
		bytes: `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\nContent-Length: 3\r\n\r\n${SIZED}HTTP/1.1 102 Processing\r\n\r\n${SIZED}`,
	},
	'without a reason': {
		bytes: `HTTP/1.1 200\r\nContent-Length: 1\r\n\r\naHTTP/1.1 404 \r\nContent-Length: 1\r\n\r\nb`,
	},
	'empty lines between': { bytes: `\r\n${SIZED}\r\n\r\n${SIZED}\r\n` },
	'until the end': { bytes: `${OK}Content-Type: text/plain\r\n\r\nall there is\r\n\r\nof it` },
	'encoded until the end': { bytes: `${OK}Transfer-Encoding: chunked, gzip\r\n\r\nall there is` },
	'encoded and chunked': { bytes: `${OK}transfer-encoding: gzip,\tChunked \r\n\r\n2\r\nab\r\n0\r\n\r\n${SIZED}` },
	'HTTP/1.0': { bytes: 'HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nab' },
	'HTTP/1.0 kept alive': {
		bytes: `HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 2\r\n\r\nab${SIZED}`,
	},
	closing: { bytes: `${OK}Connection: foo, Close\r\nContent-Length: 2\r\n\r\nab\r\n` },
	'a long number': { bytes: `${OK}content-LENGTH:\t0000000000000000000000002 \r\n\r\nab` },
	'odd letters': { bytes: `${OK}X: \xe9 \t;"\r\nContent-Length: 9\r\n\r\naé€😀` },
	large: { bytes: `${OK}Content-Length: 200000\r\n\r\n${'0123456789'.repeat(20_000)}${SIZED}` },
};

function bytesOf(text: string): Buffer {
	// Headers are Latin-1, bodies are UTF-8: only characters beyond Latin-1 take more bytes.
	return Buffer.concat([...text].map((one) => Buffer.from(one, one.charCodeAt(0) < 0x100 ? 'latin1' : 'utf8')));
}

for (const [label, { bytes: text, methods = ['GET'] }] of Object.entries(RIGHT)) {
	test(`our reader and Node's read the same answers, wherever they are cut: ${label}`, () => {
		const bytes = bytesOf(text);
		const expected = readNodes(bytes, methods);
		assert.equal(expected.fault, undefined);
		const check = (places: readonly number[]) => {
			const { answers, fault, bytes: told } = readOurs(cutAt(bytes, places), methods);
			assert.deepEqual({ answers, fault }, expected, `cut at ${places.join(', ')}`);
			// Empty lines after the last answer belong to no answer.
			assert.ok(told <= bytes.length && told >= bytes.length - 2, `${told} of ${bytes.length} bytes`);
		};
		check([]);
		const step = bytes.length > 10_000 ? 20_000 : 1;
		for (let at = 1; at < bytes.length; at += step) check([at]);
		if (step === 1) check(Array.from(bytes, (_, at) => at));
		fc.assert(fc.property(fc.array(fc.nat(bytes.length), { maxLength: 8 }), check), { numRuns: step === 1 ? 50 : 5 });
	});
}

const H = (headers: string, body = 'ab') => `${OK}${headers}\r\n\r\n${body}`;
const LONG = 'x'.repeat(MAX_HEAD);

/** Bytes that a server must not send, the name of the fault, and the number of right answers before it. */
const WRONG: readonly (readonly [bytes: string, fault: RegExp, before?: number])[] = [
	['SSH-2.0-OpenSSH_9.6\r\n', /no status line/],
	['\x16\x03\x01', /no status line/],
	['HTTP/3.0 200 OK\r\n\r\n', /no status line/],
	['HTTP/1.1 20 OK\r\n\r\n', /no status line/],
	['HTTP/1.1 2000 OK\r\n\r\n', /no status line/],
	['HTTP/1.1 -20 OK\r\n\r\n', /no status line/],
	['HTTP/1.1  200 OK\r\n\r\n', /no status line/],
	['HTTP/1.1 200 O\rK\r\n\r\n', /no status line/],
	['HTTP/1.1 200 OK\nContent-Length: 2\n\nab', /without a carriage return/],
	[H('Content-Length: 2').replace('2\r', '2'), /without a carriage return/],
	[H('X: a\r\n b\r\nContent-Length: 2'), /a line that is not a header/],
	[H('Content-Length:\r\n 2'), /content-length that is not a number/],
	[H(' Content-Length: 2'), /a line that is not a header/],
	[H('Content-Length : 2'), /a line that is not a header/],
	[H('Content-Length'), /a line that is not a header/],
	[H(': a'), /a line that is not a header/],
	[H('\xe9: a'), /a line that is not a header/],
	[H('X: a\0b'), /control character/],
	[H('X: a\rb'), /control character/],
	[H('Content-Length: -2'), /content-length that is not a number/],
	[H('Content-Length: +2'), /content-length that is not a number/],
	[H('Content-Length: 0x2'), /content-length that is not a number/],
	[H('Content-Length: 2, 2'), /content-length that is not a number/],
	[H('Content-Length:'), /content-length that is not a number/],
	[H(`Content-Length: 1${'0'.repeat(30)}`), /content-length that is not a number/],
	[H('Content-Length: 2\r\nContent-Length: 2'), /two headers content-length/],
	[H('Content-Length: 2\r\nContent-Length: 3'), /two headers content-length/],
	[H('Content-Length: 2\r\nTransfer-Encoding: chunked', '0\r\n\r\n'), /both content-length and transfer-encoding/],
	[H('Transfer-Encoding: chunked\r\nContent-Length: 2', '0\r\n\r\n'), /both content-length and transfer-encoding/],
	[H('Transfer-Encoding:'), /empty transfer-encoding/],
	['HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: upgrade\r\n\r\n', /switch of protocols/],
	[`${CHUNKED}0\r\ncontent-LENGTH: 2\r\n\r\n`, /content-length after a chunked body/],
	[`${CHUNKED}g\r\nab`, /chunk without a size/],
	[`${CHUNKED}\r\nab`, /chunk without a size/],
	[`${CHUNKED}-2\r\nab`, /chunk without a size/],
	[`${CHUNKED}0x2\r\nab`, /broken extension/],
	[`${CHUNKED}2 ;a\r\nab`, /broken extension/],
	[`${CHUNKED}2;\r\nab`, /broken extension/],
	[`${CHUNKED}2;a="b\r\nab`, /broken extension/],
	[`${CHUNKED}2;${LONG}\r\nab`, /more than 80 KiB/],
	[`${CHUNKED}ffffffffffffffffffff\r\nab`, /more bytes than can be/],
	[`${CHUNKED}2\nab`, /without a carriage return/],
	[`${CHUNKED}2\r\nabc\r\n0\r\n\r\n`, /longer than its size/],
	[`${CHUNKED}2\r\nab\n0\r\n\r\n`, /longer than its size/],
	[`${CHUNKED}0\r\nX a\r\n\r\n`, /a line that is not a header/],
	[`${CHUNKED}0\r\nX: ${LONG}\r\n\r\n`, /more than 80 KiB/],
	[H(`X: ${LONG}`), /more than 80 KiB/],
	[`${OK}${'X: a\r\n'.repeat(20_000)}`, /more than 80 KiB/],
	[`HTTP/1.1 200 ${LONG}`, /more than 80 KiB/],
	['HTTP/1.1 100 Continue\r\n\r\n'.repeat(4_000), /more than 80 KiB/],
	['\r\n'.repeat(50_000), /more than 80 KiB/],
	[`${SIZED}${SIZED}ab`, /no status line/, 2],
	[`${OK}Connection: close\r\nContent-Length: 2\r\n\r\nab${SIZED}`, /more data after its header/, 1],
	[`HTTP/1.1 100 Continue\r\nConnection: close\r\n\r\n${SIZED}`, /more data after its header/],
];

test('bytes that are no answer are a named fault, wherever they are cut, and never counted', () => {
	for (const [text, fault, before = 0] of WRONG) {
		const bytes = Buffer.from(text, 'latin1');
		const shown = JSON.stringify(text.slice(0, 80));
		const nodes = readNodes(bytes, ['GET']);
		// Node has other limits.
		if (text.length < MAX_HEAD) assert.ok(nodes.fault, `Node reads ${shown}`);
		for (const pieces of [[bytes], cutAt(bytes, [bytes.length >> 1]), cutAt(bytes, allOf(bytes))]) {
			const ours = readOurs(pieces, ['GET']);
			assert.match(ours.fault ?? 'no fault', fault, shown);
			assert.equal(ours.answers.length, before, shown);
		}
	}
});

function allOf(bytes: Buffer): number[] {
	return bytes.length > 1_000 ? [1, 100, bytes.length - 1] : Array.from(bytes, (_, at) => at);
}

test('an answer beyond the requested ones is a fault', () => {
	const bytes = Buffer.from(SIZED.repeat(3));
	const { answers, fault } = readOurs([bytes], ['GET', 'GET'], { more: false });
	assert.equal(answers.length, 2);
	assert.match(fault ?? '', /an answer without a request/);
});

test('an answer without an end does not count', () => {
	for (const text of [OK, SIZED.slice(0, -1), `${CHUNKED}2\r\nab\r\n0\r\n`, 'HTTP/1.1 100 Continue\r\n\r\n']) {
		assert.deepEqual(readOurs([Buffer.from(text)], ['GET']), { answers: [], fault: undefined, bytes: 0 });
	}
});

const pieceOf = fc.constantFrom(
	...[
		'HTTP/1.1 200 OK',
		'HTTP/1.0 404 No',
		'HTTP/1.1 204 ',
		'HTTP/1.1 103 E',
		'\r\n',
		'\r\n',
		'\r\n',
		'\r\n\r\n',
		'\n',
		'\r',
	],
	...[
		'Content-Length: 2',
		'content-length:0',
		'Content-Length: 12',
		'Transfer-Encoding: chunked',
		'transfer-encoding: gzip',
	],
	...[
		'Transfer-Encoding: gzip , chunked',
		'Connection: close',
		'Connection: keep-alive , x',
		'Proxy-Connection:close',
		'X: y',
	],
	...['ab', '2', '0', 'c;a=b', ';x', ' ', '\t', ':', '\0', '\x7f', '\xe9', 'é', ',', 'chunked', 'close', '-', '"'],
	...[SIZED, SIZED, CHUNKED, '0\r\n\r\n', '2\r\nab\r\n', 'HTTP/1.1 304 N\r\n\r\n', 'Upgrade: a\r\nConnection: upgrade'],
);

test('any bytes mean the same to both readers, or are a fault', () => {
	const text = fc.array(pieceOf, { maxLength: 14 }).map((pieces) => pieces.join(''));
	const started = fc.tuple(fc.constantFrom('', `${OK}`, SIZED, CHUNKED), text).map((parts) => parts.join(''));
	fc.assert(
		fc.property(
			started,
			fc.constantFrom('GET', 'HEAD'),
			fc.array(fc.nat(200), { maxLength: 4 }),
			(sent, method, at) => {
				const bytes = Buffer.from(sent, 'latin1');
				const nodes = readNodes(bytes, [method]);
				const whole = readOurs([bytes], [method]);
				const cut = readOurs(cutAt(bytes, at), [method]);
				assert.deepEqual(cut, whole);
				if (whole.fault === undefined && nodes.fault === undefined) assert.deepEqual(whole.answers, nodes.answers);
				else assert.deepEqual(whole.answers, nodes.answers.slice(0, whole.answers.length));
				// Node reports some faults at once, and our reader at the end of the line or the head.
				if (whole.fault === undefined && nodes.fault !== undefined) {
					assert.ok(readOurs([bytes, Buffer.from('\r\n\r\n')], [method]).fault, nodes.fault);
				}
			},
		),
		{ numRuns: 3_000 },
	);
});
