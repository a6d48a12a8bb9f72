import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';
import { renderTerminal } from '../../../src/report/compare/comparison-document.ts';
import type { MetricName } from '../../../src/types/metric.ts';
import type { Verdict } from '../../../src/types/verdict.ts';
import { assertGolden } from '../../support/golden.ts';
import { RESULT_CASES, resultCase } from '../../support/result-cases.ts';
import { cellOf, resultOf } from '../../support/results.ts';

describe('the terminal report of every situation is as reviewed, at 80 columns', () => {
	// 200 rows show no more than the others.
	for (const [name, make] of Object.entries(RESULT_CASES).filter(([name]) => name !== 'two-hundred')) {
		test(name, () => assertGolden(`report/${name}.txt`, `${renderTerminal(make(), { colour: false, width: 80 })}\n`));
	}
});

test('the whole report has versions, limits, method and every note', () => {
	const text = renderTerminal(resultCase('several'), { colour: false, width: 100, verbose: true });
	assertGolden('report/several-verbose.txt', `${text}\n`);
});

test('60 columns still name the metric of each row, and a server’s row by the server alone', () => {
	const text = renderTerminal(resultCase('five-metrics'), { colour: false, width: 60 });
	assertGolden('report/five-metrics-narrow.txt', `${text}\n`);
});

test('200 columns show servers, scenarios and absolute figures too', () => {
	const text = renderTerminal(resultCase('several'), { colour: false, width: 200 });
	assertGolden('report/several-wide.txt', `${text}\n`);
});

test('figures that are ranges are explained beside them', () => {
	const [narrow, wide] = [80, 140].map((width) =>
		renderTerminal(resultCase('rough-figures'), { colour: false, width }),
	);
	assert.match(wide ?? '', /hono +ping +27,000–70,000 +24,000–62,000 /);
	assert.match(wide ?? '', /^A range for base and head means that something disturbed their short measurement\./m);
	assert.doesNotMatch(narrow ?? '', /27,000|A range/);
});

describe('no line of a table or of prose is wider than the terminal', () => {
	for (const width of [60, 80, 120, 200]) {
		for (const name of ['several', 'hostile', 'generator-bound', 'few-rounds']) {
			test(`${name} at ${width}`, () => {
				const text = renderTerminal(resultCase(name), { colour: false, width });
				const [report = ''] = text.split('\n\nRepeat it:');
				const wide = report.split('\n').filter((line) => stringWidth(line) > width && /\s\S+\s/.test(line.trim()));
				assert.deepEqual(wide, []);
			});
		}
	}
});

test('the first line begins with the outcome', () => {
	const firstWord = (name: string): string =>
		renderTerminal(resultCase(name), { colour: false, width: 80 }).split(' ', 1)[0] ?? '';
	assert.deepEqual(['unchanged', 'one-regressed', 'inconclusive', 'nothing-measured'].map(firstWord), [
		'PASS',
		'FAIL',
		'INCONCLUSIVE',
		'ERROR',
	]);
});

test('rows of one cell are distinguished by metric at every width, even if the same metric decided both', () => {
	const gated = (metric: MetricName, judgedBy: MetricName) => ({
		...cellOf({ scenario: 'ping', change: 0, judgedBy }),
		metric,
	});
	const { cells, ...rest } = resultOf([{ scenario: 'get', change: 0 }]);
	const rows = [
		gated('throughput', 'cpu-per-request'),
		gated('cpu-per-request', 'cpu-per-request'),
		gated('latency-p99', 'latency-p99'),
	];
	for (const width of [40, 60, 80, 120, 200]) {
		const text = renderTerminal({ ...rest, cells: [...cells, ...rows] }, { colour: false, width });
		const labels = [
			'requests/s by CPU per request',
			'  CPU per request',
			'latency p99',
			` requests/s${' '.repeat(15)}`,
		];
		for (const label of labels) assert.equal(text.split(label).length, 2, `${label} at ${width}:\n${text}`);
	}
});

test('few lines follow the table unless the full report is requested', () => {
	const linesAfterTable = (verbose: boolean): number => {
		const text = renderTerminal(resultCase('one-regressed'), { colour: false, width: 100, verbose });
		return text.split('\n').filter((line, at, all) => line !== '' && at > all.findLastIndex((row) => row.includes('✓')))
			.length;
	};
	assert.ok(linesAfterTable(false) <= 7, `${linesAfterTable(false)} lines`);
	assert.ok(linesAfterTable(true) > 15, `${linesAfterTable(true)} lines`);
});

test('notes beyond three wait for --verbose, but the reason of an invalid row is always shown', () => {
	const noted = (scenario: string, verdict: Verdict) =>
		cellOf({ scenario, verdict, warnings: [{ code: `code-${scenario}`, message: `About ${scenario}.` }] });
	const names = ['a', 'b', 'c', 'd', 'e'];
	const result = resultOf([...names.map((name) => noted(name, 'inconclusive')), noted('f', 'invalid')], 'inconclusive');
	const brief = renderTerminal(result, { colour: false, width: 100 });
	assert.match(brief, /About f\./);
	assert.match(brief, /\nand 2 more notes \(add --verbose\)\n/);
	const whole = renderTerminal(result, { colour: false, width: 100, verbose: true });
	for (const name of names) assert.ok(whole.includes(`About ${name}.`));
});

test('colour adds escape codes only; without it there are none', () => {
	const result = resultCase('several');
	const plain = renderTerminal(result, { colour: false, width: 100 });
	const painted = renderTerminal(result, { colour: true, width: 100 });
	assert.equal(plain, stripVTControlCharacters(plain));
	assert.equal(stripVTControlCharacters(painted), plain);
	assert.ok(painted.includes('\u001b[31m✗ regressed\u001b[39m'));
});

test('hostile text cannot control the terminal', () => {
	const text = renderTerminal(resultCase('hostile'), { colour: false, width: 100 });
	assert.doesNotMatch(text, /[^\P{Cc}\n]|\p{Bidi_Control}/u);
});
