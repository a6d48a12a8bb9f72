import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../../docs/decisions/', import.meta.url));
const read = (name: string) => readFileSync(FOLDER + name, 'utf8');
const pages = globSync('[0-9]*.md', { cwd: FOLDER }).sort();
const PARTS = ['Context', 'Decision', 'What was measured', 'Consequences'];

test('decisions are numbered without gaps, and the index names each by its title', () => {
	assert.deepEqual(
		pages.map((page) => Number(page.slice(0, 4))),
		pages.map((_, index) => index + 1),
	);
	const index = read('README.md').replaceAll(/ +/g, ' ');
	for (const page of pages) {
		const [, number = '', title = ''] = /^# (\d+) (.*)$/m.exec(read(page)) ?? [];
		assert.equal(number.padStart(4, '0'), page.slice(0, 4));
		assert.ok(index.includes(`| [${page.slice(0, 4)}](${page}) | ${title} |`), `${page}: ${title}`);
	}
});

for (const page of pages) {
	test(`${page} is one short page: context, decision, measurements, consequences`, () => {
		const text = read(page);
		assert.ok(text.split('\n').length <= 41, `${text.split('\n').length} lines`);
		assert.deepEqual(
			[...text.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading),
			PARTS,
		);
	});
}
