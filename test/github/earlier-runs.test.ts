import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finishCheck, startCheck } from '../../src/github/check-run.ts';
import { findEarlierRuns } from '../../src/github/earlier-runs.ts';
import { connect, HEAD, REPOSITORY, runOf } from './support.ts';

const PLACE = { repository: REPOSITORY, headSha: HEAD, key: 'default', run: runOf(70, 2) };

test('earlier runs and attempts of the same commit and key are named, oldest first; later and cancelled ones are not', async (t) => {
	const { github } = await connect(t);
	const conclude = async (place: typeof PLACE, conclusion: 'failure' | 'success' | 'cancelled' | 'neutral') => {
		const started = await startCheck(github, place);
		assert.ok('id' in started);
		const output = { title: `it was ${conclusion}`, summary: 'Report', annotations: [] };
		assert.equal(await finishCheck(github, { repository: REPOSITORY, id: started.id, conclusion, output }), null);
	};
	await conclude({ ...PLACE, run: runOf(70, 1) }, 'failure');
	await conclude({ ...PLACE, run: runOf(60) }, 'neutral');
	await conclude({ ...PLACE, run: runOf(61) }, 'cancelled');
	await conclude({ ...PLACE, run: runOf(70, 3) }, 'success');
	await conclude({ ...PLACE, key: 'command', run: runOf(62) }, 'success');
	await conclude({ ...PLACE, headSha: 'e'.repeat(40), run: runOf(63) }, 'success');
	await startCheck(github, PLACE);
	assert.deepEqual(await findEarlierRuns(github, PLACE), [
		{ run: { id: 60, attempt: 1 }, conclusion: 'neutral', title: 'it was neutral' },
		{ run: { id: 70, attempt: 1 }, conclusion: 'failure', title: 'it was failure' },
	]);
});

test('a token without access to checks finds no earlier runs', async (t) => {
	const { github } = await connect(t, { permissions: { checks: 'none' } });
	assert.deepEqual(await findEarlierRuns(github, PLACE), []);
});
