import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Evidence, judgeConnections } from '../../../src/measure/connections/connection-faults.ts';

const NONE = { connections: 0, bytes: 0 };

const QUIET: Evidence = {
	live: [],
	intruders: [],
	ended: { base: NONE, head: NONE },
	uncounted: null,
	hasLost: false,
	ownUsers: true,
};

function judge(evidence: Partial<Evidence>) {
	const { faults, warnings } = judgeConnections({ ...QUIET, ...evidence });
	return { faults: faults.map(({ code, side }) => [code, side]), warnings: warnings.map(({ code }) => code) };
}

test('the sender is at fault, whichever server it reached, however little it sent', () => {
	assert.deepEqual(judge({ live: [{ to: 'base', from: 'head' }] }).faults, [['foreign-connections', 'head']]);
	assert.deepEqual(judge({ live: [{ to: 'head', from: 'base' }] }).faults, [['foreign-connections', 'base']]);
	const both = [
		{ to: 'head', from: 'base' },
		{ to: 'base', from: 'head' },
	] as const;
	assert.equal(judge({ live: both }).faults.length, 2);
});

test("the owner of a listener on a server's port is at fault, or no side if it is unknown", () => {
	const [headsListener, nobody] = [{ at: 'base', from: 'head' } as const, { at: 'base', from: null } as const];
	assert.deepEqual(judge({ intruders: [nobody, headsListener] }).faults, [['foreign-listener', 'head']]);
	assert.deepEqual(judge({ intruders: [nobody] }).faults, [['foreign-listener', null]]);
	const beside = { at: 'head', from: 'head', beside: true } as const;
	assert.deepEqual(judge({ intruders: [beside] }).faults, [['foreign-listener', 'head']]);
});

test('a server of another lane is at fault wherever it connects, even to its own side', () => {
	for (const to of ['base', 'head'] as const) {
		const live = [{ to, from: 'head', beside: true }] as const;
		assert.deepEqual(judge({ live }).faults, [['foreign-connections', 'head']]);
	}
	const ended = { base: NONE, head: { connections: 20, bytes: 1000 } };
	const live = [{ to: 'head', from: 'base', beside: true }] as const;
	assert.deepEqual(judge({ live, ended }).faults, [['foreign-connections', 'base']]);
});

test('a process of neither side makes no side faulty, unless a side is involved too', () => {
	assert.deepEqual(judge({ live: [{ to: 'base', from: null }] }).faults, [['foreign-connections', null]]);
	const both = [
		{ to: 'base', from: null },
		{ to: 'base', from: 'head' },
	] as const;
	assert.deepEqual(judge({ live: both }).faults, [['foreign-connections', 'head']]);
});

test('connections of a server to itself are allowed, and explain unseen ends', () => {
	const ended = { base: { connections: 9000, bytes: 900_000 }, head: NONE };
	assert.deepEqual(judge({ live: [{ to: 'base', from: 'base' }], ended }), { faults: [], warnings: [] });
	assert.deepEqual(judge({ live: [{ to: 'head', from: 'head' }], ended }).faults, [['foreign-connections', null]]);
});

test('unseen ends count, however little was sent and whatever the other side has', () => {
	for (const base of [
		{ connections: 2000, bytes: 0 },
		{ connections: 1, bytes: 100_000 },
		{ connections: 1, bytes: 18 },
	]) {
		assert.deepEqual(judge({ ended: { base, head: NONE } }), { faults: [['foreign-connections', null]], warnings: [] });
	}
	// A head that floods itself half as hard as its rival.
	const flooded = { base: { connections: 400, bytes: 20_000 }, head: { connections: 300, bytes: 15_000 } };
	const both = [
		['foreign-connections', null],
		['foreign-connections', null],
	];
	assert.deepEqual(judge({ ended: flooded }).faults, both);
	assert.deepEqual(judge({ ended: flooded, live: [{ to: 'head', from: 'head' }] }).faults, both.slice(1));
});

test('under one user, equal connections of both sides count as connections to themselves, and those of one side do not', () => {
	const ended = { base: { connections: 20, bytes: 1000 }, head: { connections: 15, bytes: 800 } };
	const warnings = ['unexplained-connections', 'unexplained-connections'];
	assert.deepEqual(judge({ ended, ownUsers: false }), { faults: [], warnings });
	assert.equal(judge({ ended, ownUsers: false, hasLost: true }).faults.length, 2);
	for (const head of [NONE, { connections: 1, bytes: 100 }]) {
		const nine = { base: { connections: 9, bytes: 180 }, head };
		assert.deepEqual(judge({ ended: nine, ownUsers: false }).faults, [['foreign-connections', null]]);
	}
});

test('with incomplete reports, connections to itself may hide others', () => {
	const live = [{ to: 'head', from: 'head' }] as const;
	const ended = { base: NONE, head: { connections: 9000, bytes: 900_000 } };
	assert.deepEqual(judge({ live, ended, hasLost: false }), { faults: [], warnings: [] });
	assert.deepEqual(judge({ live, ended, hasLost: true }).faults, [['foreign-connections', null]]);
	const codesFor = (evidence: Partial<Evidence>) => judgeConnections({ ...QUIET, ended, hasLost: true, ...evidence });
	assert.match(
		codesFor({ live }).faults[0]?.message ?? '',
		/^the head server connected to itself .* could report, so it is not known/,
	);
	assert.match(
		codesFor({}).faults[0]?.message ?? '',
		/^a program other than benchgate connected to the port of the head server/,
	);
});

test('unknowable origins give a warning', () => {
	assert.deepEqual(judge({ uncounted: 5 }).warnings, ['unexplained-connections']);
	assert.deepEqual(judge({ uncounted: 0 }).warnings, []);
	assert.deepEqual(judge({ hasLost: true }), { faults: [], warnings: ['unexplained-connections'] });
});
