/** The API gives the base branch of a pull request: a rerun event names an old commit. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { takeFreshTip } from '../../../src/action/commits/find-commits.ts';
import type { RequestOf } from '../../../src/types/action-run.ts';
import type { Warning } from '../../../src/types/units.ts';
import { connect } from '../../github/support.ts';
import { badGateway } from '../../support/github/faults.ts';
import { examplePull } from '../../support/github/state.ts';
import type { DoubleState } from '../../support/github/types.ts';
import { payloadOf, requestFor, runnerOf } from '../request/example-events.ts';

const TIP = '7'.repeat(40);
const REPOSITORY = { owner: 'o', repo: 'r' };

function requestOf(event: string, inputs: Record<string, string> = {}): RequestOf<'compare'> {
	const request = requestFor(event, payloadOf(event, event === 'pull_request' ? 'opened' : undefined), inputs);
	assert.equal(request.kind, 'compare');
	return request as RequestOf<'compare'>;
}

async function take(t: TestContext, request: RequestOf<'compare'>, state: Partial<DoubleState> = {}) {
	const number = request.pullRequest?.number ?? 1;
	const defaults = { pulls: [examplePull({ number, baseRef: 'next' })], refs: { 'heads/next': TIP } };
	const { github, double } = await connect(t, { ...defaults, ...state });
	const warnings: Warning[] = [];
	const runner = runnerOf('pull_request', {}, { repository: REPOSITORY });
	const taken = await takeFreshTip({ github, runner, warnings }, request);
	return { taken, warnings, double };
}

test('config and merge base come from the current base branch', async (t) => {
	const request = requestOf('pull_request');
	const { taken, warnings } = await take(t, request);
	assert.deepEqual(taken, { ...request, baseTip: TIP, base: { kind: 'merge-base', with: TIP } });
	assert.deepEqual(warnings, []);
});

test('a typed base stays, with the config of the branch', async (t) => {
	const request = requestOf('pull_request', { base: 'npm:express@5' });
	const { taken } = await take(t, request);
	assert.deepEqual(taken, { ...request, baseTip: TIP });
});

for (const [what, state, says] of [
	['the permission is missing', { permissions: { 'pull-requests': 'none' } }, /pull-requests: read/],
	['GitHub is down', { faults: [badGateway(/./, { times: 99 })] }, /Run the job again later/],
	['the branch is gone', { refs: {} }, /its base branch is gone/],
] as const) {
	test(`${what}: the commit of the event is used, with a warning`, async (t) => {
		const request = requestOf('pull_request');
		const { taken, warnings } = await take(t, request, state as Partial<DoubleState>);
		assert.deepEqual(taken, request);
		assert.deepEqual(
			warnings.map(({ code }) => code),
			['base-tip-unknown'],
		);
		assert.match(warnings[0]?.message ?? '', says);
		assert.ok(warnings[0]?.message.includes(request.pullRequest?.baseSha.slice(0, 7) ?? '?'));
	});
}

test('a closed pull request keeps its event: its branch may contain the change already', async (t) => {
	const request = requestOf('pull_request');
	const pulls = [examplePull({ number: request.pullRequest?.number ?? 1, baseRef: 'next', state: 'closed' })];
	const { taken, warnings } = await take(t, request, { pulls });
	assert.deepEqual([taken, warnings.length], [request, 1]);
});

test('without a pull request or a token the API is not called', async (t) => {
	const scheduled = requestOf('schedule', { mode: 'compare' });
	const { taken, double } = await take(t, scheduled);
	assert.deepEqual([taken, double.calls], [scheduled, []]);
	const request = requestOf('pull_request');
	const warnings: Warning[] = [];
	const runner = runnerOf('pull_request', {});
	assert.deepEqual(await takeFreshTip({ github: null, runner, warnings }, request), request);
	assert.deepEqual(warnings, []);
});
