/** Warnings about a lane on less than two whole cores. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { affinityOn } from '../../../src/measure/affinity.ts';
import { readCpuFacts } from '../../../src/measure/lanes/cpu-facts.ts';

test('a lane on one core, or beside foreign threads, has a warning; others, and lanes beside others, have none', (t) => {
	const [server, generator = server] = readCpuFacts().allowed;
	if (server === undefined || generator === undefined) return t.skip('nobody tells which CPUs there are');
	const codesOf = (oneCore: boolean, exposed: readonly number[], beside = false) =>
		affinityOn({ server, generator, oneCore, exposed }, beside).warnings.map(({ code }) => code);
	const { pinned, note } = affinityOn({ server, generator, oneCore: false, exposed: [] });
	if (!pinned) return t.skip(note);
	assert.deepEqual(codesOf(false, []), []);
	assert.deepEqual(codesOf(true, []), ['sibling-thread']);
	assert.deepEqual(codesOf(false, [server, generator]), ['exposed-core']);
	assert.deepEqual(codesOf(true, [generator]), ['sibling-thread', 'exposed-core']);
	assert.deepEqual(codesOf(true, [server], true), []);
});
