import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import fc from 'fast-check';
import { shellWord } from '../../src/text/shell-word.ts';

/** The arguments that a real shell reads from a command line. */
function readByShell(words: string): string {
	return execFileSync('sh', ['-c', `printf '%s\\n' ${words}`], { encoding: 'utf8', env: { HOME: '/root' } });
}

test('a shell reads every word as it is', () => {
	const word = fc.oneof(
		fc.string({ unit: fc.constantFrom('~', '^', "'", '"', '$', '`', ' ', '*', '\\', '!', '#', '-', 'a', '/', '=') }),
		fc.string({ unit: 'grapheme' }),
	);
	const words = fc.array(
		word.filter((text) => !text.includes('\0')),
		{ minLength: 1, maxLength: 20 },
	);
	fc.assert(
		fc.property(words, (all) => {
			assert.equal(readByShell(all.map(shellWord).join(' ')), all.map((one) => `${one}\n`).join(''));
		}),
		{ numRuns: 60, seed: 5 },
	);
});

test('words without special characters get no quotes', () => {
	for (const word of ['npm:express@4.21.2', '--budget', '3%', 'koa@^2.0.0', './a/b-c_d', 'x=1,y=2']) {
		assert.equal(shellWord(word), word);
	}
});
