import assert from 'node:assert/strict';
import { test } from 'node:test';
import { replayOurs } from '../../../evaluation/replay/ours.ts';
import { plantDrop } from '../../../evaluation/replay/plant.ts';
import { secondsOf, secondsOfCell } from '../../../evaluation/replay/rounds.ts';
import { roundsOf, type Series } from '../../../evaluation/series.ts';
import { decide } from '../../../src/judge/decide.ts';
import { runRounds } from '../../../src/measure/run-rounds.ts';
import type { Plan } from '../../../src/types/plan.ts';
import type { Round } from '../../../src/types/round.ts';
import { syntheticSeries } from '../support/series.ts';

const SCENARIOS = ['ping', 'param-json', 'json-post', 'auth-get'];

function duet(series: Series): { plan: Plan; rounds: readonly Round[] } {
	return { plan: series.plans[0] as Plan, rounds: roundsOf(series, 'duet') };
}

test('equal sides are unchanged at the first look', () => {
	const { plan, rounds } = duet(syntheticSeries({ sd: 0.005 }));
	const replay = replayOurs(plan, rounds);
	assert.deepEqual(
		replay.decision.rows.map(({ verdict }) => verdict),
		['unchanged'],
	);
	assert.equal(replay.rounds.length, 4);
	assert.equal(secondsOf(replay.rounds), 16);
});

test('a planted drop of 10 % is found', () => {
	const { plan, rounds } = duet(syntheticSeries({ sd: 0.005 }));
	const { decision } = replayOurs(plan, plantDrop(rounds, 0.1));
	assert.equal(decision.gate.outcome, 'fail');
});

test('a run whose rounds are too few ends inconclusive', () => {
	const { plan, rounds } = duet(syntheticSeries());
	const replay = replayOurs(plan, rounds.slice(0, 3));
	assert.equal(replay.decision.gate.outcome, 'inconclusive');
	assert.equal(replay.rounds.length, 3);
	assert.equal(replayOurs(plan, []).rounds.length, 0);
});

test('it repeats the orchestrator: the same rounds, cells and decision', async () => {
	let dropouts = 0;
	let longest = 0;
	for (const seed of [1, 2, 3, 4, 5, 6]) {
		const series = syntheticSeries({ scenarios: SCENARIOS, seed, sd: 0.025, drop: 0.03, levelSd: 0.3, rounds: 25 });
		const { plan, rounds } = duet(series);
		const replay = replayOurs(plan, rounds);
		const measured = await measure(plan, rounds);
		assert.deepEqual(
			replay.rounds.map(({ cells }) => cells),
			measured.rounds.map(({ cells }) => cells),
		);
		assert.deepEqual(replay.decision.rows, decide(plan, measured.rounds, measured.ended).rows);
		if (replay.rounds.some((round) => round.cells.length < SCENARIOS.length)) dropouts++;
		longest = Math.max(longest, replay.rounds.length);
	}
	assert.ok(dropouts >= 3, `cells dropped out in only ${dropouts} runs`);
	assert.ok(longest > 9, 'some run goes on to late looks');
});

test('seconds of the cells add up to those of the rounds', () => {
	const { plan, rounds } = duet(syntheticSeries({ scenarios: SCENARIOS, seed: 3, sd: 0.025, drop: 0.03, seconds: 3 }));
	const replay = replayOurs(plan, rounds);
	const cellRounds = replay.rounds.reduce((sum, { cells }) => sum + cells.length, 0);
	assert.ok(cellRounds < replay.rounds.length * SCENARIOS.length, 'cells dropped out');
	assert.ok(Math.abs(secondsOf(replay.rounds) - 3 * cellRounds) < 1e-9);
	const byCell = plan.cells.map(({ id }) => secondsOfCell(replay.rounds, id));
	assert.ok(Math.abs(byCell.reduce((sum, seconds) => sum + seconds, 0) - secondsOf(replay.rounds)) < 1e-9);
});

test('up to the decision of a cell it gives that row like the whole run', () => {
	const { plan, rounds } = duet(syntheticSeries({ scenarios: SCENARIOS, seed: 5, sd: 0.02 }));
	const planted = plantDrop(rounds, 0.1, ['express/json-post']);
	const [whole, part] = [replayOurs(plan, planted), replayOurs(plan, planted, [], 'express/json-post')];
	const row = (replay: typeof whole) => replay.decision.rows.find(({ cell }) => cell === 'express/json-post');
	assert.equal(row(whole)?.verdict, 'regressed');
	assert.deepEqual(row(part), row(whole));
	assert.ok(part.rounds.length <= whole.rounds.length);
});

test('a doubtful red takes alternating rounds from the moment it needs them', () => {
	const series = syntheticSeries({ sd: 0.005 });
	const { plan, rounds } = duet(series);
	const doubtful = rounds.map(dropOnlyInThroughput);
	const alternating = roundsOf(series, 'alternating');
	const without = replayOurs(plan, doubtful);
	assert.equal(without.decision.rows[0]?.verdict, 'inconclusive');
	const roundsBefore = without.rounds.length;
	const denied = replayOurs(plan, doubtful, alternating);
	assert.equal(denied.decision.rows[0]?.verdict, 'unchanged');
	assert.deepEqual(
		denied.rounds.map(({ purpose }) => purpose),
		[...Array(roundsBefore).fill('main'), ...Array(4).fill('confirm')],
	);
	const [first] = denied.rounds.filter(({ purpose }) => purpose === 'confirm');
	assert.equal(first?.round, 1);
	assert.equal(first?.startedAt, alternating[roundsBefore - 1]?.startedAt, 'measured next after the last main round');
	const confirmed = replayOurs(plan, doubtful, plantDrop(alternating, 0.1));
	assert.equal(confirmed.decision.rows[0]?.verdict, 'regressed');
});

/** The run like in `benchgate compare`, with a laboratory that returns stored rounds. */
async function measure(plan: Plan, stored: readonly Round[]) {
	return runRounds(plan, {
		laboratory: {
			verify: async () => [],
			warnings: () => [],
			runRound: async ({ round, pairs }) => {
				const names = pairs.flatMap(({ turns }) => turns.map(({ cell }) => cell));
				const full = stored[round - 1] as Round;
				return { ...full, cells: full.cells.filter(({ cell }) => names.includes(cell)) };
			},
		},
		cells: plan.cells.map(({ id }) => id),
		decide: (rounds, ended) => decide(plan, rounds, ended),
		planRound: (round, cells, purpose) => ({
			round,
			purpose,
			design: plan.design,
			pairs: [
				{
					server: 'express',
					startFirst: 'base',
					slot: { base: 0, head: 1 },
					turns: cells.map((cell) => ({ cell, clientFirst: 'base', windowFirst: 'base' })),
				},
			],
		}),
		clock: () => 0,
		signal: new AbortController().signal,
		onDecision: async () => {},
	});
}

/** Head answers 10 % less and uses as much less CPU time, but so little that the shares stay even. */
function dropOnlyInThroughput(round: Round): Round {
	const [planted] = plantDrop([round], 0.1);
	const cells = (planted as Round).cells.map((cell) => ({
		...cell,
		windows: cell.windows.map((window) => ({
			...window,
			head: window.head && { ...window.head, cpuSeconds: (window.head.cpuSeconds as number) * 0.92 },
		})),
	}));
	return { ...(planted as Round), cells };
}
