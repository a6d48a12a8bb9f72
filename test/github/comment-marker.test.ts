import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compareRuns, formatMarker, isCommentKey, parseMarker } from '../../src/github/comment-marker.ts';
import { isUserError } from '../../src/types/errors.ts';

const key = fc.stringMatching(/^[A-Za-z0-9._-]{1,64}$/);
const count = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
const marker = fc.record({
	key,
	run: fc.record({ id: count, attempt: count }),
	headSha: fc.oneof(fc.stringMatching(/^[0-9a-f]{40}$/), fc.stringMatching(/^[0-9a-f]{64}$/)),
	state: fc.constantFrom('measuring' as const, 'final' as const),
});
const LINE = `<!-- benchgate:default run=7 attempt=2 sha=${'a'.repeat(40)} state=final -->`;

test('a marker is read back as it was written, with any text after it', () => {
	fc.assert(
		fc.property(marker, fc.string(), fc.constantFrom('', '\n', '\r\n'), (given, body, end) => {
			assert.deepEqual(parseMarker(`${formatMarker(given)}${end}${end && body}`), { ...given, run: { ...given.run } });
		}),
		{ seed: 1, numRuns: 1000 },
	);
});

test('a marker is one HTML comment that ends at its own end', () => {
	fc.assert(
		fc.property(marker, (given) => {
			assert.match(formatMarker(given), /^<!-- [^\n>]* -->$/);
		}),
		{ seed: 2, numRuns: 1000 },
	);
});

test('any text is either a marker or not, and never an error', () => {
	const piece = fc.oneof(fc.string(), fc.constantFrom(LINE, '<!-- benchgate:', ' run=1', ' -->', '\n', `${2 ** 60}`));
	fc.assert(
		fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
			const marker = parseMarker(pieces.join(''));
			if (marker) assert.equal(pieces.join('').startsWith(formatMarker(marker)), true);
		}),
		{ seed: 3, numRuns: 2000 },
	);
});

for (const [name, body] of Object.entries({
	'behind a space': ` ${LINE}`,
	'on the second line': `\n${LINE}`,
	quoted: `> ${LINE}`,
	'with words behind it': `${LINE} hello`,
	'with another tool': LINE.replace('benchgate:', 'other:'),
	'with a run that is no number JavaScript holds': LINE.replace('run=7', 'run=9999999999999999'),
	'with a run that is zero': LINE.replace('run=7', 'run=0'),
	'with a short sha': LINE.replace('a'.repeat(40), 'abc1234'),
	'with another state': LINE.replace('final', 'lost'),
	'with a key that is too long': LINE.replace('default', 'k'.repeat(65)),
	'with a key of other characters': LINE.replace('default', 'a b'),
})) {
	test(`no marker: ${name}`, () => {
		assert.notEqual(parseMarker(LINE), null);
		assert.equal(parseMarker(body), null);
	});
}

test('a key outside the charset is an error of the user', () => {
	for (const bad of ['', 'a b', 'a-->', 'ä', 'k'.repeat(65), 'a\n']) {
		assert.equal(isCommentKey(bad), false);
		assert.throws(
			() => formatMarker({ key: bad, run: { id: 1, attempt: 1 }, headSha: 'a'.repeat(40), state: 'final' }),
			(error) => isUserError(error) && error.code === 'bad-comment-key' && error.where === 'comment-key',
		);
	}
});

test('runs are ordered by id, then by attempt', () => {
	assert.ok(compareRuns({ id: 1, attempt: 9 }, { id: 2, attempt: 1 }) < 0);
	assert.ok(compareRuns({ id: 2, attempt: 2 }, { id: 2, attempt: 1 }) > 0);
	assert.equal(compareRuns({ id: 2, attempt: 2 }, { id: 2, attempt: 2 }), 0);
});
