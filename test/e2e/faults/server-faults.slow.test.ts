/** Heads that are broken or odd in all other known ways. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testFaults } from './faults.ts';

const ended = testFaults(['late', 'fork', 'hang', 'leak', 'mute', 'body', 'status', 'restart', 'later', 'busy']);

test('a server that ignores SIGTERM and one that leaves processes behind are named, and no other', () => {
	const { result } = ended();
	const untidy = result.warnings.filter(({ code }) => code === 'hung-on-sigterm' || code === 'leaked-children');
	assert.deepEqual(untidy.map(({ message }) => message).sort(), [
		'hang (head) did not exit within 2 s of SIGTERM and was killed, which costs time in every round',
		'leak (head) left processes behind, which were killed',
	]);
});

test('progress names the rows that are not loaded at all', () => {
	assert.match(
		ended().run.stderr,
		/^ {2}body\/ok cannot be measured: head gave a wrong answer to GET \/: body at \$\.ok is false instead of true$/m,
	);
});
