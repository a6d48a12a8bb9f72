/** Comments and test names are plain; comments of src are also short. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MOST_WORDS = 75_000;
/** Of 1,000 words. Comments of k6, vitest and rustc-perf have about one. */
const MOST_IDIOMS = { comments: 3, names: 5 };
// A glob in a string, such as refs/*, begins no comment.
const COMMENT = /(?<=^|\s)\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm;
const NAME =
	/(?<=(?<![\w./])(?:t\.)?(?:test|it|describe|suite)\(\s*)(?:`(?:[^`\\]|\\.)*`|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")/g;
/** Code that prose quotes, such as the isolation level `none`. */
const QUOTED = /`[^`]*`/g;
const PLACEHOLDER = /\$\{[^}]*\}/g;
const WORD = /[A-Za-z][\w'’-]*/g;
/** Pronouns that hide the subject: a sentence with a concrete subject needs none of them. */
const IDIOM = /^(?:what|whoever|nobody|none|somebody|say|says|said|tell|tells|told)$/i;

function read(area: string): readonly string[] {
	const files = globSync(`${area}/**/*.{ts,mjs}`, { cwd: ROOT, exclude: (path) => path.includes('node_modules') });
	return files.map((file) => readFileSync(join(ROOT, file), 'utf8'));
}

const matchesOf = (texts: readonly string[], pattern: RegExp) => texts.flatMap((text) => text.match(pattern) ?? []);

function assertPlain(passages: readonly string[], most: number): void {
	const words = matchesOf(passages, WORD);
	const idioms = words.filter((word) => IDIOM.test(word)).length;
	assert.ok(words.length > 1_000 && (1000 * idioms) / words.length <= most, `${idioms} of ${words.length}`);
}

for (const area of ['src', 'scripts', 'benchmarks', 'evaluation', 'servers', 'test']) {
	const texts = read(area);
	const comments = matchesOf(texts, COMMENT);
	if (area === 'src') {
		test(`comments of src have at most ${MOST_WORDS} words`, () => {
			const words = matchesOf(comments, WORD).length;
			assert.ok(words > 10_000 && words <= MOST_WORDS, `${words}`);
		});
	}
	test(`at most ${MOST_IDIOMS.comments} of 1,000 words of comments in ${area} belong to our former idiom`, () => {
		assertPlain(
			comments.map((comment) => comment.replaceAll(QUOTED, '')),
			MOST_IDIOMS.comments,
		);
	});
	if (area === 'test') {
		test(`at most ${MOST_IDIOMS.names} of 1,000 words of test names belong to our former idiom`, () => {
			assertPlain(
				matchesOf(texts, NAME).map((name) => name.replaceAll(PLACEHOLDER, '')),
				MOST_IDIOMS.names,
			);
		});
	}
}
