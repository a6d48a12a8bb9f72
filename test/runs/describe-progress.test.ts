import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeProgress } from '../../src/runs/describe-progress.ts';
import type { MetricName } from '../../src/types/metric.ts';
import type { Decision, RowDecision } from '../../src/types/verdict.ts';

/** An open row after two rounds, judged by this metric. */
function openRow(judgedBy: MetricName, change: number): RowDecision {
	const estimate = { change, interval: null, rounds: 2, sd: 0.021 };
	return { cell: 'api/home', metric: 'throughput', judgedBy, final: false, estimate } as unknown as RowDecision;
}

function lineOf(row: RowDecision): string | undefined {
	return describeProgress(['api/home'], [], { rows: [row] } as unknown as Decision, 30).split('\n')[1];
}

test("a change in another metric than the row's names that metric", () => {
	assert.equal(lineOf(openRow('throughput', -0.1)), '  api/home  −10.0 % after 2 rounds, noise 2.1 % a round');
	assert.equal(
		lineOf(openRow('cpu-per-request', 0.333)),
		'  api/home  +33.3 % CPU per request after 2 rounds, noise 2.1 % a round',
	);
});
