import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Laboratory } from '../../src/measure/laboratory.ts';
import { type RoundsContext, runRounds } from '../../src/measure/run-rounds.ts';
import type { Plan, RoundPlan } from '../../src/types/plan.ts';
import type { Decision } from '../../src/types/verdict.ts';

const PLAN = {
	looks: [
		{ rounds: 4, weightRegressed: 0.5, weightUnchanged: 0.5 },
		{ rounds: 6, weightRegressed: 0.5, weightUnchanged: 0.5 },
	],
	budgetSeconds: 100,
} as unknown as Plan;

/** A laboratory whose rounds take `seconds` per cell and which logs its requests. */
function scripted(seconds: number) {
	const log: string[] = [];
	let now = 0;
	const laboratory: Laboratory = {
		verify: async () => [],
		warnings: () => [],
		async runRound(plan) {
			const cells = plan.pairs.flatMap((pair) => pair.turns.map((turn) => turn.cell));
			log.push(`${plan.purpose} ${plan.round}: ${cells.join(' ')}`);
			now += seconds * cells.length;
			return {
				round: plan.round,
				purpose: plan.purpose,
				startedAt: now,
				seconds: seconds * cells.length,
				loadSeconds: 0,
				cells: cells.map((cell) => ({ cell, windows: [] }) as never),
			};
		},
	};
	return { log, laboratory, clock: () => now };
}

function planned(round: number, cells: readonly string[], purpose: RoundPlan['purpose']): RoundPlan {
	const turns = cells.map((cell) => ({ cell, clientFirst: 'base', windowFirst: 'base' }) as const);
	return {
		round,
		purpose,
		design: 'duet',
		pairs: [{ server: 's', startFirst: 'base', slot: { base: 0, head: 1 }, turns }],
	};
}

function open(undecided: string[], confirm: string[] = []): Decision {
	return { rows: [], gate: { outcome: 'pass', reasons: [] }, undecided, confirm, discardedRounds: [], warnings: [] };
}

async function run(seconds: number, decide: RoundsContext['decide'], rest: Partial<RoundsContext> = {}, plan = PLAN) {
	const { log, laboratory, clock } = scripted(seconds);
	const { ended, rounds } = await runRounds(plan, {
		laboratory,
		cells: ['s/a', 's/b'],
		decide,
		planRound: planned,
		clock,
		signal: new AbortController().signal,
		onDecision: async () => {},
		...rest,
	});
	return { log, ended, rounds };
}

test('decided cells drop out, and the run ends with the last of them', async () => {
	const { log, ended } = await run(1, (rounds) =>
		open(rounds.length < 2 ? ['s/a', 's/b'] : rounds.length < 4 ? ['s/b'] : []),
	);
	assert.deepEqual(log, ['main 1: s/a s/b', 'main 2: s/a s/b', 'main 3: s/b', 'main 4: s/b']);
	assert.equal(ended, 'decided');
});

test('rounds end at the last look', async () => {
	const { log, ended } = await run(1, () => open(['s/a']));
	assert.equal(log.length, 6);
	assert.equal(ended, 'rounds');
});

test('a round beyond the budget does not begin, except for the first', async () => {
	const within = await run(20, () => open(['s/a', 's/b']));
	assert.equal(within.log.length, 2);
	assert.equal(within.ended, 'budget');
	const first = await run(20, () => open(['s/a', 's/b']), {}, { ...PLAN, budgetSeconds: 1 });
	assert.equal(first.log.length, 1);
	assert.equal(first.ended, 'budget');
});

test('confirm rounds have their own numbers and run between main rounds', async () => {
	const { log } = await run(1, (rounds) => open(rounds.length < 6 ? ['s/a'] : [], rounds.length < 6 ? ['s/b'] : []));
	assert.deepEqual(log, [
		'main 1: s/a',
		'confirm 1: s/b',
		'main 2: s/a',
		'confirm 2: s/b',
		'main 3: s/a',
		'confirm 3: s/b',
	]);
});

test('refused cells are never loaded', async () => {
	const { log } = await run(1, (rounds) => open(rounds.length < 1 ? ['s/a', 's/b'] : []), { cells: ['s/b'] });
	assert.deepEqual(log, ['main 1: s/b']);
});

test('an interrupt keeps finished rounds', async () => {
	const controller = new AbortController();
	const { ended, rounds } = await run(1, () => open(['s/a']), {
		signal: controller.signal,
		onDecision: async (sofar) => {
			if (sofar.length === 3) controller.abort();
		},
	});
	assert.equal(ended, 'interrupted');
	assert.equal(rounds.length, 3);
});
