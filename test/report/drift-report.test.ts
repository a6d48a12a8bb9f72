import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { renderMarkdown, renderTerminal } from '../../src/report/compare/comparison-document.ts';
import { drawHistory, MOST_LINES } from '../../src/report/compare/drift-model.ts';
import { renderHtml } from '../../src/report/html/html.ts';
import { assertGolden } from '../support/golden.ts';
import { resultCase } from '../support/result-cases.ts';
import { chartsOf, type DriftSketch, resultOf } from '../support/results.ts';

const PLAIN = { colour: false, width: 100 };
const at = (drift: DriftSketch, change?: number, margin = 0.005) =>
	resultOf([{ scenario: 'ping', ...(change === undefined ? { verdict: 'new' as const } : { change, margin }), drift }]);
const lineOf = (drift: DriftSketch, change?: number, margin?: number) =>
	renderMarkdown(at(drift, change, margin), { acceptLabel: 'ok', gate: 'enforce' })
		.split('\n')
		.find((line) => line.startsWith('- `express/ping`: '));

const tableOf = (result: ReturnType<typeof at>) => renderMarkdown(result).replaceAll('\u00a0', ' ');

test('the line of a row shows where main stands, since when, and what the pull request adds', () => {
	assert.equal(
		lineOf({ verdict: 'below', history: [-0.031] }, -0.012),
		'- `express/ping`: main is **3.1 % slower** [−3.9 … −2.3] than `v5.2.0`. This pull request: −1.2 %.',
	);
	assert.match(lineOf({ verdict: 'below', history: [-0.031] }, 0.012) ?? '', / This pull request: \+1\.2 %\.$/);
	assert.match(
		lineOf({ verdict: 'drifted', history: [-0.12] }, 0) ?? '',
		/ than `v5\.2\.0` \(limit 10 %\)\. This pull request: no significant change \(0\.0 %\)\.$/,
	);
	const adds = { verdict: 'adds', history: [-0.12] } as const;
	assert.match(lineOf(adds, -0.02) ?? '', /: −2\.0 %, together \*\*−13\.8 %\*\* \(not enforced\)\.$/);
	assert.match(lineOf({ ...adds, policy: 'enforce' }, -0.02) ?? '', /, together \*\*−13\.8 %\*\*\.$/);
	assert.match(lineOf({ ...adds, measured: 'release/5.x@1a2b3c4' }, -0.02) ?? '', /: release\/5\.x is /);
});

test('a difference within the noise is no significant change, and absent from the table', () => {
	const below = { verdict: 'below', history: [-0.031] } as const;
	for (const change of [-0.017, 0.017]) {
		const line = lineOf(below, change, 0.03) ?? '';
		assert.match(line, / than `v5\.2\.0`\. This pull request: no significant change \([−+]1\.7 %\)\.$/);
		assert.match(tableOf(at(below, change, 0.03)), /\| −3\.1 % \| \[−3\.9 … −2\.3\] \| – \| – \| −10 % \|/);
	}
	assert.match(tableOf(at(below, -0.017)), /\| −1\.7 % \| −4\.7 % \| −10 % \|/);
});

test('a level from one baseline alone is labelled as the last measurement', () => {
	const unsettled = { verdict: 'unsettled', history: [0, 0, -0.12] } as const;
	assert.equal(
		lineOf(unsettled, -0.012),
		'- `express/ping`: main was **12 % slower** [−12.8 … −11.2] than `v5.2.0` when last measured; another baseline has to confirm it.',
	);
	assert.match(tableOf(at(unsettled, -0.012)), /−12\.0 % \(not settled\)/);
	assert.equal(lineOf({ verdict: 'unsettled', history: [0, 0.12] }, -0.012), undefined, 'faster');
});

test('a row at its anchor has no line, and neither has one that was not measured; both are in the table', () => {
	for (const result of [at({ verdict: 'level', history: [0] }, -0.02), at({ verdict: 'below', history: [-0.05] })]) {
		const text = renderMarkdown(result);
		assert.doesNotMatch(text, /^- `express\/ping`: main/m);
		assert.match(text, /<summary>Baselines of main: 1 row<\/summary>/);
	}
	assert.doesNotMatch(renderMarkdown(resultCase('unchanged')), /Baselines/);
});

test('lines beyond the first few are counted', () => {
	const rows = Array.from({ length: MOST_LINES + 3 }, (_, index) => ({
		scenario: `s${index}`,
		change: -0.001,
		drift: { verdict: 'below', history: [-0.03 - index / 1000] } as const,
	}));
	const text = renderMarkdown(resultOf(rows));
	assert.equal(text.match(/^- `express\/s\d`: main is/gm)?.length, MOST_LINES);
	assert.match(text, /^- `express\/s7`: .*\n(?:- .*\n)*- and 3 more rows below the anchor$/m);
	assert.match(renderTerminal(resultOf(rows), PLAIN), /^- and 3 more rows below the anchor \(add --verbose\)$/m);
	const whole = renderTerminal(resultOf(rows), { ...PLAIN, verbose: true });
	assert.equal(whole.match(/: main is 3/g)?.length, rows.length);
});

test('a comment without room for tables still has the lines', () => {
	const { cells, ...rest } = resultCase('two-hundred');
	const drift = resultCase('main-below').cells.find((cell) => cell.drift)?.drift;
	assert.ok(drift);
	const text = renderMarkdown({ ...rest, cells: cells.map((cell) => ({ ...cell, drift })) }, { limit: 14_000 });
	assert.ok(text.length <= 14_000);
	assert.match(text, /main is \*\*3\.1 % slower\*\*/);
	assert.doesNotMatch(text, /<summary>Baselines/);
	assert.match(text, /Left out to fit: .*baselines/);
});

describe('a history in text', () => {
	for (const [name, levels, expected] of [
		['noise around the anchor stays flat', [0.001, -0.001, 0, 0.001], '████'],
		['a step down is seen', [0, 0, -0.08, -0.08], '██▁▁'],
		['faster than the anchor is higher', [0, 0.07], '▁█'],
		['nothing', [], ''],
	] as const) {
		test(name, () => assert.equal(drawHistory(levels), expected));
	}
});

test('the terminal shows the baselines of every row on request', () => {
	const text = renderTerminal(resultCase('main-below'), { ...PLAIN, width: 120, verbose: true });
	assertGolden('report/main-below-verbose.txt', `${text}\n`);
});

test('the page draws every history without a script', () => {
	const result = resultCase('main-below');
	const page = renderHtml(result, chartsOf(result), '');
	assert.equal(page.match(/<svg class="history"/g)?.length, result.cells.filter((cell) => cell.drift).length);
	assert.match(page, /<h2>Baselines of main<\/h2>\n<ul><li><code>express\/json-get<\/code>: main is/);
	assert.doesNotMatch(page, /points="[^"]*NaN/);
});
