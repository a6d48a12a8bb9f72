import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Evidence, judgeConnections } from '../../../src/measure/connections/connection-faults.ts';

const NONE = { connections: 0, bytes: 0 };

function judge(evidence: Partial<Evidence>) {
	const { faults, warnings } = judgeConnections({
		live: [],
		ended: { base: NONE, head: NONE },
		uncounted: null,
		hasLost: false,
		answers: { base: 50_000, head: 50_000 },
		...evidence,
	});
	return { faults: faults.map(({ code, side }) => [code, side]), warnings: warnings.map(({ code }) => code) };
}

test('the sender is at fault, whoever was hit, however little it sent', () => {
	assert.deepEqual(judge({ live: [{ to: 'base', from: 'head' }] }).faults, [['foreign-connections', 'head']]);
	assert.deepEqual(judge({ live: [{ to: 'head', from: 'base' }] }).faults, [['foreign-connections', 'base']]);
	const both = [
		{ to: 'head', from: 'base' },
		{ to: 'base', from: 'head' },
	] as const;
	assert.equal(judge({ live: both }).faults.length, 2);
});

test('a process of nobody’s is at fault on no side, unless a side is too', () => {
	assert.deepEqual(judge({ live: [{ to: 'base', from: null }] }).faults, [['foreign-connections', null]]);
	const both = [
		{ to: 'base', from: null },
		{ to: 'base', from: 'head' },
	] as const;
	assert.deepEqual(judge({ live: both }).faults, [['foreign-connections', 'head']]);
});

test('connections of a server to itself are its own business, and explain what ended unseen', () => {
	const ended = { base: { connections: 9000, bytes: 900_000 }, head: NONE };
	assert.deepEqual(judge({ live: [{ to: 'base', from: 'base' }], ended }), { faults: [], warnings: [] });
	assert.deepEqual(judge({ live: [{ to: 'head', from: 'head' }], ended }).faults, [['foreign-connections', null]]);
});

test('what ended unseen counts by what it can have carried: many connections, or many bytes', () => {
	for (const base of [
		{ connections: 2000, bytes: 0 },
		{ connections: 1, bytes: 100_000 },
	]) {
		assert.deepEqual(judge({ ended: { base, head: NONE } }), { faults: [['foreign-connections', null]], warnings: [] });
	}
});

test('too few to matter, or alike on both sides, are warned of only', () => {
	const few = { connections: 3, bytes: 300 };
	assert.deepEqual(judge({ ended: { base: few, head: NONE } }), { faults: [], warnings: ['unexplained-connections'] });
	const many = { connections: 400, bytes: 20_000 };
	assert.deepEqual(judge({ ended: { base: many, head: { connections: 300, bytes: 15_000 } } }), {
		faults: [],
		warnings: ['unexplained-connections', 'unexplained-connections'],
	});
	assert.deepEqual(judge({ uncounted: 5 }).warnings, ['unexplained-connections']);
	assert.deepEqual(judge({ uncounted: 0 }).warnings, []);
	assert.deepEqual(judge({ hasLost: true }).warnings, ['unexplained-connections']);
});
