import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeLevels, type LevelRound } from '../../benchmarks/shared/isolation-table.ts';
import { createRandom } from '../../src/stats/random.ts';
import type { IsolationLevel } from '../../src/types/isolation.ts';

const ROUNDS = 400;

interface Truth {
	readonly bias: number;
	readonly sd: number;
	readonly seconds: number;
	readonly ofUser: number;
}

function simulate(level: IsolationLevel, { bias, sd, seconds, ofUser }: Truth): LevelRound[] {
	const random = createRandom(1, level.length);
	return Array.from({ length: ROUNDS }, (_, index) => {
		const swapped = level !== 'none' && Math.floor(index / 2) % 2 === 1;
		const draw = () => bias + (swapped ? -ofUser : ofUser) + sd * random.normal();
		return { round: index + 1, level, swapped, seconds, d: { 'koa/one': draw(), 'koa/two': draw() } };
	});
}

test('the planted bias, part of the user and cost of certainty are recovered', () => {
	const none = simulate('none', { bias: 0.002, sd: 0.02, seconds: 4, ofUser: 0 });
	const users = simulate('users', { bias: 0.012, sd: 0.03, seconds: 5, ofUser: 0.006 });
	const [first, second] = describeLevels([...none, ...users]);
	assert.equal(first?.cost, null);
	assert.ok(second?.toNone && second.ofUser && second.cost);
	assert.ok(second.toNone.low < 0.01 && second.toNone.high > 0.01 && second.toNone.low > 0.005);
	assert.ok(second.ofUser.low < 0.006 && second.ofUser.high > 0.006 && second.ofUser.low > 0);
	// 1.5² in variance, 1.25 in time.
	assert.ok(Math.abs(second.cost.ratio - 2.81) < 0.5, `${second.cost.ratio}`);
	assert.ok(second.cost.limit > second.cost.ratio && second.cost.limit < 1.3 * second.cost.ratio);
});

test('a level without a round that also has `none` gives its bias alone, and one of two rounds no figures', () => {
	const users = simulate('users', { bias: 0, sd: 0.02, seconds: 4, ofUser: 0 });
	const none = simulate('none', { bias: 0, sd: 0.02, seconds: 4, ofUser: 0 }).slice(0, 2);
	const [only, ...others] = describeLevels([...none, ...users]);
	assert.deepEqual(others, []);
	assert.equal(only?.level, 'users');
	assert.equal(only.toNone, null);
	assert.equal(only.cost, null);
});
