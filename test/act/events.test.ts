/** Other events that have a base of their own. No test here needs a decided measurement, so none waits for one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergeGroupEvent, pushEvent } from '../support/act/events.ts';
import { assertEnded, makeWorld } from '../support/act/world.ts';
import { runEvent } from './run-event.ts';

const world = makeWorld();
const { tiny } = world;

test('push: the head against the commit before; a failure is reported and never red', async (t) => {
	const run = await runEvent(t, world, 'push', {
		payload: pushEvent(tiny.base, tiny.heads.broken),
		sha: tiny.heads.broken,
		inputs: { mode: 'compare' },
	});
	assertEnded(run, 0, { outcome: 'error', invalid: '1' });
	assert.match(run.summary, /invalid/);
	assert.deepEqual(Object.keys(run.artifacts), ['benchgate']);
});

test('merge_group: against its own base, and enforced', async (t) => {
	const run = await runEvent(t, world, 'merge_group', {
		payload: mergeGroupEvent(tiny.tip, tiny.merges.broken),
		sha: tiny.merges.broken,
		ref: 'refs/heads/gh-readonly-queue/main/pr-12',
	});
	assertEnded(run, 1, { outcome: 'error', invalid: '1' });
});
