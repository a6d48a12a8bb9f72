/**
 * Concurrent lanes with scripted laboratories: which lane measures which cells, which rounds are kept, and which lane
 * ends others.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Laboratory } from '../../../src/measure/laboratory.ts';
import { type LanesProgress, type LaneWork, runLanes } from '../../../src/measure/lanes/run-lanes.ts';
import { planRound } from '../../../src/plan/plan-round.ts';
import type { Round } from '../../../src/types/round.ts';
import type { Decision } from '../../../src/types/verdict.ts';
import { scriptPlan, scriptRound } from '../../support/rounds.ts';

function open(undecided: readonly string[]): Decision {
	return {
		rows: [],
		gate: { outcome: 'pass', reasons: [] },
		undecided,
		confirm: [],
		discardedRounds: [],
		warnings: [],
	};
}

/** A lane with one cell that is decided after so many rounds. `beforeRound` is awaited. */
function laneOf(
	scenario: string,
	rounds: number,
	signal: AbortSignal,
	beforeRound: (round: number) => Promise<void> = async () => {},
): LaneWork<Decision> {
	const plan = scriptPlan([scenario]);
	const laboratory: Laboratory = {
		verify: async () => [],
		warnings: () => [],
		async runRound(order) {
			await beforeRound(order.round);
			signal.throwIfAborted();
			return scriptRound(order.round, { [scenario]: { d: 0 } });
		},
	};
	return {
		plan,
		laboratory,
		cells: [`app/${scenario}`],
		decide: (sofar) => open(sofar.length < rounds ? [`app/${scenario}`] : []),
		planRound: (round, active, purpose) => planRound(plan, round, active, purpose),
		clock: () => 0,
		onDecision: async () => {},
	};
}

const shapeOf = (rounds: readonly Round[]) => rounds.map(({ lane, round, cells }) => [lane, round, cells[0]?.cell]);

test('lanes measure at the same time, and their rounds come lane by lane', async () => {
	const stop = new AbortController();
	const waiting = new Map<number, () => void>();
	let most = 0;
	// Each round waits until the other lane has begun its own.
	const meet = (lane: number) => (round: number) =>
		new Promise<void>((resolve) => {
			if (round > 2) return resolve();
			waiting.set(lane, resolve);
			most = Math.max(most, waiting.size);
			if (waiting.size < 2) return;
			for (const go of waiting.values()) go();
			waiting.clear();
		});
	const works = [laneOf('a', 2, stop.signal, meet(1)), laneOf('b', 3, stop.signal, meet(2))];
	const kept: LanesProgress[] = [];
	const { rounds, lanes, ended } = await runLanes(works, { signal: stop.signal, stop }, async (sofar) => {
		kept.push(sofar);
	});
	assert.equal(most, 2);
	assert.deepEqual(shapeOf(rounds), [
		[1, 1, 'app/a'],
		[1, 2, 'app/a'],
		[2, 1, 'app/b'],
		[2, 2, 'app/b'],
		[2, 3, 'app/b'],
	]);
	assert.deepEqual(lanes, [
		{ lane: 1, cells: ['app/a'], ended: 'decided' },
		{ lane: 2, cells: ['app/b'], ended: 'decided' },
	]);
	assert.equal(ended, 'decided');
	assert.ok(kept.every((sofar) => sofar.rounds.length > 0 && sofar.lanes.every((lane) => lane.lane > 0)));
	assert.deepEqual(kept.at(-1)?.rounds, rounds);
	assert.equal(
		kept[0]?.lanes.find(({ ended: how }) => how !== 'interrupted'),
		undefined,
	);
});

test('rounds are kept one after the other', async () => {
	const stop = new AbortController();
	const works = [laneOf('a', 4, stop.signal), laneOf('b', 4, stop.signal), laneOf('c', 4, stop.signal)];
	let busy = 0;
	let calls = 0;
	await runLanes(works, { signal: stop.signal, stop }, async () => {
		calls++;
		assert.equal(++busy, 1);
		await new Promise((resolve) => setImmediate(resolve));
		busy--;
	});
	assert.ok(calls >= 12, `${calls} calls`);
});

test('a lane that fails ends the others, and its error is the one thrown', async () => {
	const stop = new AbortController();
	let others = 0;
	const endless = laneOf('a', 20, stop.signal, async () => {
		others++;
		if (others > 2) await new Promise((resolve) => stop.signal.addEventListener('abort', resolve, { once: true }));
	});
	const broken = laneOf('b', 20, stop.signal, async (round) => {
		if (round === 3) throw new Error('the generator is gone');
	});
	await assert.rejects(
		runLanes([endless, broken], { signal: stop.signal, stop }, async () => {}),
		{
			message: 'the generator is gone',
		},
	);
	assert.ok(stop.signal.aborted);
});

test('an interrupt ends all lanes and keeps their finished rounds', async () => {
	const stop = new AbortController();
	const user = new AbortController();
	const signal = AbortSignal.any([user.signal, stop.signal]);
	const works = ['a', 'b'].map((name) =>
		laneOf(name, 20, signal, async (round) => {
			if (round === 3) user.abort(new Error('stop'));
		}),
	);
	const { ended, lanes } = await runLanes(works, { signal, stop }, async () => {});
	assert.equal(ended, 'interrupted');
	assert.deepEqual(
		lanes.map((lane) => lane.ended),
		['interrupted', 'interrupted'],
	);
});

test('the run ends like the lane that more rounds could have changed most', async () => {
	const stop = new AbortController();
	const done = await runLanes(
		[laneOf('a', 2, stop.signal), laneOf('b', 99, stop.signal)],
		{ signal: stop.signal, stop },
		async () => {},
	);
	assert.deepEqual([done.ended, ...done.lanes.map((lane) => lane.ended)], ['rounds', 'decided', 'rounds']);
});
