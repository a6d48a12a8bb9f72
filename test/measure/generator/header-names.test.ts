/** Headers that answers had before load are searched for in every answer under load, wherever its bytes are cut. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import fc from 'fast-check';
import { openClient } from '../../../src/measure/generator/client.ts';
import { createCounter } from '../../../src/measure/generator/counter.ts';
import { MOST_NAMES } from '../../../src/measure/generator/reading/answer-head.ts';
import { AnswerReader, UsualAnswer } from '../../../src/measure/generator/reading/answer-reader.ts';
import { listen } from '../../support/servers/http-server.ts';
import { cutAt } from './read-answers.ts';

/** Returns the missing ones of `names` for each answer. */
function missingIn(text: string, names: readonly string[], places: readonly number[] = []): string[][] {
	const usual = new UsualAnswer('GET', names);
	const missing: string[][] = [];
	const reader = new AnswerReader({
		expected: () => usual,
		onPiece() {},
		onAnswer: (_status, _bytes, _closes, unlike) =>
			missing.push(names.filter((_, at) => (unlike.missing & (1 << at)) !== 0)),
	});
	for (const piece of cutAt(Buffer.from(text, 'latin1'), places)) reader.read(piece, piece.length);
	return missing;
}

const answerWith = (lines: readonly string[]) =>
	`HTTP/1.1 200 OK\r\n${lines.map((line) => `${line}\r\n`).join('')}Content-Length: 2\r\n\r\nab`;

test('a name counts in any case and place, and longer names with the same beginning or end do not', () => {
	const names = ['etag', 'x-a', 'vary'];
	assert.deepEqual(missingIn(answerWith(['Vary: b', 'ETAG: "1"', 'X-A: 1']), names), [[]]);
	assert.deepEqual(missingIn(answerWith(['x-ab: 1', 'ETa: "1"', 'X: etag, vary']), names), [names]);
	assert.deepEqual(missingIn(answerWith(['etag:', 'x-a: 1', 'x-a: 2']), names), [['vary']]);
	assert.deepEqual(missingIn(answerWith([]), []), [[]]);
	assert.deepEqual(missingIn(answerWith(['X_Id: 1', 'a^b: 1', 'a~c: 1']), ['x_id', 'a^b', 'a^c']), [['a^c']]);
});

test('answers of several kinds are distinguished, however their bytes are cut and whichever is frequent', () => {
	const names = ['etag', 'vary', 'x-powered-by'];
	const kinds = [[], ['etag'], ['etag', 'vary'], names];
	const answers = fc.array(fc.nat(kinds.length - 1), { minLength: 1, maxLength: 12 });
	const cuts = fc.array(fc.nat(900), { maxLength: 20 });
	fc.assert(
		fc.property(answers, cuts, (sequence, places) => {
			const all = sequence.map((kind) => (kinds[kind] ?? []).toSorted());
			const text = all.map((present) => answerWith(present.map((name) => `${name}: 1`))).join('');
			assert.deepEqual(
				missingIn(text, names, places),
				all.map((present) => names.filter((name) => !present.includes(name))),
			);
		}),
	);
});

test('headers of an informational answer do not belong to the final one', () => {
	const early = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n';
	assert.deepEqual(missingIn(early + answerWith([]), ['link']), [['link']]);
});

test('the last of the largest number of names is searched for, too', () => {
	const names = Array.from({ length: MOST_NAMES }, (_, at) => `x-${at}`);
	const last = names.at(-1) as string;
	assert.deepEqual(missingIn(answerWith(names.slice(0, -1).map((name) => `${name}: 1`)), names), [[last]]);
	assert.deepEqual(missingIn(answerWith([]), names), [names]);
});

test('a header with another value is reported, wherever the bytes are cut and whichever answer is frequent', () => {
	const names = ['date', 'etag', 'vary'];
	const values = { etag: 'W/"é 1"', vary: '' };
	const kinds: readonly (readonly [string, readonly string[]])[] = [
		['ETag: \t W/"é 1" \t', []],
		['date: now', []],
		['etag: W/"é 1', ['etag']],
		['etag: w/"é 1"', ['etag']],
		['etag:', ['etag']],
		['vary:', []],
		['vary: etag', ['vary']],
		['x-etag: 1', []],
	];
	const answers = fc.array(fc.nat(kinds.length - 1), { minLength: 1, maxLength: 12 });
	fc.assert(
		fc.property(answers, fc.array(fc.nat(900), { maxLength: 20 }), (sequence, places) => {
			const all = sequence.map((kind) => kinds[kind] ?? (['', []] as const));
			const usual = new UsualAnswer('GET', names, values);
			const changed: string[][] = [];
			const reader = new AnswerReader({
				expected: () => usual,
				onPiece() {},
				onAnswer: (_status, _bytes, _closes, unlike) =>
					changed.push(names.filter((_, at) => (unlike.changed & (1 << at)) !== 0)),
			});
			const text = all.map(([line]) => answerWith([line])).join('');
			for (const piece of cutAt(Buffer.from(text, 'latin1'), places)) reader.read(piece, piece.length);
			assert.deepEqual(
				changed,
				all.map(([, reported]) => reported),
			);
		}),
	);
});

test('answers of a status with its own headers are searched for these, and no others', () => {
	const byStatus = { 429: { 'retry-after': null, via: 'a' } };
	const kinds = ['200', '429', '503'].flatMap((status) =>
		[[], ['etag: 1'], ['Retry-After: 7'], ['via: a', 'retry-after: 1'], ['via: b']].map((lines) => ({ status, lines })),
	);
	const answers = fc.array(fc.constantFrom(...kinds), { minLength: 1, maxLength: 12 });
	fc.assert(
		fc.property(answers, fc.array(fc.nat(900), { maxLength: 20 }), (sequence, places) => {
			const usual = new UsualAnswer('GET', ['etag'], {}, byStatus);
			const reported: unknown[] = [];
			const reader = new AnswerReader({
				expected: () => usual,
				onPiece() {},
				onAnswer: (status, _bytes, _closes, { missing, changed }) => reported.push([String(status), missing, changed]),
			});
			const text = sequence.map(({ status, lines }) => answerWith(lines).replace('200 OK', status)).join('');
			for (const piece of cutAt(Buffer.from(text, 'latin1'), places)) reader.read(piece, piece.length);
			const has = (lines: readonly string[], name: string) => lines.some((line) => line.toLowerCase().startsWith(name));
			assert.deepEqual(
				reported,
				sequence.map(({ status, lines }) =>
					status === '429'
						? [status, (has(lines, 'retry-after') ? 0 : 1) + (has(lines, 'via') ? 0 : 2), has(lines, 'via: b') ? 2 : 0]
						: [status, has(lines, 'etag') ? 0 : 1, 0],
				),
			);
		}),
	);
});

test('a server that leaves a header out under load is counted, and one that keeps it is not', async (t) => {
	let answers = 0;
	const server = createServer((request, response) => {
		response.sendDate = request.url !== '/bare' || ++answers % 2 === 0;
		response.end('ab');
	});
	await using site = await listen(server);
	for (const path of ['/whole', '/bare']) {
		await t.test(path, async () => {
			const counter = createCounter([[200]]);
			const client = openClient(
				site.origin,
				{ method: 'GET', path, headers: {} },
				{ connections: 2, pipelining: 1 },
				{ onAnswer: counter.onAnswer, onOpen() {}, onError: assert.ifError, headers: [['date']] },
			);
			while (counter.total.answers < 200) await new Promise((resolve) => setTimeout(resolve, 5));
			await client.close();
			const headers = counter.requests[0]?.headers;
			assert.ok(headers !== undefined && headers.answers >= 200);
			assert.equal(headers.missing, path === '/bare' ? 1 : 0);
			const least = path === '/bare' ? headers.answers / 2 - 2 : 0;
			assert.ok(headers.bare >= least && headers.bare <= least + 4, JSON.stringify(headers));
		});
	}
});
