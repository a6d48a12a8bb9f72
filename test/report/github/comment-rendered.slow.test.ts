import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import type { Element, Root } from 'hast';
import { elementsIn, parseMarkdown, sanitize, tableOf, textIn } from '../../support/pages/github-markdown.ts';
import { resultCase } from '../../support/result-cases.ts';

const FOLDER = new URL('../../golden/comment/', import.meta.url);
const NAMES = readdirSync(FOLDER)
	.filter((name) => name.endsWith('.md'))
	.map((name) => name.slice(0, -'.md'.length));

const OWN_ELEMENTS = 'h3 p strong code pre table thead tbody tr th td details summary ul li sub em br a'.split(' ');
const OWN_LINKS =
	/^https:\/\/github\.com\/expressjs\/express\/(?:commit\/[0-9a-f]{40}|compare\/[0-9a-f]{40}\.{3}[0-9a-f]{40}|actions\/runs\/\d+)$|^https:\/\/github\.com\/benchgate\/benchgate\/blob\/v0\/docs\/report\.md#notes$|^https:\/\/expressjs\.github\.io\/express\/#\/cell\//;
/** Text outside of code that GitHub makes a link. */
const AUTOLINK = /@[a-z\d]|#\d|\bGH-\d|:\/\/|\bwww\.|\b(?=\d*[a-f])[0-9a-f]{7,40}\b/i;

function treeOf(name: string): Root {
	return parseMarkdown(readFileSync(new URL(`${name}.md`, FOLDER), 'utf8'));
}

describe('each comment as GitHub renders it', () => {
	for (const name of NAMES) {
		test(`${name} has our elements, attributes and links only, and GitHub removes none of them`, () => {
			const tree = treeOf(name);
			for (const element of elementsIn(tree)) assertOwn(element);
			assert.deepEqual(elementsIn(sanitize(tree)).map(describeElement), elementsIn(tree).map(describeElement));
		});

		test(`${name} has no mention and no reference`, () => {
			assert.doesNotMatch(textIn(treeOf(name), 'code', 'pre'), AUTOLINK);
			assert.doesNotMatch(textIn(treeOf(name)), /[^\P{Cc}\n]|\p{Bidi_Control}/u);
		});

		test(`${name} has a summary and content in every fold, and whole tables`, () => {
			const tree = treeOf(name);
			for (const { children } of elementsIn(tree, 'details')) {
				const [first, ...rest] = children.filter((child) => child.type === 'element');
				assert.equal(first?.tagName, 'summary');
				assert.ok(rest.length > 0);
			}
			for (const table of elementsIn(tree, 'table')) {
				const [head = [], ...rows] = tableOf(table);
				assert.ok(rows.length > 0);
				assert.deepEqual([...new Set(rows.map((row) => row.length))], [head.length]);
			}
		});
	}
});

describe('a comment of a comparison shows at most five rows first, and every row in the full table', () => {
	const columns = ['', 'row', 'change'];
	const names = ['unchanged', 'one-cell', 'one-regressed', 'several', 'improved', 'inconclusive', 'invalid', 'hostile'];
	for (const name of names) {
		test(name, () => {
			const tables = elementsIn(treeOf(name), 'table').map(tableOf);
			const { cells } = resultCase(name);
			const matters = tables.find(([head]) => head?.[1] === 'row');
			assert.deepEqual(matters?.[0]?.slice(0, 3) ?? columns, columns);
			const telling = cells.filter(({ verdict }) => verdict !== 'unchanged').length;
			assert.equal(matters?.slice(1).length ?? 0, Math.min(5, telling));
			const all = tables.find(([head]) => head?.[1] === 'verdict');
			assert.equal(all?.slice(1).length, cells.length);
			assert.equal(all?.[0]?.length, 10);
		});
	}
});

test('a log keeps its lines and its fences inside one block', () => {
	const blocks = elementsIn(treeOf('hostile-failure'), 'pre').map((block) => textIn(block));
	assert.equal(blocks.length, 1);
	const lines = blocks[0]?.trimEnd().split('\n') ?? [];
	assert.deepEqual(lines.slice(0, 3), ['```', '~~~', '</details>']);
	assert.deepEqual(lines.slice(-3), ['````js', 'red', '``````````']);
});

test('every comment begins with its only heading', () => {
	for (const name of NAMES.filter((each) => each !== 'measuring-again')) {
		const elements = elementsIn(treeOf(name));
		assert.equal(elements[0]?.tagName, 'h3', name);
		assert.equal(elements.filter(({ tagName }) => tagName === 'h3').length, 1, name);
	}
});

function assertOwn({ tagName, properties }: Element): void {
	assert.ok(OWN_ELEMENTS.includes(tagName), `<${tagName}>`);
	if (tagName === 'a') assert.match(String(properties.href), OWN_LINKS);
	const strange = Object.entries(properties).filter(([key, value]) => {
		if (key === 'align') return value !== 'left' && value !== 'right';
		if (key === 'className') return !/^language-(?:sh|text|yaml)$/.test(String(value));
		return key !== 'href';
	});
	assert.deepEqual(strange, [], `<${tagName}>`);
}

function describeElement({ tagName, properties }: Element): string {
	return `${tagName} ${String(properties.href ?? '')}`;
}
