/** Every other event that has a base of its own. Nothing here needs a decided measurement, so nothing waits for one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manualEvent, mergeGroupEvent, pushEvent, scheduleEvent } from '../support/act/events.ts';
import { assertEnded, makeWorld } from '../support/act/world.ts';
import { runEvent } from './run-event.ts';

const world = makeWorld();
const { tiny } = world;

test('push: the head against the commit before; a failure is told and never red', async (t) => {
	const run = await runEvent(t, world, 'push', {
		payload: pushEvent(tiny.base, tiny.heads.broken),
		sha: tiny.heads.broken,
		inputs: { mode: 'compare' },
	});
	assertEnded(run, 0, { outcome: 'error', invalid: '1' });
	assert.match(run.summary, /invalid/);
	assert.deepEqual(Object.keys(run.artifacts), ['benchgate']);
});

test('push with gate: enforce is red', async (t) => {
	const run = await runEvent(t, world, 'push', {
		payload: pushEvent(tiny.base, tiny.heads.broken),
		sha: tiny.heads.broken,
		inputs: { mode: 'compare', gate: 'enforce' },
	});
	assertEnded(run, 1, { outcome: 'error' });
});

test('merge_group: against its own base, and enforced', async (t) => {
	const run = await runEvent(t, world, 'merge_group', {
		payload: mergeGroupEvent(tiny.tip, tiny.merges.broken),
		sha: tiny.merges.broken,
		ref: 'refs/heads/gh-readonly-queue/main/pr-12',
	});
	assertEnded(run, 1, { outcome: 'error', invalid: '1' });
});

test('workflow_dispatch: the revisions somebody typed', async (t) => {
	const payload = manualEvent({ base: 'main', head: 'broken' });
	const run = await runEvent(t, world, 'workflow_dispatch', { payload, sha: tiny.tip });
	assertEnded(run, 0, { outcome: 'error', invalid: '1' });
});

test('schedule: against the latest release', async (t) => {
	const releases = [{ tag: 'v1.0.0', sha: tiny.root }];
	const inputs = { mode: 'compare' };
	const payload = scheduleEvent();
	const run = await runEvent(t, world, 'schedule', { payload, sha: tiny.tip, inputs, state: { releases } });
	assertEnded(run, 0, { outcome: 'pass' });
	assert.match(run.summary, /nothing relevant changed/i);
	assert.ok(run.summary.includes('v1.0.0') || run.summary.includes(tiny.root.slice(0, 7)), run.summary);
});
