/** Standings of branches in 300 histories of each kind; benchmarks/trend.ts prints the figures at every commit. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
	afterReleasedStep,
	afterStep,
	slowerInQuietBranches,
	slowRowsFound,
} from '../support/baselines/standing-histories.ts';

const HISTORIES = 300;
/** The first commits, whose levels rest on few baselines, and some later ones: all of a hundred rows take six minutes. */
const COMMITS = [2, 3, 4, 5, 8, 12, 20, 35, 50];

test('no row is slower in any of 300 histories after a release that is a step', () => {
	for (const size of [0.05, 0.1, -0.05, -0.1]) {
		for (const after of [1, 2, 3, 4, 5, 6, 10]) {
			const { slower, wrong } = afterReleasedStep(HISTORIES, size, after);
			assert.deepEqual([slower, wrong <= 0.05 * HISTORIES], [0, true], `${size}, ${after} commits: ${wrong}`);
		}
	}
});

test('after a step of 12 % the interval holds the truth in 95 % of 300 histories', () => {
	for (const size of [Math.log(0.88), Math.log(1.12)]) {
		for (const count of [1, 2, 3, 4]) {
			const { covered, wrong } = afterStep(HISTORIES, size, count);
			assert.ok(covered >= 0.95 * HISTORIES && wrong <= 0.05 * HISTORIES, `${count} of ${size}: ${covered}, ${wrong}`);
		}
	}
});

for (const cells of [6, 24, 100]) {
	test(`of 300 branches without a change and with ${cells} rows hardly one is ever slower`, {
		timeout: 900_000,
	}, () => {
		const slower = slowerInQuietBranches(HISTORIES, cells, COMMITS);
		const all = slower.reduce((sum, count) => sum + count, 0);
		assert.ok((slower.at(-1) ?? 0) <= 0.05 * HISTORIES, `at the end ${slower.at(-1)}`);
		assert.ok(all <= 0.02 * HISTORIES * COMMITS.length, `at all commits ${all} of ${HISTORIES * COMMITS.length}`);
	});
}

test('a row of 24 that lost 5 % is slower within three commits in 90 % of 300 histories', { timeout: 300_000 }, () => {
	const [, , third = 0] = slowRowsFound(HISTORIES);
	assert.ok(third >= 0.9 * HISTORIES, `${third}`);
});
