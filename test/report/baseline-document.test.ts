import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import stringWidth from 'string-width';
import { baselineDocument } from '../../src/report/baseline-document.ts';
import { toMarkdown } from '../../src/report/document/markdown-writer.ts';
import { toTerminal } from '../../src/report/document/terminal-writer.ts';
import { rowsWith } from '../../src/trend/main-rows.ts';
import type { BaselineCell, BaselineRun } from '../../src/types/baseline.ts';
import { anchorOf, commitOf, levelCell, levelOfCommit } from '../support/baselines/baselines.ts';
import { assertGolden } from '../support/golden.ts';

const HOSTILE = '](javascript:x) <img src=x onerror=y> @everyone #1 | `a`\n\u202e **b**';

const ROWS: readonly BaselineCell[] = [
	levelCell(-0.0315, { scenario: 'param-json', low: -0.0398, high: -0.0233, verdict: 'inconclusive' }),
	levelCell(-0.004),
	levelCell(0.011, { scenario: 'json-post', solo: null, ofReference: { value: 0.4, low: 0.2, high: 0.8, rounds: 2 } }),
];

function runOf(cells: readonly BaselineCell[], changes: Partial<BaselineRun> = {}): BaselineRun {
	const anchor = anchorOf(0);
	const level = levelOfCommit(9, anchor, cells);
	const rows = rowsWith(level, [levelOfCommit(8, anchor, cells)]);
	return {
		records: [level],
		rows,
		anchor,
		head: commitOf(9),
		unchanged: false,
		interrupted: false,
		notes: [],
		...changes,
	};
}

/** This run is the first to measure a new level. */
function steppedTo(cells: readonly BaselineCell[]): BaselineRun {
	const before = cells.map((cell) => levelCell(0, { scenario: cell.scenario }));
	const earlier = [5, 6, 7, 8].map((n) => levelOfCommit(n, anchorOf(0), before));
	return { ...runOf(cells), rows: rowsWith(levelOfCommit(9, anchorOf(0), cells), earlier) };
}

const level = runOf(ROWS.slice(1));
const [V5, crash] = [
	anchorOf(5),
	{ code: 'crashed', message: 'the head server crashed: exit code 1', side: 'head' } as const,
];
const CASES: Readonly<Record<string, BaselineRun>> = {
	below: runOf(ROWS),
	level,
	above: runOf([levelCell(0.07, { verdict: 'improved' }), levelCell(0.04, { scenario: 'json-post' })]),
	'two-below': runOf([...ROWS, levelCell(-0.09, { scenario: 'static', verdict: 'regressed' })]),
	latency: runOf([
		levelCell(-0.06, { metric: 'latency-p50', judgedBy: 'latency-p50' }),
		levelCell(-0.06, { scenario: 'json-post', judgedBy: 'cpu-per-request' }),
	]),
	'new-era': {
		...level,
		anchor: V5,
		records: [
			levelOfCommit(9, V5, ROWS.slice(1)),
			levelOfCommit(5, anchorOf(0), [levelCell(0.021)], {
				purpose: 'link',
				commit: { ...commitOf(5), label: 'v1.5.0' },
			}),
			levelOfCommit(9, anchorOf(0), [levelCell(0.018)], { purpose: 'closure' }),
		],
	},
	unsettled: steppedTo(ROWS),
	'two-unsettled': steppedTo([
		levelCell(-0.12, { low: -0.14, high: -0.1 }),
		levelCell(0.08, { scenario: 'json-post' }),
	]),
	unsure: runOf([levelCell(-0.005, { low: -0.12, high: 0.11, se: 0.058 }), levelCell(0, { scenario: 'json-post' })]),
	unchanged: runOf([], { records: [], rows: [], unchanged: true }),
	broken: runOf([levelCell(null, { warnings: [crash] })]),
	interrupted: runOf([], { records: [], rows: [], interrupted: true }),
	hostile: runOf(
		[levelCell(-0.06, { server: HOSTILE, scenario: HOSTILE, warnings: [{ code: 'x', message: HOSTILE }] })],
		{
			anchor: { sha: null, label: HOSTILE, kind: 'given' },
			head: { ...commitOf(9), label: HOSTILE, title: HOSTILE },
			notes: [HOSTILE],
		},
	),
};

describe('reports are as reviewed', () => {
	for (const name of ['below', 'new-era', 'hostile']) {
		const text = toMarkdown(baselineDocument(CASES[name] as BaselineRun));
		test(`${name}, Markdown`, () => assertGolden(`baseline/${name}.md`, text));
	}
	for (const [name, run] of Object.entries(CASES).filter(([one]) => one !== 'hostile')) {
		const text = toTerminal(baselineDocument(run), { colour: false, width: 100 });
		test(`${name}, terminal`, () => assertGolden(`baseline/${name}.txt`, `${text}\n`));
	}
});

test('a narrow terminal shows how certain a row is instead of current figures, and explains no missing column', () => {
	const textAt = (width: number) => toTerminal(baselineDocument(runOf(ROWS)), { colour: false, width });
	assert.match(textAt(100), /95 % interval {2}standing {2}standard error/);
	assert.doesNotMatch(textAt(100), /Requests\/s|CPU per request/);
	const explained = (width: number) => /^(Requests.*) are those of the commit loaded alone/m.exec(textAt(width))?.[1];
	assert.deepEqual([explained(110), explained(160)], ['Requests/s', 'Requests/s and CPU per request']);
	assert.doesNotMatch(textAt(80), /standard error/);
});

test('every width names the metric by which a row is measured', () => {
	const textOf = (run: BaselineRun, width: number) => toTerminal(baselineDocument(run), { colour: false, width });
	for (const width of [60, 80, 100, 160]) {
		assert.match(textOf(CASES.below as BaselineRun, width), /^Against v1\.0\.0, by requests\/s$/m);
		const mixed = textOf(CASES.latency as BaselineRun, width);
		assert.match(mixed, /^express\/json.* CPU per re/m);
		assert.match(mixed, /^express\/ping +latency p50 /m);
	}
	const narrow = textOf(CASES.latency as BaselineRun, 70);
	assert.doesNotMatch(narrow, /node-http/, 'what is left out is not explained');
	assert.match(textOf(CASES['new-era'] as BaselineRun, 60), /^Against v1\.5\.0, by requests\/s$/m);
});

test('tables fit into 60 columns, whatever the names of rows', () => {
	for (const [name, run] of Object.entries(CASES)) {
		const lines = toTerminal(baselineDocument(run), { colour: false, width: 60 }).split('\n');
		const tables = lines.slice(0, lines.indexOf('Repeat it:')).filter((line) => !line.includes('://'));
		assert.deepEqual(
			tables.filter((line) => stringWidth(line) > 60),
			[],
			name,
		);
	}
});

test('an accepted slowdown needs no bisect, and one beside it does', () => {
	const below = CASES['two-below'] as BaselineRun;
	const next = (acceptedRows: readonly string[]) => {
		const text = toTerminal(baselineDocument({ ...below, acceptedRows }), { colour: false, width: 200 });
		return /^ {2}Next: (.*)$/m.exec(text)?.[1];
	};
	assert.match(next([]) ?? '', /bisect .* --scenario static\./);
	assert.match(next(['express/static']) ?? '', /bisect .* --scenario param-json\./);
	assert.equal(
		next(['express/static', 'express/param-json']),
		'Nothing to do: these slowdowns were accepted (see the notes).',
	);
});

test('the first line contains what a maintainer can act on', () => {
	const [first] = toTerminal(baselineDocument(runOf(ROWS)), { colour: false, width: 200 }).split('\n\n');
	assert.match(
		(first ?? '').replaceAll(/\s+/g, ' '),
		/^SLOWER main@[0-9a-f]{7} is slower than v1\.0\.0 in 1 of 3 rows: express\/param-json, −3\.1 % \[−4\.1 … −2\.1\] requests\/s\./,
	);
});
