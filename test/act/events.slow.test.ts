import { test } from 'node:test';
import { scheduleEvent } from '../support/act/events.ts';
import { assertEnded, makeWorld } from '../support/act/world.ts';
import { runEvent } from './run-event.ts';

const world = makeWorld();
const { tiny } = world;

test('schedule without a release: main against itself, measured all the same', async (t) => {
	const inputs = { mode: 'compare' };
	const run = await runEvent(t, world, 'schedule', { payload: scheduleEvent(), sha: tiny.tip, inputs });
	assertEnded(run, 0, { outcome: 'inconclusive' });
});
