import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAcceptanceLines } from '../../../src/github/acceptance-line.ts';
import { acceptRedRows, weighResult } from '../../../src/judge/acceptance.ts';
import { adviseAccepting, describeAcceptedRows } from '../../../src/report/compare/acceptance-words.ts';
import { renderTerminal } from '../../../src/report/compare/comparison-document.ts';
import type { CellResult, Result } from '../../../src/types/result.ts';
import type { Acceptance } from '../../../src/types/verdict.ts';
import { RESULT_CASES, resultCase } from '../../support/result-cases.ts';

const SHA = '0123456789abcdef0123456789abcdef01234567';
const PLACE = { acceptLabel: 'benchgate: accepted', headSha: SHA };
const FLAG: Acceptance = {
	by: '--accept',
	via: 'flag',
	reason: null,
	rows: [{ cell: null, kind: 'regressed', upTo: 0.13 }],
};

const linesOf = (result: Result): readonly string[] => adviseAccepting(result, PLACE)?.lines ?? [];

test('an acceptance by flag is named as such, with the rows', () => {
	const printed = renderTerminal(acceptRedRows(resultCase('several'), [FLAG]), {
		colour: false,
		width: 300,
		verbose: false,
	});
	assert.match(
		printed,
		/Exit code: 0, because --accept accepts express\/ping −12\.2 % and express\/json-post −8\.7 %\./,
	);
});

test('every line that the report suggests, with a reason added, accepts its rows', () => {
	for (const name of Object.keys(RESULT_CASES)) {
		const result = resultCase(name);
		const lines = linesOf(result);
		const red = weighResult(result).open.length;
		assert.equal(lines.length > 0, red > 0, name);
		if (red === 0) continue;
		const read = readAcceptanceLines(lines.join('\n').replaceAll('REASON', 'it is intended'));
		const good = read.flatMap((line) => ('reason' in line ? [line] : []));
		assert.equal(good.length, lines.length, lines.join('\n'));
		const rows = good.flatMap((line) => (line.rows ? [line.rows] : []));
		const acceptance = { by: 'ann', via: 'body', reason: 'x', ...(rows.length === good.length && { rows }) } as const;
		assert.deepEqual(weighResult(acceptRedRows(result, [acceptance])).open, [], name);
	}
});

test('a line that is pasted without a reason accepts nothing', () => {
	const lines = linesOf(resultCase('several'));
	assert.equal(lines.length, 2);
	assert.ok(readAcceptanceLines(lines.join('\n')).every((line) => 'problem' in line));
});

test('the rows of an acceptance are described in a few words', () => {
	const rows = (['a', 'b', 'c', 'd'] as const).map((cell) => ({ cell, kind: 'removed', upTo: null }) as const);
	assert.equal(describeAcceptedRows({ ...FLAG, rows }), 'a removed, b removed, c removed, 1 more');
	assert.equal(describeAcceptedRows(FLAG), 'every row -13%');
	const { rows: _, ...everything } = FLAG;
	assert.equal(describeAcceptedRows(everything), 'everything');
});

/** Returns a result in which exactly these rows are red. */
function redResult(rows: readonly Partial<CellResult>[]): Result {
	const { cells, ...rest } = resultCase('one-regressed');
	const red = cells.find(({ verdict }) => verdict === 'regressed') as CellResult;
	const redRows = rows.map((row) => ({ ...red, ...row }));
	return { ...rest, cells: redRows, gate: { outcome: 'fail', reasons: [] } };
}

test('a scenario that is red in several metrics gets one line, with the largest size', () => {
	const broken = { verdict: 'invalid', warnings: [{ code: 'crashed', message: 'crashed', side: 'head' }] } as const;
	const metrics = ['throughput', 'memory-peak'] as const;
	const two = ['ping', 'json-post'].flatMap((scenario) => metrics.map((metric) => ({ ...broken, scenario, metric })));
	assert.deepEqual(linesOf(redResult(two)), [
		`benchgate: accepted ${SHA} express/ping broken REASON`,
		`benchgate: accepted ${SHA} express/json-post broken REASON`,
	]);
	const slower = [
		{ metric: 'throughput', change: -0.061 },
		{ metric: 'memory-peak', change: 0.22 },
	] as const;
	assert.deepEqual(linesOf(redResult(slower)), ['benchgate: accepted express/json-post +22% REASON']);
});

test('a size that no line can express is accepted for the one commit', () => {
	const lines = linesOf(redResult([{ judgedBy: 'cpu-per-request', change: 14 }]));
	assert.deepEqual(lines, [`benchgate: accepted ${SHA} express/json-post regressed REASON`]);
	const [read] = readAcceptanceLines((lines[0] ?? '').replace('REASON', 'it is intended'));
	assert.ok(read && 'reason' in read);
});

test('an acceptance is no headline if another row blocks', () => {
	const { cells, ...rest } = resultCase('one-regressed');
	const open = resultCase('inconclusive').cells.filter(({ verdict }) => verdict === 'inconclusive');
	const some = { ...rest, cells: [...cells, ...open.slice(0, 1)] };
	const result = acceptRedRows({ ...some, onInconclusive: 'fail' }, [{ ...FLAG, by: 'ann', via: 'body', reason: 'x' }]);
	const printed = renderTerminal(result, { colour: false, width: 300, verbose: false });
	assert.doesNotMatch(printed, /^ACCEPTED/);
	assert.match(printed, /ann accepted/);
});

test('a lost shard beside an accepted row is the reason for a neutral check', () => {
	const { cells, ...rest } = resultCase('one-regressed');
	const lost = {
		...(cells.at(-1) as CellResult),
		scenario: 'lost',
		verdict: 'inconclusive',
		warnings: [{ code: 'shard-missing', message: 'Shard 2 of 2 left no measurement, so this is not decided.' }],
	} as const;
	const ann = { ...FLAG, by: 'ann', via: 'body', reason: 'x' } as const;
	const result = acceptRedRows({ ...rest, cells: [...cells, lost] }, [ann]);
	const printed = renderTerminal(result, { colour: false, width: 300, verbose: false });
	assert.match(printed, /Exit code: 0, because not every shard finished\. ann accepted/);
});
