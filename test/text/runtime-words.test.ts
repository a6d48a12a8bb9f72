import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differInRuntime, nameRuntime, readRuntime, runtimeOf, writeRuntime } from '../../src/text/runtime-words.ts';
import type { RuntimeInfo } from '../../src/types/runtime.ts';

test('a runtime is read as it is written', () => {
	for (const text of ['node', 'node@22', 'node@22.12', 'node@22.12.0', 'bun', 'bun@1', 'deno', 'deno@2.9.6']) {
		const read = readRuntime(text);
		assert.ok(read, text);
		assert.equal(writeRuntime(read), text);
	}
	assert.deepEqual(readRuntime('node@22.12.0'), { name: 'node', version: '22.12.0' });
});

test('a word with another meaning to npm is no runtime', () => {
	for (const text of ['', 'node@', 'node@latest', 'node@^22', 'node@22.x', 'node@1.2.3.4', 'Node@22', 'iojs', ' bun'])
		assert.equal(readRuntime(text), undefined, text);
	for (const text of ['node@22 --x', 'node@22\n', 'bun@../x', 'node@file:x'])
		assert.equal(readRuntime(text), undefined);
});

test('sides differ when a version does, and a run without a named runtime used the current Node', () => {
	const node22: RuntimeInfo = { name: 'node', version: '22.12.0' };
	const bun: RuntimeInfo = { name: 'bun', version: '22.12.0' };
	const on = (base: RuntimeInfo, head: RuntimeInfo) => ({ node: '24.1.0', runtimes: { base, head } });
	assert.equal(differInRuntime(on(node22, bun)), true);
	assert.equal(differInRuntime(on(node22, { ...node22, version: '22.12.1' })), true);
	assert.equal(differInRuntime(on(bun, bun)), false);
	assert.equal(differInRuntime({ node: '24.1.0' }), false);
	assert.equal(nameRuntime(runtimeOf(on(node22, bun), 'head')), 'Bun 22.12.0');
	assert.equal(nameRuntime(runtimeOf({ node: '24.1.0' }, 'base')), 'Node 24.1.0');
});
