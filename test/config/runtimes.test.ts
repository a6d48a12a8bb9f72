/** The runtimes of a request, and the revisions that it may therefore leave out. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseConfig } from '../../src/config/file/parse-config.ts';
import type { OptionTexts } from '../../src/config/option-names.ts';
import { resolveConfig } from '../../src/config/resolve-config.ts';
import { withBothRevisions } from '../../src/config/resolve-request.ts';
import { writeRuntime } from '../../src/text/runtime-words.ts';
import { askedRuntime } from '../../src/types/runtime.ts';
import { SIDES } from '../../src/types/units.ts';
import { CATALOGUE } from './example-catalogue.ts';

/** The runtimes of the sides: `node@22, bun`. */
function runtimes(file: string, flags: OptionTexts): string {
	const read = parseConfig(`servers: [express]\n${file}`, 'benchgate.yml', CATALOGUE);
	const config = resolveConfig(read, flags, CATALOGUE, () => 1);
	return SIDES.map((side) => askedRuntime(config, side))
		.map((wish) => (wish === undefined ? '-' : writeRuntime(wish)))
		.join(', ');
}

test('a side has its own runtime, else that of both, else no special one', () => {
	assert.equal(runtimes('', {}), '-, -');
	assert.equal(runtimes('runtime: bun@1', {}), 'bun@1, bun@1');
	assert.equal(runtimes('runtime: bun@1', { runtime: 'deno' }), 'deno, deno');
	assert.equal(runtimes('runtime: bun@1', { headRuntime: 'node@24' }), 'bun@1, node@24');
	assert.equal(runtimes('', { baseRuntime: 'node@22', headRuntime: 'node@24' }), 'node@22, node@24');
	assert.equal(runtimes('', { headRuntime: 'node' }), '-, node');
});

test('a config with an unknown runtime is refused, with examples of valid ones', () => {
	assert.throws(() => runtimes('runtime: node22', {}), {
		code: 'bad-config',
		message: /runtime: "node22" is not allowed; node@22, node@22\.12\.0, bun/,
	});
});

test('two runtimes are compared on HEAD, or on the one named revision', () => {
	const revisions = (flags: OptionTexts) => {
		const { base, head } = withBothRevisions(flags);
		return [base, head];
	};
	const both = { baseRuntime: 'node@22', headRuntime: 'node@24' };
	assert.deepEqual(revisions(both), ['HEAD', 'HEAD']);
	assert.deepEqual(revisions({ headRuntime: 'bun' }), ['HEAD', 'HEAD']);
	assert.deepEqual(revisions({ ...both, head: '.' }), ['.', '.']);
	assert.deepEqual(revisions({ ...both, base: 'v1' }), ['v1', 'v1']);
	assert.deepEqual(revisions({ ...both, base: 'v1', head: 'v2' }), ['v1', 'v2']);
	assert.deepEqual(revisions({ base: 'v1', head: 'v2' }), ['v1', 'v2']);
});

test('without different runtimes a comparison has two revisions', () => {
	assert.throws(() => withBothRevisions({ base: 'v1', runtime: 'bun' }), {
		code: 'bad-flag',
		message: /^missing --head: /,
	});
	assert.throws(() => withBothRevisions({ head: 'v1', baseRuntime: ' ' }), {
		code: 'bad-flag',
		message: /^missing --base: /,
	});
});
