import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blamed, LINUX, measure, testAttack, testInnocent } from './foreign-connections.ts';

testAttack('flood-through-child');
testAttack('flood-through-escaped');

test('requests in pulses of 30 ms a second are seen, if not always whose they are', LINUX, async () => {
	const { cell } = await measure({ base: '', head: 'flood-in-pulses' });
	assert.equal(blamed(cell).length, 1, JSON.stringify(cell.faults));
	assert.notEqual(blamed(cell)[0], 'base');
});

testInnocent('check-itself', ['unexplained-connections']);
testInnocent('connect-to-itself', ['unexplained-connections']);
testInnocent('fetch-itself');
