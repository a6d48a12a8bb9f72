import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { brokenCitations, brokenLinks, citingFiles, citingOf, pageFiles } from '../support/pages/citations.ts';
import { anchorsOf, sectionsOf, titlesOf } from '../support/pages/markdown-page.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const files = citingFiles(ROOT);

test('every citation in comments and pages exists', () => {
	assert.ok(files.length > 500, `${files.length} files`);
	assert.deepEqual(
		files.flatMap((file) => brokenCitations(ROOT, citingOf(ROOT, file))),
		[],
	);
});

test('the links of every page have a target', () => {
	const pages = pageFiles(ROOT);
	assert.ok(pages.includes('README.md') && pages.includes('docs/decisions/README.md'), pages.join(', '));
	assert.deepEqual(
		pages.flatMap((page) => brokenLinks(ROOT, page)),
		[],
	);
});

for (const [text, ...broken] of [
	['docs/statistics.md'],
	['docs/statistics.md 3.2', []],
	['docs/statistics.md#32-sequential-p-values'],
	['docs/evaluation.md, question 2'],
	['`src/judge/decide.ts` and test/judge'],
	['docs/statistics.md 3.9', 'docs/statistics.md 3.9'],
	['docs/statistics.md, sections 2 to 77', 'docs/statistics.md, sections 2 to 77'],
	['docs/statistics.md#3-nothing', 'docs/statistics.md#3-nothing'],
	['docs/evaluation.md, question 99', 'docs/evaluation.md, question 99'],
	['docs/report.md, "Whose fault it is"'],
	['docs/report.md, "Nothing"', 'docs/report.md, "Nothing"'],
	['docs/nowhere.md', 'docs/nowhere.md'],
	['design.md 4.2', 'design.md'],
	['statistics.md 5.4 to 5.8', 'statistics.md'],
	['src/config/load-*.ts'],
	['src/judge/nowhere.ts', 'src/judge/nowhere.ts'],
	['src/judge/no-*.ts', 'src/judge/no-*.ts'],
] as const) {
	test(`a comment with "${text}" ${broken.flat().length === 0 ? 'is fine' : 'is found'}`, () => {
		const citations = brokenCitations(ROOT, { file: 'src/cli.ts', text: `// Source: ${text}.` });
		assert.deepEqual(
			citations,
			broken.flat().map((target) => `src/cli.ts cites ${target}`),
		);
	});
}

test('a citation that is broken over two lines of a comment is read as one', () => {
	const { text } = citingOf(ROOT, 'test/docs/citations.test.ts');
	/* The page docs/statistics.md
	 * 3.2 is cited here. */
	assert.ok(text.includes('docs/statistics.md 3.2 is cited'), text);
});

test("anchors match GitHub's", () => {
	const page = '# A _b_: `c d`?\n\n## 1.2 Who’s – there\n\n## Same\n\n## Same\n\n```sh\n# no heading\n```\n';
	assert.deepEqual(anchorsOf(page), ['a-_b_-c-d', '12-whos--there', 'same', 'same-1']);
	assert.deepEqual(sectionsOf(page), ['1.2']);
	assert.deepEqual(titlesOf(page), ['A b: c d?', 'Who’s – there', 'Same', 'Same']);
});
