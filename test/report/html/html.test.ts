import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { renderHtml } from '../../../src/report/html/html.ts';
import { STYLESHEET } from '../../../src/report/html/stylesheet.ts';
import { RESULT_CASES, resultCase } from '../../support/result-cases.ts';
import { chartsOf } from '../../support/results.ts';

const SCRIPT = 'const end = "</script><!--";';

function htmlOf(name: string): string {
	const result = resultCase(name);
	return renderHtml(result, chartsOf(result), SCRIPT);
}

test('the security policy allows exactly the embedded script', () => {
	const html = htmlOf('several');
	const code = html.slice(html.lastIndexOf('<script>') + '<script>'.length, html.lastIndexOf('</script>'));
	assert.equal(code, 'const end = "<\\/script><\\!--";');
	const hash = createHash('sha256').update(code).digest('base64');
	assert.ok(html.includes(`default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'`));
});

test('columns with a style of their own are columns of the table', () => {
	const body = htmlOf('several').replace(/<style>.*?<\/style>/s, '');
	const labels = [...body.matchAll(/data-label="([^"]+)"/g)].map(([, label]) => label);
	const styled = [...STYLESHEET.matchAll(/\[data-label="([^"]+)"\]/g)].map(([, label]) => label);
	assert.ok(styled.length > 4);
	assert.deepEqual(
		styled.filter((label) => !labels.includes(label)),
		[],
	);
});

test('the file loads nothing, and links only to itself and to our documentation', () => {
	for (const name of Object.keys(RESULT_CASES)) {
		const html = htmlOf(name).replace(/<script.*?<\/script>/gs, '');
		const addresses = [...html.matchAll(/\s(?:src|href|action|data|srcset|poster)="([^"]*)"/g)].map(
			(match) => match[1],
		);
		assert.deepEqual(
			addresses.filter(
				(address) =>
					!/^(#note-\d+|#row-.+|data:,|https:\/\/github\.com\/benchgate\/benchgate\/blob\/v0\/docs\/report\.md#notes)$/.test(
						address ?? '',
					),
			),
			[],
		);
		assert.doesNotMatch(html, /url\(|@import/);
	}
});

test('hostile text adds no element, handler or comment', () => {
	const html = htmlOf('hostile');
	assert.equal(html.match(/<script/g)?.length, 2);
	assert.doesNotMatch(html, /<img|<!-- x|<b>|<\/details><\/table>/);
	const [body = ''] = /<body>.*<script type/s.exec(html) ?? [];
	assert.doesNotMatch(body.replace(/>[^<]*</g, '><'), /onerror|javascript:/);
});

test('without a script the page still shows every cell, its change and verdict', () => {
	const html = htmlOf('several').replace(/<script.*?<\/script>/gs, '');
	for (const text of ['express/route-params', '−12.2 %', '[−14.6 … −9.8]', 'inconclusive', 'npx benchgate compare']) {
		assert.ok(html.replaceAll('\u00a0', ' ').includes(text), text);
	}
	assert.match(html, /id="forest-section" hidden/);
});

test('a cell named like a property of every object has its own charts', () => {
	const result = resultCase('hostile');
	const { cells } = result;
	const named = {
		...result,
		cells: cells.slice(0, 1).map((cell) => ({ ...cell, server: 'constructor', scenario: '' })),
	};
	const html = renderHtml(named, { rounds: {}, latency: {} }, SCRIPT);
	assert.match(html, /"rounds":\[\],"latency":null/);
});
