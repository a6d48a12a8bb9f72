import assert from 'node:assert/strict';
import { test } from 'node:test';
import { levelsOf, openStagedClient } from '../../../src/measure/generator/staged-load.ts';
import type { Stage } from '../../../src/types/plan.ts';

const ERGO: readonly Stage[] = [
	{ seconds: 30, connections: 50 },
	{ seconds: 60, connections: 50 },
	{ seconds: 10, connections: 0 },
];

test('connections join evenly, stay, and leave evenly', () => {
	const levels = levelsOf(ERGO);
	assert.deepEqual(levels[0], { at: 30 / 50, connections: 1 });
	assert.deepEqual(levels[24], { at: 15, connections: 25 });
	assert.deepEqual(levels[49], { at: 30, connections: 50 });
	assert.deepEqual(levels[50], { at: 90 + 10 / 50, connections: 49 });
	assert.deepEqual(levels.at(-1), { at: 100, connections: 0 });
	assert.equal(levels.length, 100);
});

test('many connections join in groups, and every stage ends at its number', () => {
	const levels = levelsOf([
		{ seconds: 10, connections: 200 },
		{ seconds: 10, connections: 500 },
		{ seconds: 10, connections: 0 },
	]);
	assert.equal(levels.length, 150);
	assert.deepEqual(
		[49, 99, 149].map((at) => levels[at]),
		[
			{ at: 10, connections: 200 },
			{ at: 20, connections: 500 },
			{ at: 30, connections: 0 },
		],
	);
});

test('clients are opened and closed with the stages, and the last ones closed at the end', async (t) => {
	t.mock.timers.enable({ apis: ['setTimeout'] });
	let open = 0;
	const staged = openStagedClient(ERGO, (connections) => {
		open += connections;
		return {
			async close() {
				open -= connections;
			},
		};
	});
	const seen = [600, 14_400, 15_000, 60_000, 5_000].map((milliseconds) => {
		t.mock.timers.tick(milliseconds);
		return open;
	});
	assert.deepEqual(seen, [1, 25, 50, 50, 25]);
	await staged.close();
	assert.equal(open, 0);
	t.mock.timers.tick(60_000);
	assert.equal(open, 0);
});

test('a group leaves as a whole, so that there are never too few', (t) => {
	t.mock.timers.enable({ apis: ['setTimeout'] });
	let open = 0;
	const stages = [100, 75].map((connections) => ({ seconds: 1, connections }));
	openStagedClient(stages, (connections) => {
		open += connections;
		return {
			async close() {
				open -= connections;
			},
		};
	});
	t.mock.timers.tick(5_000);
	// 100 joined two by two, so 75 is impossible.
	assert.equal(open, 76);
});
