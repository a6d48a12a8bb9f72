/** The workflow of docs/baselines.md after a push to main: its measurement, and that it can write nothing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readBisected } from '../../src/formats/baseline/trend-files.ts';
import type { BaselineRecord } from '../../src/types/baseline.ts';
import { unzip } from '../support/act/artifact.ts';
import { manualEvent, pushEvent } from '../support/act/events.ts';
import { runAct } from '../support/act/run-act.ts';
import { shownWorkflow } from '../support/act/workflows.ts';
import { makeWorld, READ_ONLY, startGithub } from '../support/act/world.ts';

const world = makeWorld();
const { tiny } = world;

test('a push to main is measured against the latest release, and its record goes to the job that stores it', async (t) => {
	const releases = [{ tag: 'v1.0.0', sha: tiny.root }];
	const double = await startGithub(t, world, 'equal', { releases, permissions: READ_ONLY });
	const run = await runAct(t, {
		event: 'push',
		payload: pushEvent(tiny.base, tiny.tip),
		// Six rounds are enough for any precision.
		workflow: shownWorkflow('baseline', { precision: '99%', budget: '5m', warmup: '200ms', store: 'dir:baselines' }),
		repository: { folder: tiny.folder, sha: tiny.tip },
		double,
		actions: world.actions,
		ref: 'refs/heads/main',
		runId: 1234,
	});
	// There is no artifact service here: the second job runs because there is a record, but cannot download it.
	assert.equal(run.exitCode, 1, run.text);
	assert.match(run.text, /there are no baselines in/);
	assert.match(run.summary, /main@.*v1\.0\.0/);
	const { 'benchgate-baselines': zip, ...others } = run.artifacts;
	assert.ok(zip);
	assert.deepEqual(Object.keys(others), []);
	const files = await unzip(zip);
	assert.deepEqual(Object.keys(files), ['baseline-level.json']);
	const record = JSON.parse(files['baseline-level.json'] ?? '') as BaselineRecord;
	assert.deepEqual([record.purpose, record.commit.sha, record.anchor.sha], ['level', tiny.tip, tiny.root]);
	assert.deepEqual([record.run.id, record.anchor.label], ['1234', 'v1.0.0']);
	assert.match(record.commit.label, /^main@[0-9a-f]{7}$/);
	const [cell] = record.cells;
	assert.deepEqual([cell?.server, cell?.scenario, cell?.rounds], ['tiny', 'hello', 6]);
	assert.ok(cell?.theta !== null && (cell?.solo?.throughput ?? 0) > 0);
	assert.deepEqual(
		run.apiCalls.filter(({ method }) => method !== 'GET').map(({ operationId }) => operationId),
		[],
		'nothing is written',
	);
});

test('started by hand with two commits, the same workflow finds the slower commit between them, and hands it on', async (t) => {
	const double = await startGithub(t, world, 'slower', { permissions: READ_ONLY });
	const inputs = { good: tiny.base, bad: tiny.heads.slower, servers: 'tiny', scenarios: 'hello' };
	const run = await runAct(t, {
		event: 'workflow_dispatch',
		payload: manualEvent(inputs),
		workflow: shownWorkflow('baseline'),
		repository: { folder: tiny.folder, sha: tiny.tip },
		double,
		actions: world.actions,
		ref: 'refs/heads/main',
	});
	// As above: the writing job runs without an artifact service.
	assert.equal(run.exitCode, 1, run.text);
	assert.match(run.text, /there are no baselines in/);
	assert.match(run.summary, new RegExp(`### ✅ Found: First bad commit: ${tiny.heads.slower.slice(0, 12)}`));
	const { 'benchgate-baselines': zip, ...others } = run.artifacts;
	assert.ok(zip);
	assert.deepEqual(Object.keys(others), []);
	const read = readBisected((await unzip(zip))['bisected.json'] ?? '');
	assert.ok('bisected' in read, JSON.stringify(read));
	assert.deepEqual([read.bisected.good, read.bisected.named.commit], [tiny.base, tiny.heads.slower]);
	assert.deepEqual(
		run.apiCalls.filter(({ method }) => method !== 'GET').map(({ operationId }) => operationId),
		[],
	);
});
