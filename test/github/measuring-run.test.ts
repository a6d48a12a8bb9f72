import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findMeasuringRun, mayRunAgain, runAgain } from '../../src/github/command.ts';
import { isUserError } from '../../src/types/errors.ts';
import type { StoredRun } from '../support/github/types.ts';
import { connect, HEAD, REPOSITORY, requestsTo } from './support.ts';

const PULL = { number: 7, headSha: HEAD, baseSha: 'b'.repeat(40), headRepository: 'forker/r' };
const RUN: StoredRun = {
	id: 70,
	headSha: HEAD,
	headBranch: 'topic',
	headRepository: 'Forker/r',
	event: 'pull_request',
	conclusion: 'failure',
};

test('the newest run of that workflow for that head, on pull_request, of that repository', async (t) => {
	const { github } = await connect(t, {
		runs: [
			RUN,
			{ ...RUN, id: 71, attempt: 3, conclusion: 'success' },
			{ ...RUN, id: 80, headSha: 'c'.repeat(40) },
			{ ...RUN, id: 81, event: 'push' },
			{ ...RUN, id: 82, headRepository: 'other/r' },
			{ ...RUN, id: 83, file: 'ci.yml' },
			{ ...RUN, id: 84, pullRequests: [8] },
		],
	});
	const run = await findMeasuringRun(github, REPOSITORY, 'bench.yml', PULL);
	assert.ok(run !== null && run !== 'no-workflow');
	assert.deepEqual([run.id, run.attempt, run.status, run.conclusion], [71, 3, 'completed', 'success']);
});

test('no run, and no such workflow', async (t) => {
	const { github } = await connect(t, { workflows: ['bench.yml'] });
	assert.equal(await findMeasuringRun(github, REPOSITORY, 'bench.yml', PULL), null);
	assert.equal(await findMeasuringRun(github, REPOSITORY, 'benchgate.yml', PULL), 'no-workflow');
});

test('a run in progress, waiting for approval or skipped is not rerun', () => {
	const run = { id: 1, attempt: 1, url: 'https://github.example', status: 'completed', conclusion: 'failure' };
	assert.equal(mayRunAgain(run), true);
	assert.equal(mayRunAgain({ ...run, conclusion: 'cancelled' }), true);
	assert.equal(mayRunAgain({ ...run, status: 'in_progress', conclusion: null }), false);
	assert.equal(mayRunAgain({ ...run, conclusion: 'action_required' }), false);
	assert.equal(mayRunAgain({ ...run, conclusion: 'skipped' }), false);
});

test('a rerun takes actions: write, and one request', async (t) => {
	const { github, double } = await connect(t, { runs: [RUN] });
	const run = { id: 70, attempt: 1, url: '', status: 'completed', conclusion: 'failure' };
	await runAgain(github, REPOSITORY, run);
	assert.deepEqual(requestsTo(double, 'POST'), ['POST /repos/o/r/actions/runs/70/rerun']);
	assert.equal(double.state.runs[0]?.attempt, 2);
	double.state.permissions = { actions: 'read' };
	await assert.rejects(
		runAgain(github, REPOSITORY, run),
		(error) => isUserError(error) && error.remedy?.includes('actions: write') === true,
	);
});
