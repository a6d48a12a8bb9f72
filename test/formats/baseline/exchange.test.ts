import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderBaselineCsv } from '../../../src/formats/baseline/baseline-csv.ts';
import { readBaseline, renderBaseline } from '../../../src/formats/baseline/baseline-file.ts';
import { exportBencherMetrics, importBencherMetrics } from '../../../src/formats/baseline/bencher-metrics.ts';
import { exportDataJs, importDataJs, importFigures } from '../../../src/formats/baseline/benchmark-action.ts';
import type { BaselineCommit, BaselineRecord } from '../../../src/types/baseline.ts';
import { syntheticRecords } from '../../support/baselines/records.ts';

const RECORDS = syntheticRecords({ seed: 5, commits: 3, cells: 2 });
const COMMIT: BaselineCommit = {
	...{ sha: 'a'.repeat(40), label: 'v1', parent: null, position: null },
	...{ committedAt: '2026-01-01T00:00:00Z', title: 'One', author: 'Ann' },
};
const MOMENT = '2026-02-01T00:00:00.000Z';

/** The shape that github-action-benchmark writes. */
const DATA_JS = `window.BENCHMARK_DATA = ${JSON.stringify({
	lastUpdate: 1_700_000_000_000,
	repoUrl: 'https://github.com/o/r',
	entries: {
		Benchmark: [
			{
				commit: {
					id: 'b'.repeat(40),
					message: 'Fast\n\nbody',
					timestamp: '2023-11-14T20:00:00+01:00',
					url: 'u',
					author: { name: 'Bo' },
				},
				date: 1_700_000_000_000,
				tool: 'customBiggerIsBetter',
				benches: [
					{ name: 'koa/ping', value: 12_345, unit: 'req/s', range: '± 1%' },
					{ name: 'p50 of all', value: 250, unit: 'us' },
					{ name: 'bundle', value: 9, unit: 'kB' },
				],
			},
		],
	},
})}`;

test('a data.js of github-action-benchmark becomes records that are never judged', () => {
	const imported = importDataJs(DATA_JS);
	const [record] = imported?.records ?? [];
	assert.ok(record);
	assert.ok('record' in readBaseline(renderBaseline(record), 'x'), 'it holds to the schema');
	assert.equal(record.commit.sha, 'b'.repeat(40));
	assert.equal(record.commit.title, 'Fast');
	assert.equal(record.commit.committedAt, '2023-11-14T19:00:00.000Z');
	assert.equal(record.createdAt, '2023-11-14T22:13:20.000Z');
	const [ping, latency] = record.cells;
	assert.deepEqual([ping?.server, ping?.scenario, ping?.solo?.throughput, ping?.theta], ['koa', 'ping', 12_345, null]);
	assert.deepEqual([latency?.metric, latency?.solo?.latencyP50], ['latency-p50', 0.25]);
	assert.ok(record.cells.every(({ verdict }) => verdict === 'inconclusive'));
	assert.deepEqual(imported?.leftOut, [{ name: 'bundle', why: 'its unit "kB" is neither a rate nor a time' }]);
	assert.deepEqual(importDataJs(DATA_JS)?.records, imported?.records, 'the same file gives the same names');
});

test('lists of figures and Bencher Metric Format need a commit, and become one record', () => {
	const [list] = importFigures('[{"name":"app ping","value":"7","unit":"ops/sec"}]', COMMIT, MOMENT)?.records ?? [];
	assert.equal(list?.cells[0]?.solo?.throughput, 7);
	const text = '{"app/ping":{"throughput":{"value":5,"lower_value":4},"latency":{"value":2000000},"size":{"value":3}}}';
	const bencher = importBencherMetrics(text, COMMIT, MOMENT);
	assert.deepEqual(
		bencher?.records[0]?.cells.map(({ scenario, metric, solo }) => [
			scenario,
			metric,
			solo?.throughput ?? solo?.latencyP50,
		]),
		[
			['ping', 'throughput', 5],
			['ping', 'latency-p50', 2],
		],
	);
	assert.equal(bencher?.leftOut.length, 1);
});

/** A data.js of one run. */
function dataJsOf(run: object): string {
	const whole = { commit: { id: 'c'.repeat(40) }, date: 1_700_000_000_000, benches: [], ...run };
	return `window.BENCHMARK_DATA = ${JSON.stringify({ entries: { Benchmark: [whole] } })}`;
}

test('the suites of one file stay apart, and the same data as JSON are imported too', () => {
	const commit = { id: 'b'.repeat(40) };
	const run = (value: number | string) => ({ commit, date: 0, benches: [{ name: 'koa/ping', unit: 'req/s', value }] });
	const suites = { 'HTTP (node 20)': [run(40)], 'HTTP (node 22)': [run(60)], odd: [run('NaN')] };
	const json = JSON.stringify({ lastUpdate: 0, repoUrl: '', entries: suites });
	for (const text of [
		json,
		`\uFEFF${json}\n`,
		`window.BENCHMARK_DATA=\n${json};\n`,
		`window.BENCHMARK_DATA = ${json}`,
	]) {
		const imported = importDataJs(text);
		assert.deepEqual(
			imported?.records.flatMap(({ cells }) =>
				cells.map(({ server, scenario, solo }) => [server, scenario, solo?.throughput]),
			),
			[
				['HTTP-node-20-koa', 'ping', 40],
				['HTTP-node-22-koa', 'ping', 60],
			],
		);
		assert.equal(new Set(imported?.records.map((record) => record.run.id)).size, 2);
		assert.equal(imported?.leftOut.length, 1);
	}
});

test('only records that the store can read again are imported: others are named', () => {
	const bench = { name: 'koa/ping', unit: 'ops/sec', value: 7 };
	const crowd = Array.from({ length: 5_001 }, (_, index) => ({ ...bench, name: `koa/ping${index}` }));
	for (const run of [
		{ date: 8e15, benches: [bench] },
		{ date: -1e14, benches: [bench] },
		{ commit: { id: 'd'.repeat(40), timestamp: '+012345-01-01T00:00:00Z' }, benches: [bench] },
		{ benches: crowd },
	]) {
		const imported = importDataJs(dataJsOf(run));
		assert.deepEqual(imported?.records, []);
		assert.match(imported?.leftOut.at(-1)?.why ?? '', /cannot be kept as a baseline: \//);
	}
});

test('a figure that no baseline can hold is named, and the others of its run are imported', () => {
	const values = [7, 1e300, '1e999', 'many', -3, 0];
	const benches = values.map((value, index) => ({ name: `koa/ping${index}`, unit: 'ops/sec', value }));
	const imported = importDataJs(dataJsOf({ benches }));
	assert.deepEqual(
		imported?.records[0]?.cells.map(({ scenario }) => scenario),
		['ping0'],
	);
	assert.equal(imported?.leftOut.length, 5);
});

test('of two figures with one name the second is named, and never replaces the first', () => {
	const benches = ['日本', '中国', 'a b/c', 'koa/ping', 'koa - ping'].map((name, value) => ({
		...{ name, unit: 'ops/sec', value: value + 1 },
	}));
	const imported = importDataJs(dataJsOf({ benches }));
	assert.deepEqual(
		imported?.records[0]?.cells.map(({ server, scenario, solo }) => [server, scenario, solo?.throughput]),
		[
			['imported', 'unnamed', 1],
			['a', 'b-c', 3],
			['koa', 'ping', 4],
		],
	);
	assert.deepEqual(
		imported?.leftOut.map(({ name }) => name),
		['中国', 'koa - ping'],
	);
});

test('any other text is refused', () => {
	for (const text of [
		'',
		'{',
		'[]',
		'{}',
		'[1]',
		'{"a":1}',
		'{"a":{"b":{}}}',
		'window.BENCHMARK_DATA = {',
		'window.BENCHMARK_DATA = 7',
	]) {
		const tried = [importDataJs(text), importFigures(text, COMMIT, MOMENT), importBencherMetrics(text, COMMIT, MOMENT)];
		assert.deepEqual(tried, [null, null, null], text);
	}
});

test('an export for github-action-benchmark imports again with the same figures', () => {
	const again = importDataJs(exportDataJs(RECORDS))?.records ?? [];
	const rates = (records: readonly BaselineRecord[]) =>
		records.map(({ cells }) => cells.flatMap(({ solo }) => solo?.throughput ?? [])).filter((each) => each.length > 0);
	assert.ok(rates(RECORDS).length > 0);
	assert.deepEqual(rates(again), rates(RECORDS));
});

test('Bencher Metric Format has the rate with the limits of the change around it', () => {
	const [record] = RECORDS as [BaselineRecord];
	const exported = JSON.parse(exportBencherMetrics(record)) as Record<string, { throughput: Record<string, number> }>;
	for (const { throughput } of Object.values(exported)) {
		const { value = 0, lower_value: low = 0, upper_value: high = 0 } = throughput;
		assert.ok(low < value && value < high);
	}
	assert.equal(Object.keys(exported).length, record.cells.length);
});

test('CSV has a header and a line for each row, and starts no formula', () => {
	const [record] = RECORDS as [BaselineRecord];
	const hostile = { ...record, commit: { ...record.commit, label: '=1+1,"x"\n' } };
	const lines = renderBaselineCsv([hostile]).split('\n');
	assert.equal(lines.length, record.cells.length + 2);
	assert.match(lines[0] ?? '', /^measured_at,purpose,commit,label,/);
	assert.ok(lines[1]?.includes(`,"'=1+1,""x"" ",`), lines[1]);
});
