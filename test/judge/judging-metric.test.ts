import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseJudge } from '../../src/judge/judging-metric.ts';
import type { Guards } from '../../src/types/verdict.ts';
import { codesOf, decideTurns } from '../support/decisions.ts';
import { spread, type Turn } from '../support/rounds.ts';

const QUIET: Guards = {
	generatorUtilisation: 0.5,
	serverUtilisation: 1,
	cpuShare: 0.5,
	nonExpected: 0,
	errors: 0,
	lag1: null,
};

function turns(d: number, more: Omit<Turn, 'd'>): Turn[] {
	return spread(4, 0, 0.003).map((noise) => ({
		...more,
		d: d + noise,
		...(typeof more.cpu === 'number' ? { cpu: more.cpu + noise } : {}),
	}));
}

test('each guard decides which metric judges throughput', () => {
	for (const [guards, design, by, code] of [
		[{}, 'duet', 'throughput', undefined],
		[{ generatorUtilisation: 0.949 }, 'duet', 'throughput', undefined],
		[{ generatorUtilisation: 0.95 }, 'duet', 'cpu-per-request', 'generator-bound'],
		[{ generatorUtilisation: 0.95 }, 'alternating', 'cpu-per-request', 'generator-bound'],
		[{ cpuShare: 0.529 }, 'duet', 'throughput', undefined],
		[{ cpuShare: 0.531 }, 'duet', 'cpu-per-request', 'unequal-cpu'],
		[{ cpuShare: 0.469 }, 'duet', 'cpu-per-request', 'unequal-cpu'],
		[{ cpuShare: 0.6 }, 'sequential', 'throughput', undefined],
		[{ serverUtilisation: 0.89 }, 'duet', 'throughput', 'servers-wait'],
		[{ serverUtilisation: 0.5, cpuShare: 0.4 }, 'duet', 'throughput', 'servers-wait'],
		[{ serverUtilisation: 0.5, generatorUtilisation: 0.99 }, 'duet', 'cpu-per-request', 'generator-bound'],
	] as const) {
		const judging = chooseJudge('throughput', { ...QUIET, ...guards }, design, true);
		assert.equal(judging.by, by, JSON.stringify(guards));
		assert.equal(judging.warnings[0]?.code, code, JSON.stringify(guards));
	}
});

test('other metrics always judge themselves', () => {
	const judging = chooseJudge('latency-p99', { ...QUIET, generatorUtilisation: 1 }, 'duet', true);
	assert.deepEqual(judging, { by: 'latency-p99', because: null, warnings: [] });
});

test('generator-bound: throughput hides a drop that CPU per request shows, and needs no confirmation', () => {
	const { row } = decideTurns(turns(-0.02, { cpu: -0.09, generator: 0.99 }));
	assert.equal(row.verdict, 'regressed');
	assert.equal(row.metric, 'throughput');
	assert.equal(row.judgedBy, 'cpu-per-request');
	assert.ok((row.estimate?.change ?? 0) > 0.05, 'CPU per request rises');
	assert.deepEqual(codesOf(row), ['generator-bound']);
});

test('servers-wait: throughput judges, because CPU time does not show waiting', () => {
	const { row } = decideTurns(turns(-0.001, { cpu: -0.2, server: 0.4 }));
	assert.equal(row.judgedBy, 'throughput');
	assert.equal(row.verdict, 'unchanged');
	assert.deepEqual(codesOf(row), ['servers-wait']);
});

test('unequal-cpu: the side with more threads is not faster', () => {
	const { row } = decideTurns(turns(0.2, { cpu: 0 }));
	assert.equal(row.judgedBy, 'cpu-per-request');
	assert.equal(row.verdict, 'unchanged');
	assert.deepEqual(codesOf(row), ['unequal-cpu']);
});

test('no-cpu-time: throughput judges, and the row names the check that is missing', () => {
	const { row } = decideTurns(turns(-0.1, { cpu: null }));
	assert.equal(row.verdict, 'regressed');
	assert.equal(row.judgedBy, 'throughput');
	assert.deepEqual(codesOf(row), ['no-cpu-time']);
	assert.equal(row.guards?.cpuShare, null);
});
