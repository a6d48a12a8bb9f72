/** A run whose further lanes turn out not to be isolated when they open. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Affinity } from '../../src/measure/affinity.ts';
import type { Bench } from '../../src/measure/bench.ts';
import { openLanes } from '../../src/runs/open-lanes.ts';
import type { IsolatedPair, VerifiedPair } from '../../src/runs/verify-pair.ts';
import type { LanesWish } from '../../src/types/config.ts';
import { examplePlan } from '../plan/example-plan.ts';

const AFFINITY = { note: 'somewhere' } as Affinity;

/** A run of two lanes, the second of which has no free user. */
function open(lanes: LanesWish) {
	const closed: string[] = [];
	const notes: string[] = [];
	const bench = {
		affinity: AFFINITY,
		seesConnections: true,
		warnings: () => [],
		close: async () => void closed.push('first'),
	} as unknown as Bench;
	const verified = { plan: examplePlan(['express/ping', 'koa/ping']), bench, refused: [] } as unknown as VerifiedPair;
	const request = {
		config: { design: 'duet', lanes },
		lanes: { lanes: [AFFINITY, AFFINITY], orchestrator: [1], warnings: [] },
		isolation: { level: 'users', openLane: () => Promise.reject(new Error('no user id is free')) },
		progress: { status: (text: string) => notes.push(text) },
	} as unknown as IsolatedPair;
	return { opening: openLanes(verified, request), verified, closed, notes };
}

for (const wish of ['auto', 2] as const) {
	test(`lanes: ${wish}: one lane measures everything, and a note gives the reason`, async () => {
		const { opening, verified, closed, notes } = open(wish);
		const { lanes, orchestrator, pinning, warnings, close } = await opening;
		assert.deepEqual([lanes.map(({ plan }) => plan), orchestrator, pinning], [[verified.plan], null, null]);
		assert.deepEqual(warnings(), [
			{ code: 'one-lane', message: `Cells were measured in one lane although lanes is ${wish}: no user id is free.` },
		]);
		assert.equal(notes.length, 1);
		await close();
		assert.deepEqual(closed, ['first']);
	});
}
