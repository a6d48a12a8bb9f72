/** Further events that have a base of their own. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manualEvent, pushEvent, scheduleEvent } from '../support/act/events.ts';
import { assertEnded, makeWorld } from '../support/act/world.ts';
import { runEvent } from './run-event.ts';

const world = makeWorld();
const { tiny } = world;

test('push with gate: enforce is red', async (t) => {
	const run = await runEvent(t, world, 'push', {
		payload: pushEvent(tiny.base, tiny.heads.broken),
		sha: tiny.heads.broken,
		inputs: { mode: 'compare', gate: 'enforce' },
	});
	assertEnded(run, 1, { outcome: 'error' });
});

test('workflow_dispatch: the typed revisions', async (t) => {
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

test('schedule without a release: main is measured against itself', async (t) => {
	const inputs = { mode: 'compare' };
	const run = await runEvent(t, world, 'schedule', { payload: scheduleEvent(), sha: tiny.tip, inputs });
	assertEnded(run, 0, { outcome: 'inconclusive' });
});
