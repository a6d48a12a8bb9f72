import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { renderMarkdown } from '../../../src/report/compare/comparison-document.ts';
import { COMMENT_CASES } from '../../support/comment-cases.ts';
import { assertGolden } from '../../support/golden.ts';
import { RESULT_CASES, resultCase } from '../../support/result-cases.ts';

const OWN_ELEMENTS = 'h3 p strong code pre table thead tbody tr th td details summary ul li sub em br a'.split(' ');

/** Comments show the other situations. */
const WITHOUT_COMMENT = [
	...['base-broken-once', 'few-rounds', 'five-metrics', 'generator-bound', 'rough-figures'],
	'unaffected',
];

describe('Markdown of situations without a comment, and with the exit code, is as reviewed', () => {
	for (const name of [...WITHOUT_COMMENT, 'same-code', 'several', 'hostile']) {
		test(name, () => assertGolden(`report/${name}.md`, renderMarkdown(resultCase(name))));
	}
	test('every other situation has a comment', () => {
		const otherNames = Object.keys(RESULT_CASES).filter((name) => !(name in COMMENT_CASES));
		assert.deepEqual(otherNames.toSorted(), [...WITHOUT_COMMENT, 'same-code'].toSorted());
	});
});

describe('detail is shed in whole pieces until the text fits', () => {
	const full = renderMarkdown(resultCase('two-hundred'), { limit: Infinity });
	assert.ok(full.length > 65_000);
	for (const limit of [65_000, 40_000, 20_000, 8_000, 4_000]) {
		test(`${limit} characters`, () => {
			const text = renderMarkdown(resultCase('two-hundred'), { limit });
			assert.ok(text.length <= limit, `${text.length} characters`);
			assert.ok(text.length < full.length);
			assert.match(text, /^### ❌ Fail: 25 of 200 rows regressed\. Worst: `server-/);
			assert.match(text, /_Left out to fit: .* have everything\._\n$/);
			assert.ok(text.split('\n').every((line) => !line.startsWith('|') || line.endsWith('|')));
			assert.equal(text.split('<details>').length, text.split('</details>').length);
		});
	}
});

test('a text that fits mentions no omission', () => {
	for (const name of ['unchanged', 'several', 'hostile']) {
		assert.doesNotMatch(renderMarkdown(resultCase(name)), /Left out/);
	}
});

test('hostile names, bodies and versions add no element, attribute or link to the comment', () => {
	const html = micromark(renderMarkdown(resultCase('hostile')), {
		allowDangerousHtml: true,
		allowDangerousProtocol: true,
		extensions: [gfm()],
		htmlExtensions: [gfmHtml()],
	});
	const tags = [...html.matchAll(/<\/?([a-z][a-z0-9]*)([^>]*)>/gi)];
	const strange = tags.filter(([, name, attributes]) => {
		const allowed = OWN_ELEMENTS.includes(name ?? '');
		return (
			!allowed || !/^(?: align="(?:left|right)"| class="language-(?:sh|text)"| href="[^"]*")?$/.test(attributes ?? '')
		);
	});
	assert.deepEqual(
		strange.map(([tag]) => tag),
		[],
	);
	assert.doesNotMatch(html, /<!--/);
	const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, address]) => address);
	assert.deepEqual([...new Set(links)], ['https://github.com/benchgate/benchgate/blob/v0/docs/report.md#notes']);
	const outsideCode = html.replace(/<(code|pre)[^>]*>.*?<\/\1>/gs, '').replace(/<a href="[^"]*">/g, '');
	assert.doesNotMatch(outsideCode, /@[a-z]|#\d|GH-\d|:\/\/|www\./i);
	assert.doesNotMatch(html, /[^\P{Cc}\n]|\p{Bidi_Control}/u);
});
