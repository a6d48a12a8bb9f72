import assert from 'node:assert/strict';
import { test } from 'node:test';
import { environmentIdOf } from '../../../src/judge/baseline/baseline-record.ts';
import { baselineExitCode, isDrifted, placeOf } from '../../../src/judge/baseline/drift.ts';
import { spreadsIn } from '../../../src/judge/baseline/level.ts';
import { rowsWith } from '../../../src/trend/main-rows.ts';
import type { BaselineCell, BaselineRun } from '../../../src/types/baseline.ts';
import { anchorOf, commitOf, levelCell, levelOfCommit, MACHINE } from '../../support/baselines/baselines.ts';

const at = (theta: number, margin: number): BaselineCell =>
	levelCell(theta, { low: theta - margin, high: theta + margin });

test('a row is below the anchor if it surely dropped, and by more than half the threshold', () => {
	const placeAt = (theta: number, margin: number, settled = true) =>
		placeOf({ theta, low: theta - margin, high: theta + margin, settled, threshold: 0.05 });
	assert.equal(placeAt(-0.03, 0.01), 'below');
	assert.equal(placeAt(-0.03, 0.04), 'unsure', 'not sure');
	assert.equal(placeAt(-0.02, 0.01), 'level', 'harmless');
	assert.equal(placeAt(-0.01, 0.1), 'unsure', 'a drop of the threshold is not ruled out');
	assert.equal(placeAt(0.03, 0.01), 'above');
	for (const theta of [-0.5, 0, 0.5]) assert.equal(placeAt(theta, 0.01, false), 'unsettled');
});

test('drift is a drop beyond the limit that is surely more than half of it', () => {
	const drifted = (theta: number, margin: number, settled = true) =>
		isDrifted({ theta, high: theta + margin, settled }, 0.1);
	assert.ok(drifted(-0.12, 0.02));
	assert.ok(!drifted(-0.12, 0.08), 'may be harmless');
	assert.ok(!drifted(-0.09, 0.01), 'within the limit');
	assert.ok(!drifted(0.2, 0.01), 'faster');
	assert.ok(!drifted(-0.5, 0.01, false), 'not settled');
});

test('a slower branch fails only with enforced drift; a run without measurements always fails', () => {
	const earlier = (cells: readonly BaselineCell[]) => [levelOfCommit(2, anchorOf(0), cells)];
	const run = (
		cells: readonly BaselineCell[],
		changes: Partial<BaselineRun> = {},
		ofBefore = earlier,
	): BaselineRun => ({
		records: [levelOfCommit(3, anchorOf(0), cells)],
		rows: rowsWith(levelOfCommit(3, anchorOf(0), cells), ofBefore(cells)),
		anchor: anchorOf(0),
		head: commitOf(3),
		unchanged: false,
		interrupted: false,
		notes: [],
		...changes,
	});
	const [advisory, enforce] = (['advisory', 'enforce'] as const).map((policy) => ({ policy, threshold: 0.1 }));
	assert.ok(advisory && enforce);
	const slow = run([at(-0.2, 0.01), levelCell(0, { scenario: 'json-post' })]);
	assert.equal(baselineExitCode(slow, advisory), 0);
	assert.equal(baselineExitCode(slow, enforce), 1);
	const first = run([at(-0.2, 0.01)], {}, () => []);
	assert.equal(baselineExitCode(first, enforce), 0, 'one baseline does not settle it');
	assert.equal(baselineExitCode(run([at(-0.06, 0.01)]), enforce), 0);
	assert.equal(baselineExitCode(run([levelCell(null)]), advisory), 3);
	assert.equal(baselineExitCode(run([], { records: [], unchanged: true }), enforce), 0);
	assert.equal(baselineExitCode(run([], { records: [] }), advisory), 3);
	assert.equal(baselineExitCode(run([at(-0.2, 0.01)], { interrupted: true }), enforce), 130);
});

test('a kind of machine is its CPU, its number, and the major versions of kernel and Node', () => {
	const id = environmentIdOf(MACHINE);
	assert.match(id, /^[0-9a-f]{8}$/);
	assert.equal(environmentIdOf({ ...MACHINE, kernel: '6.11.0', node: '24.0.1', loadAverage: 3, memoryBytes: 1 }), id);
	for (const other of [{ cpus: 2 }, { cpuModel: 'Other' }, { kernel: '7.0.0' }, { node: '22.1.0' }]) {
		assert.notEqual(environmentIdOf({ ...MACHINE, ...other }), id);
	}
});

test('the spread of a row comes from the latest runs on the same kind of machine', () => {
	const sdOf = (n: number, roundSd: number, changes = {}) =>
		levelOfCommit(n, anchorOf(0), [levelCell(0, { roundSd, rounds: 10 })], changes);
	const records = [
		...Array.from({ length: 25 }, (_, n) => sdOf(n, n / 1000)),
		sdOf(40, 0.5, { environmentId: 'another0' }),
		sdOf(41, 0.03, { purpose: 'link' }),
		levelOfCommit(42, anchorOf(0), [levelCell(null)]),
	];
	const row = { server: 'express', scenario: 'ping', metric: 'throughput', judgedBy: 'throughput' } as const;
	const spreads = spreadsIn(records, '0123abcd')(row);
	assert.equal(spreads.length, 20);
	assert.deepEqual(spreads.slice(0, 2), [
		{ sd: 0.03, df: 9 },
		{ sd: 0.024, df: 9 },
	]);
	assert.deepEqual(spreadsIn(records, '0123abcd')({ ...row, judgedBy: 'cpu-per-request' }), []);
});
