import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RunLengths } from '../../benchmarks/endurance/run-lengths.ts';

const equal = { program: 'compare', level: 'users', head: 'equal' } as const;
const elsewhere = { ...equal, level: 'none' } as const;

test('a run without a fault gives the duration of its kind, and above all that of its head', () => {
	const lengths = new RunLengths();
	const broken = { ...equal, head: 'broken' } as const;
	const guess = lengths.expect(broken);
	lengths.learn(equal, 9_000, false);
	assert.deepEqual([lengths.expect(equal), lengths.expect(elsewhere), lengths.expect(broken)], [9_000, 9_000, guess]);
	lengths.learn(elsewhere, 3_000, false);
	assert.deepEqual([lengths.expect(equal), lengths.expect(elsewhere)], [9_000, 3_000]);
});

test('a run that a fault ended early gives no duration, and one that outlived its fault raises the expected one', () => {
	const lengths = new RunLengths();
	lengths.learn(equal, 5_000, false);
	lengths.learn(equal, 1_000, true);
	assert.equal(lengths.expect(equal), 5_000);
	lengths.learn(equal, 7_000, true);
	assert.equal(lengths.expect(equal), 7_000);
});

test('a head that never serves is expected to end sooner', () => {
	const lengths = new RunLengths();
	assert.ok(lengths.expect({ ...equal, head: 'unbuildable' }) < lengths.expect(equal));
});
