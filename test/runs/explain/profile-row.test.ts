/** The number of rounds of a profile, and its result without rounds. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProfileOrder } from '../../../src/measure/probe/profile-round.ts';
import { profileCell } from '../../../src/runs/explain/profile-row.ts';
import type { Unseen } from '../../../src/types/coverage.ts';
import type { CpuProfile } from '../../../src/types/explain/profile.ts';

const CELL = { id: 'api/ok', server: 'api', scenario: 'ok', threshold: 0.05, tolerance: 0.025 };
const frame = (functionName: string, url: string, lineNumber: number) => ({
	...{ functionName, url, lineNumber, columnNumber: 0 },
});
const samplesOf = (side: string, hitCount: number): CpuProfile => [
	{ id: 1, callFrame: frame('(root)', '', -1), hitCount: 0, children: [2, 3] },
	{ id: 2, callFrame: frame('work', `file:///${side}/work.mjs`, 0), hitCount },
	{ id: 3, callFrame: frame('end', 'node:_http_outgoing', 1142), hitCount: 500 },
];

/** Profiles with a server that lasts `lasting` rounds. */
async function profile(lasting: number, secondsLeft = Infinity) {
	const orders: ProfileOrder[] = [];
	const ended: Unseen = { kind: 'failed', detail: 'head runs no Node 20.16 or later, and nothing else is profiled' };
	const laboratory = {
		async profile(_: unknown, order: ProfileOrder) {
			const at = orders.push(order);
			const sides = {
				base: { cost: 20 + 0.1 * at, profiles: [samplesOf('base', 500)] },
				head: { cost: 30 - 0.1 * at, profiles: [samplesOf('head', 1_000)] },
			};
			return at > lasting ? ended : { mode: order.mode, sides, gaps: ['base: python (process 7)'] };
		},
	};
	const outcome = await profileCell(laboratory, CELL, {
		...{ seed: 7, roots: { base: '/base/', head: '/head/' }, secondsLeft: () => secondsLeft },
		trees: { base: new Map([['work.mjs', 'work(1)']]), head: new Map([['work.mjs', 'work(2)']]) },
	});
	return { outcome, orders };
}

test('nine rounds name the slower function; which side is first is drawn, equally for equal seeds', async () => {
	const { outcome, orders } = await profile(Infinity);
	assert.ok(typeof outcome !== 'string');
	const { cause, functions, rounds, gaps } = outcome;
	assert.deepEqual([rounds, gaps], [{ natural: 4, flat: 5 }, ['base: python (process 7)']]);
	assert.ok(cause.kind === 'located', JSON.stringify(cause));
	assert.equal(functions[cause.functions[0]?.function ?? -1]?.name, 'work');
	assert.deepEqual(new Set(orders.map(({ first }) => first)), new Set(['base', 'head']));
	assert.deepEqual((await profile(Infinity)).orders, orders);
});

test('a server that ends, or a spent budget, leaves the finished rounds', async () => {
	const { outcome } = await profile(5);
	assert.ok(typeof outcome !== 'string');
	assert.deepEqual(outcome.rounds, { natural: 3, flat: 2 });
	assert.ok(outcome.gaps.some((gap) => gap.includes('nothing else is profiled')));
	for (const [lasting, left, why] of [
		[0, Infinity, /^No profile: head runs no Node 20\.16 or later, and nothing else is profiled\.$/],
		[Infinity, -1, /^No profile: the budget allows fewer than two rounds\.$/],
	] as const) {
		const { outcome: words, orders } = await profile(lasting, left);
		assert.ok(typeof words === 'string' && why.test(words), JSON.stringify(words));
		assert.equal(orders.length, 1);
	}
});
