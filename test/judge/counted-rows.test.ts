/** Rows of exact counts: they fail, and never improve, replace or delay a tested row. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findContradiction } from '../../src/formats/raw/raw-contradiction.ts';
import { decide } from '../../src/judge/decide.ts';
import { explainRow } from '../../src/judge/row-words.ts';
import { summarise } from '../../src/judge/summarise.ts';
import { plainPhrase } from '../../src/text/phrase.ts';
import type { MetricName } from '../../src/types/metric.ts';
import type { CountedAmounts, Fault, Round } from '../../src/types/round.ts';
import { rawOf } from '../support/raw.ts';
import { scriptPlan, scriptRound } from '../support/rounds.ts';

type Amounts = readonly [base: number | null, head: number | null];

const PLAN = scriptPlan(['ping'], {
	metrics: ['throughput', 'round-trips'],
	margins: { 'round-trips': { threshold: 0, tolerance: 0 } },
});
const SAME = Array.from({ length: 20 }, (_, at) => scriptRound(at + 1, { ping: { d: at % 2 === 0 ? 0.002 : -0.002 } }));

function amountsOf(roundTrips: number | null): CountedAmounts {
	return { roundTrips, calls: roundTrips, bytesAllocated: roundTrips };
}

function countRound(repeats: readonly Amounts[], faults: readonly Fault[] = []): Round {
	const [cell] = scriptRound(1, { ping: { d: 0 } }, { purpose: 'count', design: 'duet' }).cells;
	assert.ok(cell);
	const counted = repeats.map(([base, head]) => ({ base: amountsOf(base), head: amountsOf(head) }));
	const turn = { ...cell, windows: [], counted, faults };
	return { round: 1, purpose: 'count', startedAt: 300, seconds: 4, loadSeconds: 0, cells: [turn] };
}

function rowAfter(rounds: readonly Round[], threshold = 0, metric: MetricName = 'round-trips') {
	const plan = {
		...PLAN,
		metrics: ['throughput', metric] as const,
		margins: { [metric]: { threshold, tolerance: 0 } },
	};
	const { rows, gate } = decide(plan, rounds, 'decided');
	const row = rows.find((each) => each.metric === metric);
	assert.ok(row);
	return { row: { ...row, threshold }, gate };
}

const again = (...amounts: Amounts): readonly Amounts[] => [amounts, amounts, amounts, amounts];

test('one more round trip in one of fifty requests fails, and one fewer is no improvement', () => {
	const more = rowAfter([...SAME, countRound(again(1, 1.02))]);
	assert.deepEqual([more.row.verdict, more.gate.outcome], ['regressed', 'fail']);
	assert.equal(plainPhrase(explainRow(more.row)), 'app/ping +2.0 % round trips (limit +0 %; counted exactly)');
	for (const head of [1, 0.5, 0]) {
		const { row, gate } = rowAfter([...SAME, countRound(again(1, head))]);
		assert.deepEqual([row.verdict, gate.outcome], ['unchanged', 'pass'], `${head}`);
	}
});

test('a rise from nothing has no ratio, and fails', () => {
	const { row, gate } = rowAfter([...SAME, countRound(again(0, 1))]);
	assert.deepEqual([row.verdict, row.estimate, gate.outcome], ['regressed', null, 'fail']);
	assert.equal(plainPhrase(explainRow(row)), 'app/ping: head has round trips, and base has none');
});

test('the threshold of a count is a rise', () => {
	const verdictOf = (head: number) => rowAfter([...SAME, countRound(again(100, head))], 0.05).row.verdict;
	assert.deepEqual([verdictOf(105), verdictOf(105.1), verdictOf(90)], ['unchanged', 'regressed', 'unchanged']);
});

test('bytes may differ by the alignment of the heap', () => {
	const verdictOf = (head: number) =>
		rowAfter([...SAME, countRound(again(1000, head))], 0, 'bytes-allocated').row.verdict;
	assert.deepEqual([verdictOf(1008), verdictOf(1009)], ['unchanged', 'regressed']);
});

test('varying counts fail only if all of head exceed all of base, and pass only if none does', () => {
	const of = (...repeats: readonly Amounts[]) => {
		const { row } = rowAfter([...SAME, countRound(repeats)]);
		return [row.verdict, row.warnings.map(({ code }) => code).join()];
	};
	assert.deepEqual(of([1, 2], [1, 2], [1.5, 2], [1, 2.5]), ['regressed', '']);
	assert.deepEqual(of([1, 2], [1.5, 3], [1.2, 2], [1.3, 3]), ['regressed', 'varying-counts']);
	assert.deepEqual(of([1, 1.2], [1.5, 2], [1.2, 2], [1.3, 2]), ['inconclusive', 'varying-counts']);
	assert.deepEqual(of([1, 0.5], [1.5, 0.8], [1.2, 0.6], [1.3, 1]), ['unchanged', 'varying-counts']);
});

test('a missing count never passes, and blames the side that lacks it', () => {
	const fault = (side: Fault['side']) => ({ code: 'round-trips-uncounted', side, message: 'A Unix socket.' });
	const ended = rowAfter(SAME);
	assert.deepEqual([ended.row.verdict, ended.row.warnings[0]?.code], ['invalid', 'not-counted']);
	assert.equal(ended.gate.outcome, 'inconclusive');
	const half = rowAfter([...SAME, countRound([[1, null]])]);
	assert.deepEqual([half.row.verdict, half.gate.outcome], ['invalid', 'inconclusive']);
	const head = rowAfter([...SAME, countRound(again(1, 1), [fault('head')])]);
	assert.deepEqual([head.row.verdict, head.gate.outcome], ['invalid', 'fail']);
	assert.equal(plainPhrase(explainRow(head.row)), 'app/ping makes round trips that cannot be counted, on head only');
	const both = rowAfter([...SAME, countRound(again(1, 1), [fault('base'), fault('head')])]);
	assert.deepEqual([both.row.verdict, both.gate.outcome], ['invalid', 'inconclusive']);
});

test('counts need no rounds and change the judgement of no other row', () => {
	const before = decide(PLAN, SAME, null);
	assert.deepEqual([before.undecided, before.confirm], [[], []]);
	const alone = decide({ ...PLAN, metrics: ['throughput'] }, SAME, 'decided');
	const beside = decide(PLAN, [...SAME, countRound(again(1, 2))], 'decided');
	assert.deepEqual(beside.rows[0], alone.rows[0]);
});

test('raw data with counts can be judged again, and turns of another kind may not have counts', () => {
	const raw = rawOf(PLAN, [...SAME, countRound(again(1, 2))]);
	assert.equal(findContradiction(raw), null);
	const row = summarise(raw).cells.find(({ metric }) => metric === 'round-trips');
	const { base, head, source, unit } = row?.metrics['round-trips'] ?? {};
	assert.deepEqual([base, head, source, unit, row?.rounds], [1, 2, 'counted', 'a request', 4]);
	const [first] = SAME;
	const forged = { ...first, cells: first?.cells.map((cell) => ({ ...cell, counted: [] })) } as Round;
	assert.equal(findContradiction(rawOf(PLAN, [forged])), 'a turn is not one of its round');
});
