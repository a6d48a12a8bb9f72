import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseInputs } from '../../../src/action/request/inputs.ts';
import { concludeCutOff, type Remembered } from '../../../src/action/run-post.ts';
import { finishCheck, startCheck } from '../../../src/github/check-run.ts';
import { formatMarker } from '../../../src/github/comment-marker.ts';
import { connect, HEAD, runOf } from '../../github/support.ts';
import type { StoredComment } from '../../support/github/types.ts';
import { runnerOf } from '../request/example-events.ts';

const RUN = runOf(70, 2);
const REMEMBERED: Remembered = { check: '', comment: '1', headSha: HEAD, title: 'command', key: '', concluded: '' };

function comment(id: number, key: string, run: typeof RUN, state: 'measuring' | 'final'): StoredComment {
	const body = `${formatMarker({ key, run, headSha: HEAD, state })}\nwords`;
	return { id, issue: 1, body, user: { login: 'github-actions[bot]', type: 'Bot' } };
}

test('a reply to a command that is cut off concludes its own comment, and leaves the report of the gate', async (t) => {
	const gate = comment(1, 'default', runOf(70, 1), 'final');
	const { github, double } = await connect(t, {
		comments: [structuredClone(gate), comment(2, 'command', RUN, 'measuring')],
	});
	const runner = runnerOf('pull_request', {}, { repository: { owner: 'o', repo: 'r' }, run: RUN });
	const session = { inputs: parseInputs({}), runner, github, warnings: [] };
	await concludeCutOff(session, { ...REMEMBERED, key: 'command' });
	const [first, second, ...others] = double.state.comments;
	assert.deepEqual([first?.body, others.length], [gate.body, 0]);
	assert.match(second?.body ?? '', /^<!-- benchgate:command run=70 attempt=2 .*state=final -->\n### ⏹️ Cancelled/);
});

const PLACE = { repository: { owner: 'o', repo: 'r' }, headSha: HEAD, key: 'default', run: RUN };

function sessionOf(github: Awaited<ReturnType<typeof connect>>['github']) {
	const runner = runnerOf('pull_request', {}, { repository: PLACE.repository, run: RUN });
	return { inputs: parseInputs({}), runner, github, warnings: [] };
}

test('a check is concluded if its step was killed before saving the id', async (t) => {
	const { github, double } = await connect(t);
	await startCheck(github, PLACE);
	// An earlier attempt's, which this step must not conclude.
	await startCheck(github, { ...PLACE, run: runOf(70, 1) });
	await concludeCutOff(sessionOf(github), { ...REMEMBERED, comment: '' });
	const states = double.state.checkRuns.map(({ status, conclusion }) => [status, conclusion]);
	assert.deepEqual(states, [
		['completed', 'cancelled'],
		['in_progress', null],
	]);
});

test('a concluded check stays as it is if its step was killed before saving that', async (t) => {
	const { github, double } = await connect(t);
	const started = await startCheck(github, PLACE);
	assert.ok('id' in started);
	const output = { title: 'Slower', summary: 'Report', annotations: [] };
	await finishCheck(github, { repository: PLACE.repository, id: started.id, conclusion: 'failure', output });
	await concludeCutOff(sessionOf(github), { ...REMEMBERED, check: String(started.id), comment: '' });
	assert.equal(double.state.checkRuns[0]?.conclusion, 'failure');
});

test('if GitHub does not list checks, the saved one is concluded', async (t) => {
	const { github, double } = await connect(t);
	const started = await startCheck(github, PLACE);
	assert.ok('id' in started);
	double.state.faults.push({
		match: /^GET .*check-runs/,
		status: 403,
		times: 9,
		body: { message: 'no', documentation_url: 'https://docs.github.com' },
	});
	await concludeCutOff(sessionOf(github), { ...REMEMBERED, check: String(started.id), comment: '' });
	assert.equal(double.state.checkRuns[0]?.conclusion, 'cancelled');
});

test('a comment saved as planned but never created is not created now', async (t) => {
	const { github, double } = await connect(t);
	await concludeCutOff(sessionOf(github), REMEMBERED);
	assert.deepEqual(double.state.comments, []);
});
