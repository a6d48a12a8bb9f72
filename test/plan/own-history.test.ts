/** A branch whose rows two machines share: each job measures some scenarios and writes its own records. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extraDuets, measuredDigest } from '../../src/plan/baseline-duets.ts';
import { chooseAnchors, ownHistory } from '../../src/plan/choose-anchor.ts';
import { trendOf } from '../../src/trend/trend-of.ts';
import type { BaselineRecord } from '../../src/types/baseline.ts';
import { builtinScenario } from '../config/example-catalogue.ts';
import { anchorOf, commitOf, levelCell, levelOfCommit } from '../support/baselines/baselines.ts';
import { syntheticRecords } from '../support/baselines/records.ts';

const [V0, V5] = [anchorOf(0), anchorOf(5)];
const asks = (...scenarios: string[]) => ({
	servers: [{ kind: 'built-in' as const, name: 'express' }],
	scenarios: scenarios.map((name) => builtinScenario(name)),
	gate: { onInconclusive: 'pass' as const, metrics: ['throughput' as const] },
});
/** The record of the job that measures `scenario`. */
const jobOf = (n: number, scenario: string, theta = 0, changes: Partial<BaselineRecord> = {}) =>
	levelOfCommit(n, V0, 0, {
		cells: [levelCell(theta, { scenario })],
		subjectDigest: `${scenario} of ${n}`,
		...changes,
	});

test('rows that are not requested, and records of such rows alone, are no history of this run', () => {
	const both = levelOfCommit(1, V0, 0, { cells: [levelCell(0), levelCell(0, { scenario: 'post' })] });
	const history = ownHistory([both, jobOf(2, 'post'), jobOf(3, 'ping')], asks('ping'));
	assert.deepEqual(
		history.map(({ commit, cells }) => [commit.position, cells.map(({ scenario }) => scenario)]),
		[
			[1, ['ping']],
			[3, ['ping']],
		],
	);
	const cpu = levelOfCommit(1, V0, 0, { cells: [levelCell(0, { metric: 'cpu-per-request' })] });
	assert.deepEqual(ownHistory([cpu], asks('ping')), []);
});

test('rows of a metric that a scenario names itself are requested, whatever the gate names', () => {
	const startRequest = { ...asks(), scenarios: [{ ...builtinScenario('ping'), metrics: ['cold-start' as const] }] };
	const record = levelOfCommit(1, V0, 0, { cells: [levelCell(0), levelCell(0, { metric: 'cold-start' })] });
	const [own] = ownHistory([record], startRequest);
	assert.deepEqual(
		own?.cells.map(({ metric }) => metric),
		['cold-start'],
	);
});

test('code measured by one job is new to another, and known to that job whoever wrote last', () => {
	const store = [jobOf(1, 'ping'), jobOf(1, 'post')];
	assert.equal(measuredDigest(V0, ownHistory(store, asks('ping'))), 'ping of 1');
	assert.equal(measuredDigest(V0, ownHistory(store.slice(0, 1), asks('post'))), null);
});

test('each job links its own rows when an era begins, even after another job', () => {
	const store = [jobOf(4, 'ping'), jobOf(4, 'post'), jobOf(5, 'ping', 0, { purpose: 'link' })];
	const purposes = (scenario: string) =>
		extraDuets(V5, commitOf(9), ownHistory(store, asks(scenario))).map(({ purpose }) => purpose);
	assert.deepEqual(purposes('ping'), ['closure']);
	assert.deepEqual(purposes('post'), ['link', 'closure']);
});

test('a row far from its anchor moves it, even with records of other rows in between', () => {
	const store = [6, 7, 8].flatMap((n) => [jobOf(n, 'ping', -0.3), jobOf(n, 'post')]);
	const facts = { given: null, release: V0, head: commitOf(9), earlier: store };
	const anchorFor = (scenario: string) => chooseAnchors({ ...facts, own: ownHistory(store, asks(scenario)) })[0].anchor;
	assert.equal(anchorFor('ping').kind, 'commit');
	assert.deepEqual(anchorFor('post'), V0);
});

test('records of the parts of a matrix give the same rows as one record of the whole', () => {
	const whole = syntheticRecords({ seed: 3, cells: 4, commits: 30, eras: 2, steps: [{ commit: 20, size: -0.05 }] });
	const parts = whole.flatMap((record) =>
		[0, 1, 2, 3].map((part): BaselineRecord => {
			const createdAt = new Date(Date.parse(record.createdAt) + 1_000 * part).toISOString();
			const run = { ...record.run, id: `${record.run.id}${part}` };
			return { ...record, createdAt, run, cells: record.cells.filter((_, index) => index % 4 === part) };
		}),
	);
	const [one, several] = [trendOf(whole), trendOf(parts)];
	assert.deepEqual(several.rows, one.rows);
	assert.deepEqual(
		several.commits.map(({ sha }) => sha),
		one.commits.map(({ sha }) => sha),
	);
	assert.deepEqual([several.eras.length, several.warnings], [one.eras.length, one.warnings]);
});
