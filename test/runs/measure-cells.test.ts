/**
 * A whole run in lanes with scripted laboratories: which lane gets which cells, and that the file repeats the run's
 * decisions.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decide } from '../../src/judge/decide.ts';
import { decideRaw } from '../../src/judge/run-parts.ts';
import type { Laboratory } from '../../src/measure/laboratory.ts';
import { describeProgress } from '../../src/runs/describe-progress.ts';
import { type MeasuredCells, measureCells } from '../../src/runs/measure-cells.ts';
import { divideCells, whyOneLane } from '../../src/runs/open-lanes.ts';
import { createRandom } from '../../src/stats/random.ts';
import type { Config } from '../../src/types/config.ts';
import type { Cell, Plan } from '../../src/types/plan.ts';
import type { RefusedCell } from '../../src/types/result.ts';
import type { Round } from '../../src/types/round.ts';
import { customServer } from '../prepare/support.ts';
import { scriptPlan, scriptRound } from '../support/rounds.ts';

const IDS = ['express/a', 'express/b', 'koa/a', 'koa/b', 'hono/a', 'hono/b'];
const CONFIG = { design: 'duet' } as Config;

function planOf(ids: readonly string[]): Plan {
	const cells = ids.map((id): Cell => {
		const [server = '', scenario = ''] = id.split('/');
		return { id, server, scenario, threshold: 0.05, tolerance: 0.025 };
	});
	return { ...scriptPlan([]), cells };
}

function refuse(cell: string): RefusedCell {
	return { cell, fault: { code: 'wrong-status', side: 'head', message: 'no' } };
}

/** Rounds with noise of each lane; `slow` cells drop by 15 %. */
function laboratoryOf(lane: number, slow: readonly string[], loaded: string[]): Laboratory {
	const random = createRandom(5, lane);
	return {
		verify: async () => [],
		warnings: () => [],
		async runRound(order, onCell): Promise<Round> {
			const ids = order.pairs.flatMap(({ turns }) => turns.map(({ cell }) => cell));
			for (const id of ids) onCell?.(id);
			loaded.push(...ids.map((id) => `${lane} ${id}`));
			const turns = ids.map((id) => [id, { d: (slow.includes(id) ? Math.log(0.85) : 0) + 0.015 * random.normal() }]);
			const round = scriptRound(order.round, Object.fromEntries(turns), order);
			return { ...round, cells: round.cells.map((turn) => ({ ...turn, cell: turn.cell.slice('app/'.length) })) };
		},
	};
}

async function measure(plan: Plan, refused: readonly RefusedCell[], count: number, slow: readonly string[] = []) {
	const loaded: string[] = [];
	const statuses: string[] = [];
	const kept: MeasuredCells[] = [];
	const lanes = divideCells(plan, refused, CONFIG, count).map((part, index) => ({
		plan: part,
		laboratory: laboratoryOf(index + 1, slow, loaded),
	}));
	const stop = new AbortController();
	const live = new Map<string, string>();
	const measured = await measureCells(
		{ refused },
		{ lanes, orchestrator: null },
		{
			rule: (part) => ({
				decide(rounds, ended) {
					const decision = decide(part, rounds, ended);
					for (const row of decision.rows) live.set(row.cell, row.verdict);
					return decision;
				},
				describe: describeProgress,
			}),
			signal: stop.signal,
			stop,
			left: () => 60,
			onStatus: (text) => statuses.push(text),
			keep: async (sofar) => void kept.push({ ...sofar, rounds: sofar.rounds.slice() }),
		},
	);
	return { measured, lanes, loaded, statuses, kept, live };
}

test('loadable cells are divided evenly, a server in one lane; refused ones belong to the first', () => {
	const plan = planOf(IDS);
	const divided = divideCells(plan, [refuse('koa/b')], CONFIG, 2);
	const cells = divided.map((part) => part.cells.map(({ id }) => id));
	assert.deepEqual(cells.flat().toSorted(), IDS.toSorted());
	assert.ok(cells[0]?.includes('koa/b'));
	for (const part of divided) assert.equal(part.family, 6);
	const loaded = cells.map((ids) => ids.filter((id) => id !== 'koa/b').length);
	assert.deepEqual(loaded.toSorted(), [2, 3]);
	const { cells: all } = divideCells(plan, [], CONFIG, 1)[0] as Plan;
	assert.deepEqual([all, divideCells(plan, [], CONFIG, 1).length], [plan.cells, 1]);
	assert.equal(divideCells(planOf(IDS.slice(0, 1)), [], CONFIG, 4).length, 1);
	assert.equal(divideCells(plan, IDS.slice(1).map(refuse), CONFIG, 4).length, 1);
	assert.equal(divideCells(planOf(IDS.slice(0, 3)), [], CONFIG, 64).length, 3);
});

test('one lane is a plain run: no lane is named', async () => {
	const { measured, statuses, kept } = await measure(planOf(IDS), [], 1);
	assert.deepEqual(Object.keys(measured).toSorted(), ['ended', 'rounds']);
	assert.ok(measured.rounds.every((round) => !('lane' in round)));
	assert.match(statuses[0] ?? '', /^Round 1: 0 of 6 rows decided, at most 1 min left/);
	const naming = statuses
		.filter((status) => status.startsWith('Round 1: '))
		.flatMap((status) => /\n {2}Loading (\S+)$/.exec(status)?.[1] ?? []);
	assert.deepEqual(naming.toSorted(), IDS.toSorted(), 'each cell is named while it is loaded');
	assert.equal(kept.length, measured.rounds.length);
	assert.deepEqual(kept[0], { rounds: measured.rounds.slice(0, 1) });
});

test('in three lanes every cell keeps to its lane, and the file repeats the live decisions', async () => {
	const plan = planOf(IDS);
	const refused = [refuse('hono/b')];
	const slow = ['express/b', 'koa/a'];
	const { measured, lanes, loaded, statuses, kept, live } = await measure(plan, refused, 3, slow);
	const { rounds, ended } = measured;
	const lanesOf = Map.groupBy(loaded, (one) => one.slice(2));
	assert.equal(lanesOf.size, 5, 'what was refused is never loaded');
	for (const part of lanesOf.values()) assert.equal(new Set(part).size, 1);
	for (const [index, lane] of lanes.entries()) {
		const part = new Set(lane.plan.cells.map(({ id }) => id));
		for (const round of rounds.filter((one) => one.lane === index + 1)) {
			assert.ok(round.cells.every(({ cell }) => part.has(cell)));
		}
	}
	const decision = decideRaw({ plan, rounds, ended, lanes: measured.lanes ?? [] });
	const verdicts = Object.fromEntries(decision.rows.map((row) => [row.cell, row.verdict]));
	for (const cell of slow) assert.equal(verdicts[cell], 'regressed');
	for (const [cell, verdict] of live) assert.equal(verdicts[cell], verdict);
	assert.equal(decision.gate.outcome, 'fail');
	assert.ok(
		statuses.some((status) => /^Lane 1, Round 2: .*\nLane 2, Round 2: /s.test(status)),
		statuses[5],
	);
	assert.deepEqual(kept.at(-1)?.rounds, rounds);
});

test('named CPUs, a database shared by lanes, and sides that cannot be isolated force one lane, with the reason', () => {
	assert.equal(whyOneLane({ whyOneLane: null }), null);
	assert.match(whyOneLane({ whyOneLane: null }, { loadCpus: [1] }) ?? '', /CPUs were named/);
	assert.equal(whyOneLane({ whyOneLane: 'there is no view' }), 'there is no view');
	const service = customServer('.');
	const shared = { ...service, env: { PGDATABASE: '${slot}' } };
	assert.equal(whyOneLane({ whyOneLane: null }, { servers: [service] }), null);
	assert.match(whyOneLane({ whyOneLane: null }, { servers: [service, shared] }) ?? '', /all lanes would share/);
});
