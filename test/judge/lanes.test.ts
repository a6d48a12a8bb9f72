/** Lanes relate to the run of one machine as shards to a gathered run. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findContradiction } from '../../src/formats/raw/raw-contradiction.ts';
import { parseRaw, renderRaw } from '../../src/formats/raw/raw-file.ts';
import { countDecisions } from '../../src/formats/raw/raw-limits.ts';
import { decide } from '../../src/judge/decide.ts';
import { gatherShards } from '../../src/judge/gather-shards.ts';
import { decideRaw, ofShard, partsOf } from '../../src/judge/run-parts.ts';
import { chartData, summarise } from '../../src/judge/summarise.ts';
import { createRandom } from '../../src/stats/random.ts';
import type { Raw } from '../../src/types/result.ts';
import type { LaneRun, Round } from '../../src/types/round.ts';
import { scriptPlan, scriptRound, type Turn } from '../support/rounds.ts';
import { shardFilesOf, shardPlanOf, shardRawOf } from '../support/shards.ts';

const IDS = ['express/ping', 'express/json', 'koa/ping', 'koa/json', 'hono/ping', 'hono/json'];
const SLOW = Math.log(0.85);
const [OF_FIRST = '', , , OF_LAST = ''] = IDS;

/** A machine that measured all cells in lanes, each lane until its own rows were decided. */
function measuredInLanes(count: number, effects: Readonly<Record<string, number>> = {}): Raw {
	const plan = shardPlanOf(IDS, count);
	const runs = plan.shards.map(({ index }) => shardRawOf(plan, index, { effects }));
	const [first] = runs as [Raw];
	const { shard: _, ...raw } = first;
	const { family: _family, ...whole } = first.plan;
	return {
		...raw,
		plan: { ...whole, cells: plan.cells },
		rounds: runs.flatMap(({ rounds }, index) => rounds.map((round) => ({ ...round, lane: index + 1 }))),
		lanes: runs.map((run, index) => ({
			lane: index + 1,
			cells: run.plan.cells.map(({ id }) => id),
			ended: run.ended,
		})),
	};
}

test('the decisions of a lane while it measured are those of the file, to the last bit', () => {
	const raw = measuredInLanes(2, { [OF_FIRST]: SLOW });
	const decision = decideRaw(raw);
	assert.deepEqual(
		decision.rows.map(({ cell }) => cell),
		IDS,
	);
	assert.equal(decision.rows.find(({ cell }) => cell === OF_FIRST)?.verdict, 'regressed');
	for (const { lane, cells, ended } of raw.lanes ?? []) {
		const laneRounds = raw.rounds.filter((round) => round.lane === lane);
		for (const row of decide(ofShard(raw.plan, cells), laneRounds, ended).rows) {
			assert.deepEqual(
				decision.rows.find(({ cell }) => cell === row.cell),
				row,
			);
		}
	}
});

test('of lanes that share a server, one has the row of its start, during the run and in the file', () => {
	const plan = scriptPlan(['ping', 'json', 'html', 'text'], { metrics: ['throughput', 'cold-start'] });
	const lanes = [plan.cells.slice(0, 2), plan.cells.slice(2)].map((cells) => cells.map(({ id }) => id));
	const random = createRandom(5);
	const slower = (d: number) => 0.2 * Math.exp(-d + 0.05 * random.normal());
	const runs = lanes.map((cells, index) => {
		const own = ofShard(plan, cells);
		const rounds: Round[] = [];
		for (;;) {
			const { undecided } = decide(own, rounds, null, plan);
			if (undecided.length === 0 || rounds.length === 20) return { own, rounds };
			const turns = undecided.map((id, at): [string, Turn] => [
				id.slice('app/'.length),
				{ d: SLOW / 2 + 0.03 * random.normal(), ...(at === 0 && { start: { seconds: [0.2, slower(SLOW)] } }) },
			]);
			const round = scriptRound(rounds.length + 1, Object.fromEntries(turns));
			rounds.push({ ...round, lane: index + 1 });
		}
	});
	const decision = decideRaw({
		plan,
		rounds: runs.flatMap(({ rounds }) => rounds),
		ended: 'rounds',
		lanes: lanes.map((cells, index) => ({ lane: index + 1, cells, ended: 'rounds' })),
	});
	const live = runs.flatMap(({ own, rounds }) => decide(own, rounds, 'rounds', plan).rows);
	assert.deepEqual(live, decision.rows);
	assert.deepEqual(
		live.filter(({ metric }) => metric === 'cold-start').map(({ cell }) => cell),
		['app/ping'],
	);
});

test('a file with lanes reads back unchanged and gives the same decisions', () => {
	const raw = measuredInLanes(3, { [OF_LAST]: SLOW });
	const read = parseRaw(renderRaw(raw));
	assert.deepEqual(read, raw);
	assert.deepEqual(summarise(read), summarise(raw));
	assert.deepEqual(Object.keys(chartData(raw, summarise(raw)).rounds).toSorted(), [...IDS].toSorted());
	assert.equal(findContradiction(raw), null);
	assert.equal(summarise(raw).shards, undefined);
});

test('a single lane without a name is a plain run: words and numbers are the same', () => {
	const raw = measuredInLanes(1, { [OF_FIRST]: SLOW });
	const { lanes: _, ...plain } = raw;
	const alone = { ...plain, rounds: raw.rounds.map(({ lane: _lane, ...round }) => round) };
	assert.deepEqual(decideRaw(raw), decideRaw(alone));
});

test('lanes share neither machine events nor warnings', () => {
	const raw = measuredInLanes(2);
	const busy = raw.rounds.map((round) =>
		round.lane === 2
			? {
					...round,
					cells: round.cells.map((turn) => ({
						...turn,
						windows: turn.windows.map((window) => ({ ...window, otherCpu: 0.9 })),
					})),
				}
			: round,
	);
	const messages = decideRaw({ ...raw, rounds: busy }).warnings.map(({ message }) => message);
	assert.ok(messages.length > 0);
	assert.ok(
		messages.every((message) => message.startsWith('Lane 2: ')),
		messages.join('\n'),
	);
});

test('a shard may have lanes: gathered, each is replayed as it ran', () => {
	const plan = shardPlanOf(IDS, 2);
	const files = shardFilesOf(plan, { 1: { effects: { [OF_FIRST]: SLOW } } });
	// The first shard measured its cells in two lanes, with equal rounds.
	const inLanes = files.map(({ name, raw }, index) => {
		if (index > 0) return { name, raw };
		const [first = '', ...others] = raw.plan.cells.map(({ id }) => id);
		const lanes: LaneRun[] = [
			{ lane: 1, cells: [first], ended: raw.ended },
			{ lane: 2, cells: others, ended: raw.ended },
		];
		const rounds = lanes.flatMap(({ lane, cells }) =>
			raw.rounds.flatMap((round) => {
				const cellRounds = round.cells.filter(({ cell }) => cells.includes(cell));
				return cellRounds.length === 0 ? [] : [{ ...round, lane, cells: cellRounds }];
			}),
		);
		return { name, raw: { ...raw, rounds, lanes } };
	});
	const gathered = gatherShards(plan, inLanes);
	assert.equal(findContradiction(gathered), null);
	assert.deepEqual(parseRaw(renderRaw(gathered)), gathered);
	assert.deepEqual(
		partsOf(gathered).map(({ shard, lane }) => [shard, lane]),
		[
			[1, 1],
			[1, 2],
			[2, undefined],
		],
	);
	assert.equal(summarise(gathered).shards?.[0]?.lanes?.length, 2);
	const [here, there] = [summarise(gathered), summarise(gatherShards(plan, files))];
	assert.deepEqual(
		here.cells.map(({ verdict }) => verdict),
		there.cells.map(({ verdict }) => verdict),
	);
});

const broken: Readonly<Record<string, (raw: Raw) => Raw>> = {
	'a round is of no lane': (raw) => ({ ...raw, rounds: raw.rounds.map(({ lane: _, ...round }) => round) }),
	'two lanes have the same cell': (raw) => ({
		...raw,
		lanes: (raw.lanes ?? []).map((lane) => ({ ...lane, cells: raw.lanes?.[0]?.cells ?? [] })),
	}),
	'a cell is of no lane': (raw) => ({
		...raw,
		lanes: (raw.lanes ?? []).map((lane) => ({ ...lane, cells: lane.cells.slice(1) })),
	}),
	'its lanes are out of order': (raw) => ({ ...raw, lanes: raw.lanes?.toReversed() ?? [] }),
	'a turn is not one of its round': (raw) => ({
		...raw,
		rounds: raw.rounds.map((round) => ({ ...round, lane: round.lane === 1 ? 2 : 1 })),
	}),
};

for (const [why, change] of Object.entries(broken)) {
	test(`lanes that no run can have are refused: ${why}`, () => {
		assert.equal(findContradiction(change(measuredInLanes(2))), why);
	});
}

test('a file without lanes names none in its rounds, and gathered lanes belong to shards', () => {
	const { lanes, ...raw } = measuredInLanes(2);
	assert.equal(findContradiction(raw), 'a round is of no lane');
	const plan = shardPlanOf(IDS, 2);
	const gathered = gatherShards(plan, shardFilesOf(plan));
	assert.equal(findContradiction({ ...gathered, lanes: lanes ?? [] }), 'it has lanes of no machine');
});

test('each lane is judged by itself, so judging costs as much as its lanes do', () => {
	const raw = measuredInLanes(2);
	const costs = (raw.lanes ?? []).map(
		({ lane, cells }) => raw.rounds.filter((round) => round.lane === lane).length ** 2 * cells.length,
	);
	assert.equal(
		countDecisions(raw),
		costs.reduce((sum, cost) => sum + cost, 0),
	);
});
