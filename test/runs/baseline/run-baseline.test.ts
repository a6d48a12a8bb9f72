import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runBaseline } from '../../../src/runs/baseline/run-baseline.ts';
import { commit, makeFolder } from '../../prepare/support.ts';
import { CONFIG, openBaseline, serverOf } from './tiny-branch.ts';

test('measurements before an interrupt are kept, and marked as cut off', async (t) => {
	const cwd = makeFolder(t);
	commit(cwd, 'v1.0.0', { 'server.js': serverOf('one') });
	commit(cwd, 'first', { 'server.js': serverOf('two') });
	const { optionsFor } = await openBaseline(t, cwd);
	const controller = new AbortController();
	const options = await optionsFor([], {
		signal: controller.signal,
		// Only this server answers it, so there is no reference to wait for.
		config: { ...CONFIG, rounds: 20, scenarios: CONFIG.scenarios.map((one) => ({ ...one, origin: 'config' })) },
		keep: async () => controller.abort(new Error('stop')),
	});
	const { records, interrupted } = await runBaseline(options);
	assert.equal(interrupted, true);
	assert.deepEqual([records.length, records[0]?.ended, records[0]?.cells[0]?.rounds], [1, 'interrupted', 1]);
});
