/** One word per idea: docs/glossary.md explains each word once. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const GLOSSARY = readFileSync(new URL('../../docs/glossary.md', import.meta.url), 'utf8');

/** Words explained by the tables of `page`, in order, without the names of columns. */
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
