import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeRuntimes } from '../../../src/runs/check/check-pair.ts';
import { runtimeWarnings } from '../../../src/runs/verify-pair.ts';

const NODE = { name: 'node', version: '24.1.0' } as const;
const BUN = { name: 'bun', version: '1.4.5' } as const;

test('check names the runtimes of the sides, once if they are equal', () => {
	const texts = (base: typeof NODE | typeof BUN, head: typeof NODE | typeof BUN) =>
		describeRuntimes({ base, head }).map(({ kind, about, text }) => `${kind} ${about}: ${text}`);
	assert.deepEqual(texts(NODE, NODE), ['ok runtime: both sides run on Node 24.1.0']);
	const [first, ...notes] = texts(NODE, BUN);
	assert.equal(first, 'ok runtime: base runs on Node 24.1.0, head on Bun 1.4.5');
	assert.match(notes.join('\n'), /^note runtime: On head, Bun 1\.4\.5 is started without Node's options.*[^.]$/);
	assert.deepEqual(describeRuntimes(undefined), []);
});

test('a setting for Node alone is a warning for each side that is not Node', () => {
	assert.deepEqual(runtimeWarnings(undefined), []);
	assert.deepEqual(runtimeWarnings({ base: NODE, head: NODE }), []);
	assert.equal(runtimeWarnings({ base: BUN, head: BUN }).length, 2);
});
