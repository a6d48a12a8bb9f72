import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decide } from '../../src/judge/decide.ts';
import { chartData, summarise } from '../../src/judge/summarise.ts';
import { SHOWN_METRICS } from '../../src/types/metric.ts';
import type { Raw } from '../../src/types/result.ts';
import { assertClose } from '../support/close.ts';
import { rawOf } from '../support/raw.ts';
import { scriptPlan, scriptRound, scriptRounds, spread } from '../support/rounds.ts';

const REFUSED = {
	cell: 'app/json',
	fault: { code: 'wrong-status', side: 'head', message: 'Head answered 500.' },
} as const;

test('a result has the row with its numbers, every metric, and the figures of solo windows', () => {
	const turns = spread(4, -0.1, 0.005).map((d) => ({ d, solo: [1000, 900] as const }));
	const result = summarise(rawOf(scriptPlan(['ping']), scriptRounds(turns)));
	const [cell] = result.cells;
	assert.ok(cell);
	assert.deepEqual([cell.server, cell.scenario, cell.metric, cell.verdict], ['app', 'ping', 'throughput', 'regressed']);
	assertClose(cell.change, Math.expm1(-0.1), 1e-9);
	assertClose(cell.roundSd, 0.005, 1e-9);
	assert.equal(cell.rounds, 4);
	assert.deepEqual(Object.keys(cell.metrics), SHOWN_METRICS);
	const { throughput, 'cpu-per-request': cpu, 'memory-peak': memory } = cell.metrics;
	assert.deepEqual([throughput?.base, throughput?.head, throughput?.source], [1000, 900, 'solo']);
	assert.equal(throughput?.change, cell.change);
	assert.ok((cpu?.change ?? 0) > 0.1);
	assert.deepEqual([memory?.change, memory?.source, memory?.unit], [0, 'duet', 'MB']);
	assert.equal(result.gate.outcome, 'fail');
	assert.equal(result.warnings[0]?.code, 'prepared');
	assert.equal(result.budget, 600);
});

test('a result survives JSON without loss', () => {
	for (const rounds of [[], scriptRounds([0]), scriptRounds(spread(4, 0, 0.01))]) {
		const result = summarise(rawOf(scriptPlan(['ping']), rounds, { ended: 'interrupted' }));
		assert.deepEqual(JSON.parse(JSON.stringify(result)), result);
	}
});

test('judging stored raw data again gives the identical result', () => {
	const raw = rawOf(scriptPlan(['ping']), scriptRounds(spread(9, -0.06, 0.02)), { ended: 'budget' });
	const stored = JSON.parse(JSON.stringify(raw)) as Raw;
	assert.equal(JSON.stringify(summarise(stored)), JSON.stringify(summarise(raw)));
});

test('refused cells are invalid rows in their place, and count in the gate', () => {
	const plan = scriptPlan(['json', 'ping']);
	const raw = rawOf(plan, scriptRounds(spread(4, 0, 0.01)), { refused: [REFUSED] });
	const result = summarise(raw);
	assert.deepEqual(
		result.cells.map((cell) => [cell.scenario, cell.verdict, cell.warnings]),
		[
			['json', 'invalid', [REFUSED.fault]],
			['ping', 'unchanged', []],
		],
	);
	assert.deepEqual(result.cells[0]?.metrics, {});
	assert.equal(result.gate.outcome, 'fail');
	const live = decide(plan, raw.rounds, 'decided').rows.find((row) => row.cell === 'app/ping');
	assert.equal(live?.pUnchanged, result.cells[1]?.pUnchanged);
});

test('a cell refused by both sides names both, and whether it is newer than base', () => {
	const [json, ping] = scriptPlan(['json', 'ping']).cells;
	assert.ok(json && ping);
	const other = { code: 'wrong-status', side: 'base', message: 'Base answered 404.' } as const;
	const refused = [{ ...REFUSED, others: [other] }];
	const judged = (cell: typeof json) =>
		summarise(rawOf(scriptPlan([], { cells: [cell, ping] }), scriptRounds(spread(4, 0, 0.01)), { refused }));
	assert.deepEqual(judged(json).cells[0]?.warnings, [REFUSED.fault, other]);
	assert.deepEqual([judged(json).gate.outcome, judged(json).gate.neutral], ['inconclusive', 'always']);
	const newer = judged({ ...json, newerThanBase: true });
	assert.equal(newer.cells[0]?.newerThanBase, true);
	assert.deepEqual([newer.gate.outcome, newer.gate.neutral], ['pass', undefined]);
	assert.match(newer.gate.reasons[1] ?? '', /^Newer than base, so head needs a rebase: app\/json throughput\.$/);
});

test('a refused cell that is not in the plan comes last', () => {
	const raw = rawOf(scriptPlan(['ping']), scriptRounds(spread(4, 0, 0.01)), { refused: [REFUSED] });
	assert.deepEqual(
		summarise(raw).cells.map((cell) => [cell.server, cell.scenario, cell.verdict, cell.threshold]),
		[
			['app', 'ping', 'unchanged', 0.05],
			['app', 'json', 'invalid', 0.05],
		],
	);
});

test('a result with refused cells only is an error', () => {
	const result = summarise(rawOf(scriptPlan(['json']), [], { refused: [REFUSED] }));
	assert.equal(result.gate.outcome, 'error');
	assert.deepEqual(result.gate.reasons, [
		'Nothing could be measured: app/json throughput.',
		'app/json answers wrongly, on head only: Head answered 500.',
	]);
});

test('charts have each main round in the metric that judged, discarded ones marked, and pooled latency', () => {
	const turns = spread(12, -0.1, 0.003).map((d, index) => ({
		d: 0,
		cpu: d,
		generator: 0.99,
		speed: index === 10 ? 0.5 : 1,
	}));
	const rounds = [...scriptRounds(turns), scriptRound(1, { ping: { d: 0 } }, { purpose: 'confirm' })];
	const raw = rawOf(scriptPlan(['ping']), rounds);
	const { rounds: points, latency } = chartData(raw, summarise(raw));
	const ping = points['app/ping'];
	assert.equal(ping?.length, 12);
	assert.ok(
		ping?.every((point) => point.change > 0.08),
		'CPU per request judged',
	);
	assert.deepEqual(
		ping?.filter((point) => point.discarded).map((point) => [point.round, point.startedAt]),
		[[11, 110]],
	);
	assert.deepEqual(latency['app/ping']?.base, [
		[1000, 900 * 48],
		[2000, 100 * 48],
	]);
});
