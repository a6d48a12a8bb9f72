import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildReport, type Report } from '../../../src/report/compare/report-model.ts';
import { type Phrase, renderPhrase } from '../../../src/text/phrase.ts';
import type { Result } from '../../../src/types/result.ts';
import { cellOf, resultOf } from '../../support/results.ts';

const same = (text: string): string => text;
const read = (text: Phrase): string => renderPhrase(text, { own: same, code: same, text: same, strong: same });
const contextOf = (report: Report, label: string): string =>
	report.context
		.filter((line) => line.label === label)
		.map(({ value }) => read(value))
		.join('\n');
const actionOf = (result: Result): string => read(buildReport(result).headline.action);

test('rows come in reading order: by verdict, then worst first, improvements largest first', () => {
	const { rows, matters } = buildReport(
		resultOf([
			{ scenario: 'same', change: 0.001 },
			{ scenario: 'open', verdict: 'inconclusive', change: -0.03 },
			{ scenario: 'fresh', verdict: 'new' },
			{ scenario: 'gone', verdict: 'removed' },
			{ scenario: 'broken', verdict: 'invalid' },
			{ scenario: 'better', verdict: 'improved', change: 0.07 },
			{ scenario: 'best', verdict: 'improved', change: 0.2 },
			{ scenario: 'bad', verdict: 'regressed', change: -0.06 },
			{ scenario: 'worst', verdict: 'regressed', change: -0.11, judgedBy: 'cpu-per-request' },
			{ scenario: 'lower', change: -0.01 },
		]),
	);
	const order = ['worst', 'bad', 'best', 'better', 'broken', 'fresh', 'gone', 'open', 'lower', 'same'];
	assert.deepEqual(
		rows.map(({ scenario }) => scenario),
		order,
	);
	assert.deepEqual(
		matters.map(({ scenario }) => scenario),
		order.slice(0, 8),
	);
});

test('a cost metric keeps its own change but its span is turned so that worse is negative', () => {
	const cell = cellOf({
		scenario: 'ping',
		change: -0.1,
		margin: 0.02,
		judgedBy: 'cpu-per-request',
		verdict: 'regressed',
	});
	const [row] = buildReport(
		resultOf([{ ...cell, change: 0.25, interval: { low: 0.2, high: null, confidence: 0.9 } }]),
	).rows;
	assert.equal(row?.change, '+25.0 %');
	assert.equal(row?.interval, '[+20.0 … +∞]');
	assert.deepEqual(row?.span, { low: null, mid: -0.19999999999999996, high: 1 / 1.2 - 1, threshold: 0.05 });
});

test('equal warnings make one footnote with the cells it concerns; the run’s come last', () => {
	const shared = { code: 'generator-bound', message: 'At its limit.' };
	const { footnotes, rows } = buildReport(
		resultOf(
			[
				{ scenario: 'a', change: -0.02, warnings: [shared] },
				{ scenario: 'b', change: -0.01, warnings: [{ code: 'small-drop', message: 'Small.' }, shared] },
			],
			'pass',
			{ warnings: [{ code: 'busy-machine', message: 'Busy.' }, shared] },
		),
	);
	assert.deepEqual(
		footnotes.map(({ number, code, cells }) => [number, code, cells]),
		[
			[1, 'generator-bound', ['express/a', 'express/b']],
			[2, 'small-drop', ['express/b']],
			[3, 'busy-machine', []],
		],
	);
	assert.deepEqual(
		rows.map(({ notes }) => notes),
		[[1], [1, 2]],
	);
});

test('many messages of one code fold into one footnote', () => {
	const rows = Array.from({ length: 5 }, (_, at) => ({
		scenario: `s${at}`,
		change: at / 1000,
		warnings: [{ code: 'few-responses', message: `Only ${at}.` }],
	}));
	const [note, ...others] = buildReport(resultOf(rows)).footnotes;
	assert.deepEqual(others, []);
	assert.equal(note?.message, 'Only 0.');
	assert.equal(note?.alike, 4);
	assert.deepEqual([note?.cells.length, note?.moreCells], [3, 2]);
});

test('an inconclusive row says which threshold or budget would decide it', () => {
	const open = { scenario: 'ping', verdict: 'inconclusive', change: -0.03 } as const;
	const advice = (smallest: number | null): string =>
		actionOf(resultOf([{ ...cellOf(open), smallestDecidableThreshold: smallest }], 'inconclusive'));
	assert.match(
		advice(0.0701),
		/^express\/ping is too noisy to decide at 5 %\. It needs a threshold of 7\.1 %, or a budget of about 20 min \(now 10 min\)\. /,
	);
	assert.match(advice(0.2), /a threshold of 20 % or a quieter machine; a larger budget is not enough\./);
	assert.match(advice(0.04), /^express\/ping is too close to 5 % to decide: use a larger budget \(now 10 min\)/);
	assert.match(advice(0.9), /use a quieter machine/);
	assert.match(advice(null), /too few rounds to decide/);
	assert.match(advice(null), /The run still passes \(on-inconclusive: pass\)\.$/);
});

test('versions name what differs between the sides and count what does not', () => {
	const report = buildReport(resultOf([{ scenario: 'ping', change: 0 }]));
	assert.equal(
		contextOf(report, 'Versions'),
		'express: express 5.1.0 → 5.2.0, router 2.2.0 → 2.3.0; 3 packages equal on both sides',
	);
});

test('time says how much of it was under load, and the smallest visible drop names its cells', () => {
	const report = buildReport(
		resultOf([
			{ scenario: 'a', change: 0, margin: 0.01 },
			{ scenario: 'b', change: 0, margin: 0.02 },
		]),
	);
	assert.match(
		contextOf(report, 'Time'),
		/^6 min 12 s in all: 5 min 18 s of measuring, 3 min 34 s \(67\.3 %\) of that counted/,
	);
	assert.equal(contextOf(report, 'Detectable drop'), '2 % (express/a) to 4 % (express/b)');
});

test('a result without cells is still a report', () => {
	const report = buildReport(
		resultOf([], 'error', { gate: { outcome: 'error', reasons: ['There was nothing to compare.'] } }),
	);
	assert.equal(read(report.headline.summary), 'There was nothing to compare.');
	assert.deepEqual(report.rows, []);
});

test('a command too long to show whole is left out rather than cut', () => {
	assert.equal(buildReport(resultOf([], 'error', { reproduce: 'x'.repeat(1001) })).reproduce, null);
	assert.equal(buildReport(resultOf([], 'error', { reproduce: 'x'.repeat(1000) })).reproduce?.length, 1000);
});
