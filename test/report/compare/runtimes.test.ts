/** The runtimes of the sides, in every report. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderJson } from '../../../src/formats/json-files.ts';
import { renderMarkdown, renderTerminal } from '../../../src/report/compare/comparison-document.ts';
import { renderHtml } from '../../../src/report/html/html.ts';
import type { Result } from '../../../src/types/result.ts';
import type { RuntimeInfo } from '../../../src/types/runtime.ts';
import { HOSTILE, resultCase } from '../../support/result-cases.ts';
import { chartsOf } from '../../support/results.ts';

const node = (version: string): RuntimeInfo => ({ name: 'node', version });

function withRuntimes(base: RuntimeInfo, head: RuntimeInfo): Result {
	const result = resultCase('several');
	return { ...result, environment: { ...result.environment, runtimes: { base, head } } };
}

const html = (result: Result) => renderHtml(result, chartsOf(result), '').replace(/<[^>]*>/g, '');
const terminal = (result: Result, verbose: boolean) => renderTerminal(result, { colour: false, width: 100, verbose });

test('two runtimes are the subject of the comparison: text, Markdown, HTML and JSON name both', () => {
	const result = withRuntimes(node('22.12.0'), node('24.1.0'));
	for (const verbose of [true, false]) {
		assert.match(terminal(result, verbose), /Runtimes: base Node 22\.12\.0, head Node 24\.1\.0/);
		assert.doesNotMatch(terminal(result, verbose), /CPUs?, Node/);
	}
	assert.match(renderMarkdown(result), /^- Runtimes: base Node 22\.12\.0, head Node 24\.1\.0$/m);
	assert.match(html(result), /Runtimes\s*base Node 22\.12\.0, head Node 24\.1\.0/);
	assert.deepEqual((JSON.parse(renderJson(result)) as Result).environment.runtimes, result.environment.runtimes);
});

test('one runtime for both sides belongs to the machine', () => {
	const bun: RuntimeInfo = { name: 'bun', version: '1.4.5' };
	const result = withRuntimes(bun, bun);
	for (const text of [terminal(result, true), terminal(result, false), renderMarkdown(result)]) {
		assert.match(text, /,\s+Bun\s+1\.4\.5/);
		assert.doesNotMatch(text, /Runtimes/);
	}
});

test('versions are escaped', () => {
	for (const attack of Object.values(HOSTILE)) {
		const result = withRuntimes(node('22.12.0'), node(attack));
		assert.doesNotMatch(renderHtml(result, chartsOf(result), ''), /<img|<script>alert/);
		assert.doesNotMatch(terminal(result, true), /(?!\n)\p{Cc}|\u202E/u);
	}
});
