import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ruleTable } from '../../../evaluation/replay/rule-table.ts';
import { cutRuns, designOf, processRuns, recordsOf } from '../../../evaluation/replay/runs.ts';
import { PLANTED, type RuleResult } from '../../../evaluation/results.ts';
import { PEERS } from '../../../evaluation/rules/peers.ts';
import type { PeerRule } from '../../../evaluation/rules/rule.ts';
import { roundsOf } from '../../../evaluation/series.ts';
import { syntheticSeries } from '../support/series.ts';

const FIRST = syntheticSeries({ id: 'a', rounds: 12, sd: 0.01 });
const SECOND = syntheticSeries({ id: 'b', rounds: 8, sd: 0.01, seed: 2, createdAt: '2026-01-02T00:00:00.000Z' });
const OTHER = syntheticSeries({ id: 'c', rounds: 10, sd: 0.01, seed: 3, servers: ['koa'] });

/** Red when head's first window is slower than base's by more than 4 %, of one pair. */
const CRUDE: PeerRule = {
	rule: 'crude',
	title: 'Crude',
	reference: 'none',
	pairs: 1,
	decide: ({ base, head }) => ({
		red: (head[0]?.rates[0] as number) < (base[0]?.rates[0] as number) * 0.96,
		undecided: false,
		seconds: (base[0]?.seconds as number) + (head[0]?.seconds as number),
		used: 1,
	}),
};

function at(results: readonly RuleResult[], rule: string, drop: number) {
	const entry = results.find((result) => result.rule === rule)?.at.find((one) => one.drop === drop);
	assert.ok(entry, `${rule} at ${drop}`);
	return entry;
}

test('series of one cell are one record, in time order whatever the order of the files', () => {
	const records = recordsOf([SECOND, OTHER, FIRST]);
	assert.deepEqual(records.map(({ cell }) => cell).sort(), ['express/param-json', 'koa/param-json']);
	const express = records.find(({ cell }) => cell === 'express/param-json');
	assert.ok(express);
	assert.deepEqual(designOf(express, 'duet')?.rounds, [...roundsOf(FIRST, 'duet'), ...roundsOf(SECOND, 'duet')]);
});

test('other experiments, and sides that differ, are no runs of equal sides', () => {
	const effect = { kind: 'servers', base: 'koa', head: 'express' } as const;
	const others = [syntheticSeries({ effect }), syntheticSeries({ experiment: 'validity' })];
	assert.deepEqual(recordsOf(others), []);
	assert.deepEqual(ruleTable(others), []);
});

test('of a round with several cells, each has its share of the seconds', () => {
	const both = syntheticSeries({ scenarios: ['ping', 'param-json'], rounds: 2, seconds: 5 });
	for (const record of recordsOf([both])) {
		assert.deepEqual(
			designOf(record, 'duet')?.rounds.map(({ seconds, cells }) => [seconds, cells.length]),
			[
				[5, 1],
				[5, 1],
			],
		);
	}
});

test('a run begins with every round once, continues in order, and uses no round twice', () => {
	const rounds = roundsOf(OTHER, 'duet').slice(0, 5);
	const runs = cutRuns(rounds, 3);
	const begun = rounds.map(({ startedAt }) => startedAt);
	assert.deepEqual(
		runs.map((run) => run.map(({ startedAt }) => begun.indexOf(startedAt))),
		[
			[0, 1, 2],
			[1, 2, 3],
			[2, 3, 4],
			[3, 4, 0],
			[4, 0, 1],
		],
	);
	assert.deepEqual(
		runs[3]?.map(({ round }) => round),
		[1, 2, 3],
	);
	assert.deepEqual(
		cutRuns(rounds, 50).map(({ length }) => length),
		[5, 5, 5, 5, 5],
	);
});

test('a sequential round is one run of each side with half of the time', () => {
	const rounds = roundsOf(OTHER, 'sequential');
	const { base, head } = processRuns(rounds);
	const window = rounds[2]?.cells[0]?.windows[1];
	assert.equal(base.length, 10);
	assert.equal(head[2]?.rates.length, 3);
	assert.equal(head[2]?.rates[1], (window?.head?.completed as number) / (window?.head?.seconds as number));
	assert.equal(base[2]?.rates[1], (window?.base?.completed as number) / (window?.base?.seconds as number));
	assert.equal(base[2]?.seconds, 2);
});

test('every rule is replayed from every round at every planted drop, and answers what it must', () => {
	const results = ruleTable([FIRST, SECOND, OTHER], [CRUDE]);
	assert.deepEqual(
		results.map(({ rule, design }) => [rule, design]),
		[
			['benchgate', 'duet'],
			['benchgate-alternating', 'alternating'],
			['benchgate-sequential', 'sequential'],
			['crude', 'sequential'],
		],
	);
	for (const result of results) {
		assert.deepEqual(
			result.at.map(({ drop }) => drop),
			PLANTED,
		);
		for (const { red, undecided } of result.at) assert.deepEqual([red.of, undecided.of], [30, 30]);
	}
	assert.equal(at(results, 'benchgate', 0).red.count, 0);
	assert.equal(at(results, 'benchgate', 0.1).red.count, 30);
	assert.equal(at(results, 'crude', 0.1).red.count, 30);
	assert.ok(at(results, 'crude', 0.05).red.count > at(results, 'crude', 0.02).red.count);
	assert.equal(at(results, 'crude', 0).seconds.median, 4, 'both processes of one round');
	assert.ok(at(results, 'benchgate', 0).seconds.median >= 16, 'four rounds');
	assert.ok(at(results, 'benchgate', 0.05).seconds.p90 > at(results, 'benchgate', 0.1).seconds.p90);
});

test('intervals are those of runs that share no rounds', () => {
	const wastefulRule: PeerRule = {
		...CRUDE,
		rule: 'wasteful',
		decide: (pairs) => ({ ...CRUDE.decide(pairs), used: 10 }),
	};
	const results = ruleTable([OTHER], [{ ...CRUDE, pairs: 10 }, wastefulRule]);
	const [frugal, wasteful] = [at(results, 'crude', 0.1).red, at(results, 'wasteful', 0.1).red];
	assert.deepEqual([frugal.count, wasteful.count], [10, 10]);
	// 0.025 ** (1 / n): ten independent runs, and one.
	assert.ok(Math.abs(frugal.low - 0.025 ** 0.1) < 1e-9);
	assert.ok(Math.abs(wasteful.low - 0.025) < 1e-9);
});

test('the same series give the same table', () => {
	assert.deepEqual(
		ruleTable([OTHER], [CRUDE]),
		ruleTable([syntheticSeries({ id: 'c', rounds: 10, sd: 0.01, seed: 3, servers: ['koa'] })], [CRUDE]),
	);
});

test('the rules of all peers can be replayed on few rounds, but not on fewer than four', () => {
	const few = ruleTable([syntheticSeries({ rounds: 4 })], PEERS);
	assert.deepEqual(
		few.slice(3).map(({ rule }) => rule),
		PEERS.map(({ rule }) => rule),
	);
	for (const { at: all } of few) for (const { red } of all) assert.equal(red.of, 4);
	assert.deepEqual(ruleTable([syntheticSeries({ rounds: 3 })], PEERS), []);
});
