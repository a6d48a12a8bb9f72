/** Answers at rest are stored in the form that load can read: else every right answer would look different. */
import assert from 'node:assert/strict';
import { isUtf8 } from 'node:buffer';
import { test } from 'node:test';
import type { Answer } from '../../../src/measure/answers/answer.ts';
import { describeAtRest, describeRow } from '../../../src/measure/answers/answers-at-rest.ts';
import { MOST_NAMES } from '../../../src/measure/generator/reading/answer-head.ts';
import { BodyKeeper, MAX_BYTES } from '../../../src/measure/generator/reading/body-keeper.ts';

/** As returned by `ask`. */
function answerOf(bytes: Buffer, status = 200): Answer {
	const body = bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1');
	return { status, headers: {}, body, bytes: bytes.length };
}

/** As load reads it, in pieces of this many bytes. */
function read(bytes: Buffer, size: number) {
	const keeper = new BodyKeeper();
	keeper.begin(undefined);
	for (let at = 0; at < bytes.length; at += size) {
		keeper.add(bytes, at, Math.min(bytes.length, at + size));
		keeper.settle();
	}
	return { text: keeper.text, length: keeper.length };
}

function usualOf(bytes: Buffer): string | null {
	const answers = [answerOf(bytes), answerOf(bytes)];
	return describeAtRest({ base: answers, head: answers }, 200, false).usual.head;
}

const BINARY = Buffer.from(Array.from({ length: 512 }, (_, at) => (at * 37) % 256));

test('a body beyond ASCII matches under load, however it is cut', () => {
	const texts = ['é', '{"name":"Grüße, 世界 🎉"}', '\ufeff{"bom":1}', 'ÿ', '\ufffd'].map((text) => Buffer.from(text));
	for (const bytes of [...texts, BINARY, Buffer.of(0xe9), Buffer.of(0x61, 0xf0, 0x9f), Buffer.alloc(0)]) {
		const usual = usualOf(bytes);
		for (const size of [1, 2, 3, 4, 5, 1_000]) {
			assert.deepEqual(read(bytes, size), { text: usual, length: usual?.length }, bytes.toString('hex'));
		}
	}
});

test('a body that load truncates is usual if its length is known', () => {
	assert.equal(usualOf(Buffer.alloc(MAX_BYTES + 1, 'x'))?.length, MAX_BYTES + 1);
	assert.equal(usualOf(Buffer.from('é'.repeat(MAX_BYTES / 2)))?.length, MAX_BYTES / 2);
	assert.equal(usualOf(Buffer.from(`${'é'.repeat(MAX_BYTES / 2)}é`)), null);
});

test('another binary body of the same length is another text', () => {
	const other = Buffer.from(BINARY);
	other[1] = 0x41;
	assert.notEqual(usualOf(other), usualOf(BINARY));
});

test('answers with another status do not count as usual ones', () => {
	const busy = { ...answerOf(Buffer.from('busy'), 429), headers: { 'retry-after': '1' } };
	const good = { ...answerOf(Buffer.from('{}')), headers: { vary: 'accept' } };
	const { usual, headers } = describeAtRest({ base: [busy, busy], head: [good, good] }, 200, false);
	assert.deepEqual(usual, { base: null, head: '{}' });
	assert.deepEqual(headers, { base: [], head: ['vary'] });
});

test('under load both sides keep the headers that both send, one of them always', () => {
	const of = (...names: string[]): Answer => ({
		...answerOf(Buffer.from('{}')),
		headers: Object.fromEntries(names.map((name) => [name, '1'])),
	});
	const padding = Array.from({ length: MOST_NAMES }, (_, at) => `x-${at}`);
	const head = of(...padding, 'etag', 'by-chance');
	const answers = { base: [of('etag', 'by-chance'), of('etag', 'date')], head: [head, head] };
	const { headers } = describeAtRest(answers, 200, false);
	assert.deepEqual(headers, { base: ['etag', 'by-chance'], head: ['etag', 'by-chance'] });
	assert.deepEqual(describeRow(answers, false).headers, headers);
});

test('the usual status is the one that base always gave; a head that varies its own is still compared with it', () => {
	const [good, missing] = [answerOf(Buffer.from('{}')), answerOf(Buffer.from('{}'), 404)];
	const status = (base: readonly Answer[], head: readonly Answer[]) =>
		describeAtRest({ base, head }, 200, false).status;
	assert.equal(status([good, good], [good, good]), 200);
	assert.equal(status([good, good], [good, missing]), 200);
	assert.equal(status([good, missing], [good, good]), null);
});
