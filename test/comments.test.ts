/** Comments of src are short and plain. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MOST_WORDS = 75_000;
/** Of 1,000 words. k6, vitest and rustc-perf have about one. */
const MOST_IDIOMS = 3;
// A glob in a string, such as refs/*, begins no comment.
const COMMENT = /(?<=^|\s)\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm;
const WORD = /[A-Za-z][\w'’-]*/g;
/** Pronouns that hide the subject: a sentence with a concrete subject needs none of them. */
const IDIOM = /^(?:what|whoever|nobody|none|somebody|say|says|said|tell|tells|told)$/i;

const words = globSync('src/**/*.ts', { cwd: ROOT })
	.flatMap((file) => readFileSync(join(ROOT, file), 'utf8').match(COMMENT) ?? [])
	.flatMap((comment) => comment.match(WORD) ?? []);

test(`comments have at most ${MOST_WORDS} words`, () => {
	assert.ok(words.length > 10_000 && words.length <= MOST_WORDS, `${words.length}`);
});

test(`at most ${MOST_IDIOMS} of 1,000 words of comments belong to our former idiom`, () => {
	const idioms = words.filter((word) => IDIOM.test(word)).length;
	assert.ok((1000 * idioms) / words.length <= MOST_IDIOMS, `${idioms} of ${words.length}`);
});
