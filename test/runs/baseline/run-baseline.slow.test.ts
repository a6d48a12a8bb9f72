import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readBaseline, renderBaseline } from '../../../src/formats/baseline/baseline-file.ts';
import { runBaseline } from '../../../src/runs/baseline/run-baseline.ts';
import type { BaselineRecord } from '../../../src/types/baseline.ts';
import { commit, makeFolder } from '../../prepare/support.ts';
import { CONFIG, openBaseline, serverOf } from './tiny-branch.ts';

/** For tests that need any measurement at all. */
const config = { ...CONFIG, rounds: 1 };

test('the branch is measured against its release; a new release is linked to the one before', async (t) => {
	const cwd = makeFolder(t);
	const release = commit(cwd, 'v1.0.0', { 'server.js': serverOf('one') });
	const first = commit(cwd, 'first', { 'server.js': serverOf('two') });
	const { optionsFor, kept, steps } = await openBaseline(t, cwd);

	const { records, anchor, unchanged } = await runBaseline(await optionsFor([]));
	assert.deepEqual(anchor, { sha: release, label: 'v1.0.0', kind: 'release' });
	assert.equal(unchanged, false);
	assert.equal(records.length, 1);
	const [level] = records as [BaselineRecord];
	assert.deepEqual([level.purpose, level.ended, level.commit.sha], ['level', 'rounds', first]);
	assert.equal(level.commit.label, `main@${first.slice(0, 7)}`);
	assert.ok('record' in readBaseline(renderBaseline(level), 'level.json'), 'it fits the schema of the store');
	assert.match(level.subjectDigest ?? '', /^[0-9a-f]{64}$/);
	assert.equal(level.reproduce, `benchgate baseline --anchor git:${release} --head git:${first}`);
	const [cell] = level.cells;
	assert.ok(cell);
	assert.deepEqual([cell.scenario, cell.metric, cell.rounds], ['ping', 'throughput', 2]);
	assert.ok(cell.theta !== null && cell.se !== null && cell.se > 0 && cell.low !== null && cell.low < cell.theta);
	assert.ok(cell.solo !== null && cell.reference !== null && cell.ofReference);
	for (const { throughput, memoryPeak, windows } of [cell.solo, cell.reference]) {
		assert.ok((throughput ?? 0) > 100);
		assert.ok((memoryPeak ?? 0) > 1e6, 'bytes');
		assert.ok(windows > 0 && windows % 2 === 0, 'as many in each of two rounds');
	}
	const { value, low, high, rounds } = cell.ofReference;
	assert.ok(low < value && value < high && rounds === 2, 'in turn with it');
	assert.ok(value > 0.2 && value < 5, 'both are node:http');
	assert.deepEqual(
		kept.map((some) => some.map(({ ended }) => ended)),
		[['interrupted'], ['interrupted']],
		'kept after every round as if it ended there',
	);

	await t.test('equal code is not measured again', async () => {
		commit(cwd, 'docs', { 'README.md': 'words' });
		const again = await runBaseline(await optionsFor(records));
		assert.deepEqual([again.records, again.unchanged, again.interrupted], [[], true, false]);
		const remeasured = await runBaseline(await optionsFor(records, { skipUnchanged: false, config }));
		assert.equal(remeasured.records[0]?.subjectDigest, level.subjectDigest);
	});

	await t.test('a new release begins an era with its link and closure', async () => {
		const second = commit(cwd, 'v1.1.0', { 'server.js': serverOf('three') });
		const head = commit(cwd, 'after', { 'server.js': serverOf('four') });
		const era = await runBaseline(await optionsFor(records, { config }));
		assert.deepEqual(
			era.records.map(({ purpose, commit: { sha }, anchor: { label } }) => [purpose, sha, label]),
			[
				['level', head, 'v1.1.0'],
				['link', second, 'v1.0.0'],
				['closure', head, 'v1.0.0'],
			],
		);
		assert.equal(era.records[1]?.commit.label, 'v1.1.0');
		assert.deepEqual(
			era.records.map(({ cells }) => cells[0]?.reference !== null),
			[true, false, true],
			'of the commit alone, not of the release that the link is about',
		);
		assert.ok(era.records[1]?.cells[0]?.solo, 'which has absolute figures of its own');
		for (const { cells } of era.records) assert.ok(cells[0]?.theta !== null, JSON.stringify(cells[0]?.warnings));

		// As if the job had been cut off after its level.
		const before = steps.length;
		const remainder = await runBaseline(await optionsFor([...records, ...era.records.slice(0, 1)], { config }));
		assert.deepEqual(
			[remainder.unchanged, remainder.records.map(({ purpose }) => purpose)],
			[true, ['link', 'closure']],
		);
		const measuring = steps.slice(before).filter((step) => step.startsWith('Measuring'));
		assert.deepEqual(
			measuring.map((step) => /new anchor|to check the step|in turn/.exec(step)?.[0]),
			['new anchor', 'to check the step', 'in turn'],
			'the figures of the closure are those of its own commit',
		);
	});
});

test('an anchor that no longer runs is left for the commit measured last, with a warning', async (t) => {
	const cwd = makeFolder(t);
	commit(cwd, 'v1.0.0', { 'server.js': serverOf('one') });
	commit(cwd, 'first', { 'server.js': serverOf('two') });
	const { optionsFor, commits } = await openBaseline(t, cwd);
	const broken = commit(cwd, 'v2.0.0', { 'server.js': 'process.exit(1)' });
	const head = commit(cwd, 'mended', { 'server.js': serverOf('three') });
	const { records, anchor } = await runBaseline(await optionsFor([], { config }));
	assert.deepEqual(
		[anchor.sha, anchor.kind],
		[head, 'commit'],
		'nothing was measured before, so the head is its own anchor',
	);
	const [level] = records as [BaselineRecord];
	assert.equal(level.warnings.find(({ code }) => code === 'anchor-broken')?.message.includes('v2.0.0'), true);

	const named = await runBaseline(await optionsFor([], { given: await commits.findGiven(broken), config }));
	assert.deepEqual(
		[named.anchor.kind, named.records[0]?.cells[0]?.verdict],
		['given', 'invalid'],
		'a named anchor stays',
	);
});
