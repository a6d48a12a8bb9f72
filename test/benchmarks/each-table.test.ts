import assert from 'node:assert/strict';
import { test } from 'node:test';
import { INSTEAD, PLANTED } from '../../benchmarks/shared/each-plan.ts';
import { type EachRow, listRuns, tableOfEach } from '../../benchmarks/shared/each-table.ts';
import { NOTHING } from '../../benchmarks/shared/gates-table.ts';
import { GATED_METRICS, METRIC_NAMES, type MetricName } from '../../src/types/metric.ts';

const row = (more: Partial<EachRow>): EachRow => ({
	...{ load: 'full', planted: NOTHING, code: 0, seconds: 61.4, metric: 'throughput', judgedBy: 'throughput' },
	...{ verdict: 'unchanged', change: 0.01, interval: { low: -0.01, high: 0.03, confidence: 0.9 }, threshold: 0.05 },
	rounds: 8,
	...more,
});
const GATE = { load: 'full', metric: 'throughput', planted: 'spin' } as const;

const cellsOf = (table: string) =>
	table
		.split('\n')
		.slice(2)
		.map((line) =>
			line
				.split('|')
				.slice(1, -1)
				.map((cell) => cell.trim()),
		);

test('a metric has the run of equal code, that of its own fault, and the other faults that made it red', () => {
	const [line] = cellsOf(
		tableOfEach(
			[
				row({}),
				row({
					planted: 'spin',
					verdict: 'regressed',
					change: -0.2,
					interval: { low: -0.22, high: -0.18, confidence: 0.9 },
				}),
				row({ planted: 'garbage', verdict: 'regressed' }),
				row({ planted: 'leak', verdict: 'inconclusive' }),
				row({ load: 'rate', planted: 'delay', verdict: 'regressed' }),
				row({ planted: 'tail', metric: 'latency-p99', verdict: 'regressed' }),
			],
			[GATE],
			{},
		),
	);
	const green = ['+1.0 % [−1.0 … +3.0]', 'unchanged'];
	const red = ['spin', '−20.0 % [−22.0 … −18.0]', 'regressed'];
	assert.deepEqual(line, ['full', 'throughput', '−5.0 %', ...green, ...red, 'garbage']);
});

test('the allowed rise of a metric whose lower values are better is the one that means the same drop', () => {
	const rows = [row({ metric: 'latency-p99', threshold: 0.25 })];
	const [line] = cellsOf(tableOfEach(rows, [{ ...GATE, metric: 'latency-p99' }], {}));
	assert.equal(line?.[2], '+33.3 %');
});

test('a metric without rows has a line, and so has one that no gate can name', () => {
	const [gated, ...ungated] = cellsOf(tableOfEach([], [GATE], { reload: 'never', 'hot-reload': 'reload' }));
	assert.deepEqual(gated, ['full', 'throughput', '–', '–', '–', 'spin', '–', '–', '']);
	assert.ok(ungated.some((line) => line.includes('hot reload') && line.at(-1) === 'instead: reload'));
	assert.ok(ungated.every((line) => line[2] === 'no gate can name it'));
	assert.ok(!ungated.some((line) => line.includes('throughput')));
});

test('a row that another metric decided names it', () => {
	const [line] = cellsOf(tableOfEach([row({ judgedBy: 'cpu-per-request' })], [GATE], {}));
	assert.equal(line?.[3], '+1.0 % [−1.0 … +3.0] (CPU per request)');
});

test('a run is listed once, whatever its rows', () => {
	const text = listRuns([row({}), row({ metric: 'reload' }), row({ planted: 'leak', code: 1, seconds: 50 })]);
	assert.equal(text, 'none, full: exit code 0, 61 s; leak, full: exit code 1, 50 s');
});

test('each metric that a gate can name has a planted fault, and each other metric a substitute', () => {
	const planted = new Set(Object.values(PLANTED).flatMap((faults) => Object.keys(faults) as MetricName[]));
	assert.deepEqual([...planted].toSorted(), GATED_METRICS.toSorted());
	const others = METRIC_NAMES.filter((name) => !planted.has(name));
	assert.deepEqual(Object.keys(INSTEAD).toSorted(), others.toSorted());
});
