import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BodyKeeper, MAX_BODY } from '../../../src/measure/generator/reading/body-keeper.ts';
import { Usual } from '../../../src/measure/generator/reading/usual.ts';
import { cutAt } from './read-answers.ts';

const INTO = Buffer.alloc(4_000_000);

/** All pieces are read into the same bytes, so each overwrites the one before. */
function keep(keeper: BodyKeeper, usual: Usual<string> | undefined, pieces: readonly Buffer[]) {
	keeper.begin(usual);
	for (const [index, piece] of pieces.entries()) {
		piece.copy(INTO, 7);
		keeper.add(INTO, 7, 7 + piece.length);
		if (index + 1 < pieces.length) keeper.settle();
	}
	const read = { bytes: keeper.bytes, latin1: keeper.latin1, length: keeper.length, text: keeper.text };
	keeper.release();
	return read;
}

test('a body is joined from its pieces, even within a character, and is not mistaken for the one before', () => {
	const keeper = new BodyKeeper();
	const usual = new Usual<string>();
	const bodies = ['{"ok":true}', '{"ok":true}', 'aé€😀', '{"ok":fals}', '', 'x', 'é'.repeat(3_000), '{"ok":true}'];
	for (const body of [...bodies, ...bodies]) {
		const bytes = Buffer.from(body);
		for (const places of [[], [1], [3, 4, 5, 6, 7], [5_000]]) {
			const read = keep(keeper, usual, cutAt(bytes, places));
			assert.equal(read.text, body);
			assert.equal(read.length, body.length);
			assert.equal(read.latin1, bytes.toString('latin1'));
			assert.equal(read.bytes, bytes.length);
		}
	}
});

test('only the beginning of a long body is kept, and all of it is counted', () => {
	const keeper = new BodyKeeper();
	for (const letter of ['x', 'é', '€', '😀']) {
		const text = letter.repeat(MAX_BODY * 4).slice(0, MAX_BODY * 4);
		const bytes = Buffer.from(text);
		const pieces = Array.from({ length: Math.ceil(bytes.length / 65_536) }, (_, at) =>
			bytes.subarray(at * 65_536, (at + 1) * 65_536),
		);
		const read = keep(keeper, undefined, pieces);
		assert.equal(read.length, text.length, letter);
		assert.ok(read.text.length >= MAX_BODY && read.text.length <= 3 * MAX_BODY, letter);
		assert.equal(read.text.slice(0, MAX_BODY), text.slice(0, MAX_BODY), letter);
	}
});

test('the usual body is learnt at once and again, but not from each of varying ones', () => {
	const usual = new Usual<number>();
	const at = (text: string) => usual.of(Buffer.from(text), 0, text.length);
	const learn = (text: string, meaning: number) => usual.learn(Buffer.from(text), 0, text.length, meaning);
	learn('aaa', 1);
	assert.equal(at('aaa'), 1);
	assert.equal(at('aab'), undefined);
	assert.equal(at('aa'), undefined);
	assert.equal(usual.startOf(Buffer.from('-aaab'), 1, 5), 1);
	assert.equal(usual.startOf(Buffer.from('aaa'), 0, 2), undefined);
	learn('bbb', 2);
	assert.equal(at('bbb'), 2);
	// All differ from the one before: the last one learnt as usual is the 512th.
	for (let index = 1; index <= 1_000; index++) learn(`n${index}`, index);
	assert.equal(at('n1000'), undefined);
	assert.equal(at('n512'), 512);
	learn('n1', 1);
	assert.equal(at('n1'), 1);
});
