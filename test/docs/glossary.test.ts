/** One word per idea: docs/glossary.md says each word once. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const GLOSSARY = readFileSync(new URL('../../docs/glossary.md', import.meta.url), 'utf8');

/** Words that a table of `page` explains, in its order; the names of columns are none. */
function wordsOf(page: string): string[] {
	const rows = page.split('\n').filter((line) => line.startsWith('|') && !/^\| (word +\||-)/.test(line));
	return rows.flatMap((row) => (row.split('|')[1] as string).split(',').map((word) => word.trim()));
}

test('the glossary explains no word twice', () => {
	const words = wordsOf(GLOSSARY);
	assert.ok(words.length > 60, `${words.length} words were found`);
	assert.deepEqual(
		words.filter((word, place) => words.indexOf(word) !== place),
		[],
	);
});
