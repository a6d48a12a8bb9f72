/** The revision of the bench servers, in every report that names versions. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderJson } from '../../../src/formats/json-files.ts';
import { renderMarkdown, renderTerminal } from '../../../src/report/compare/comparison-document.ts';
import { renderHtml } from '../../../src/report/html/html.ts';
import type { Result } from '../../../src/types/result.ts';
import { HOSTILE, resultCase } from '../../support/result-cases.ts';
import { chartsOf } from '../../support/results.ts';

const withHarness = (label: string, folders: readonly string[]): Result => ({
	...resultCase('several'),
	harness: { label, sha: '3c1f2a9'.padEnd(40, '0'), folders },
});
const html = (result: Result) => renderHtml(result, chartsOf(result), '');
const terminal = (result: Result, verbose: boolean) => renderTerminal(result, { colour: false, width: 100, verbose });

test('text, Markdown, HTML and JSON name the revision', () => {
	const result = withHarness('3c1f2a9', ['bench', 'tools/load']);
	for (const verbose of [true, false]) {
		assert.match(terminal(result, verbose), /Bench servers: from 3c1f2a9 on both sides \(bench, tools\/load\)/);
	}
	assert.match(renderMarkdown(result), /^- Bench servers: from `3c1f2a9` on both sides \(`bench`, `tools\/load`\)$/m);
	assert.match(
		html(result).replace(/<[^>]*>/g, ''),
		/Bench servers\s*from 3c1f2a9 on both sides \(bench, tools\/load\)/,
	);
	assert.deepEqual((JSON.parse(renderJson(result)) as Result).harness, result.harness);
	const many = withHarness('3c1f2a9', ['a', 'b', 'c', 'd', 'e', 'f']);
	assert.match(terminal(many, false), /\(a, b, c, d and 2 more\)/);
});

test('without a harness the reports do not mention one', () => {
	const result = resultCase('several');
	for (const text of [terminal(result, true), renderMarkdown(result), html(result), renderJson(result)]) {
		assert.doesNotMatch(text, /bench servers|harness/i);
	}
});

test('its names are escaped', () => {
	const attacks = Object.values(HOSTILE);
	const result = withHarness(HOSTILE.html, attacks);
	assert.doesNotMatch(html(result), /<img|<script>alert/);
	assert.doesNotMatch(terminal(result, true), /(?!\n)\p{Cc}|\u202E/u);
	const line = /^- Bench servers: .*$/m.exec(renderMarkdown(result))?.[0] ?? '';
	assert.doesNotMatch(line.replace(/`+[^`]*`+|<\/?code>/g, ''), /[<@*_]/);
});
