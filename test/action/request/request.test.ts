import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ACTION_MODES, type ActionRequest, STANDALONE_MODES } from '../../../src/types/action-run.ts';
import { isUserError } from '../../../src/types/errors.ts';
import { type Payload, payloadOf, payloadsOf, RUNNER_SHA, requestFor } from './example-events.ts';

type Comparison = Extract<ActionRequest, { kind: 'compare' }>;

function comparison(...args: Parameters<typeof requestFor>): Comparison {
	const request = requestFor(...args);
	assert.equal(request.kind, 'compare', JSON.stringify(request));
	return request as Comparison;
}

function reasonOf(...args: Parameters<typeof requestFor>): string {
	const request = requestFor(...args);
	assert.ok(request.kind === 'nothing', JSON.stringify(request));
	return request.reason;
}

function refusalOf(...args: Parameters<typeof requestFor>): { code: string; text: string } {
	try {
		requestFor(...args);
	} catch (error) {
		assert.ok(isUserError(error), String(error));
		return { code: error.code, text: `${error.message}. ${error.remedy}` };
	}
	return assert.fail('it was accepted');
}

test('a pull request is compared with its merge base, and the check belongs on its head', () => {
	const payload = payloadOf('pull_request', 'synchronize');
	const { pull_request: pull } = payload;
	assert.deepEqual(comparison('pull_request', payload), {
		kind: 'compare',
		base: { kind: 'merge-base', with: pull.base.sha },
		baseTip: pull.base.sha,
		head: pull.head.sha,
		pullRequest: {
			number: pull.number,
			headSha: pull.head.sha,
			baseSha: pull.base.sha,
			headRepository: pull.head.repo.full_name,
		},
		checkSha: pull.head.sha,
		gate: 'enforce',
		command: null,
		title: `pull request #${pull.number}`,
	});
});

test('every action of a pull request except its closing is compared', () => {
	for (const payload of payloadsOf('pull_request')) {
		const { kind } = requestFor('pull_request', payload);
		assert.equal(kind, payload.action === 'closed' ? 'nothing' : 'compare', payload.action);
	}
	assert.equal(comparison('pull_request', payloadOf('pull_request', 'closed'), { mode: 'compare' }).gate, 'enforce');
});

test('a pull request may come from a deleted fork of a deleted account', () => {
	const payload = payloadOf('pull_request');
	payload.pull_request.head.repo = null;
	payload.pull_request.user = null;
	assert.equal(comparison('pull_request', payload).pullRequest?.headRepository, null);
});

test('inputs override the event, but the check stays on the head of the pull request', () => {
	const payload = payloadOf('pull_request');
	const request = comparison('pull_request', payload, { base: 'v1.0.0', head: 'dir:.', gate: 'advisory' });
	assert.deepEqual(request.base, { kind: 'given', revision: 'v1.0.0' });
	assert.equal(request.head, 'dir:.');
	assert.equal(request.gate, 'advisory');
	assert.equal(request.checkSha, payload.pull_request.head.sha);
});

test('pull_request_target is refused in every mode, with the reason and the safe way', () => {
	for (const mode of ACTION_MODES) {
		const { code, text } = refusalOf('pull_request_target', payloadOf('pull_request'), { mode });
		assert.equal(code, 'unsafe-event');
		assert.match(
			text,
			/write token and the secrets.*runs the code of the pull request.*use on: pull_request .*workflow_run/s,
		);
	}
});

test('a merge group is compared with the commit it is based on', () => {
	const payload = payloadOf('merge_group');
	const request = comparison('merge_group', payload);
	assert.deepEqual(request.base, { kind: 'commit', sha: payload.merge_group.base_sha });
	assert.equal(request.head, payload.merge_group.head_sha);
	assert.equal(request.checkSha, payload.merge_group.head_sha);
	assert.equal(request.gate, 'enforce');
	assert.equal(request.title, 'merge group for main');
	assert.match(reasonOf('merge_group', { ...payload, action: 'destroyed' }), /"destroyed" requests no checks/);
});

const [SHA_A, SHA_B, ZERO] = ['a'.repeat(40), 'b'.repeat(40), '0'.repeat(40)];

function push(changes: object): Payload {
	return { ...payloadOf('push'), ref: 'refs/heads/main', before: SHA_A, after: SHA_B, ...changes };
}

test('a push is compared with the commit before it, and is never red by default', () => {
	const topic = push({ ref: 'refs/heads/topic' });
	const request = comparison('push', topic);
	assert.deepEqual(request.base, { kind: 'commit', sha: SHA_A });
	assert.deepEqual([request.head, request.checkSha], [SHA_B, SHA_B]);
	assert.equal(request.gate, 'advisory');
	assert.equal(request.title, 'push to topic');
	assert.equal(comparison('push', topic, { gate: 'enforce' }).gate, 'enforce');
	assert.equal(comparison('push', push({}), { mode: 'compare' }).title, 'push to main');
	assert.equal(comparison('push', push({}), { base: 'v1' }).base.kind, 'given', 'a base asks for a comparison');
});

test('a push to the default branch, and a schedule, measure a baseline', () => {
	const ref = 'refs/heads/main';
	const payload = { ...push({}), repository: { ...payloadOf('push').repository, default_branch: 'main' } };
	assert.deepEqual(requestFor('push', payload, {}, { ref }), {
		kind: 'baseline',
		head: SHA_B,
		branch: 'main',
		title: 'push to main',
	});
	assert.deepEqual(requestFor('schedule', payloadOf('schedule'), {}, { ref }), {
		kind: 'baseline',
		head: RUNNER_SHA,
		branch: 'main',
		title: 'scheduled run on main',
	});
	assert.equal(requestFor('push', payload, { mode: 'baseline', head: 'v2' }, { ref }).kind, 'baseline');
});

test('mode baseline measures on every event about merged code, and on no other', () => {
	const mode = { mode: 'baseline' };
	const kindOn = (...args: Parameters<typeof requestFor>) => requestFor(...args).kind;
	assert.equal(kindOn('push', push({ ref: 'refs/heads/topic' }), mode), 'baseline');
	assert.equal(kindOn('push', push({ ref: 'refs/tags/v2', before: ZERO }), mode), 'baseline');
	assert.equal(kindOn('workflow_dispatch', payloadOf('workflow_dispatch'), mode), 'baseline');
	assert.equal(kindOn('release', {}, mode), 'baseline');
	assert.equal(reasonOf('push', push({ after: ZERO }), mode), 'main was deleted');
	for (const name of ['pull_request', 'merge_group', 'issue_comment']) {
		const { code, text } = refusalOf(name, payloadOf(name), mode);
		assert.equal(code, 'wrong-mode', name);
		assert.match(text, /not merged yet is no baseline/);
	}
	assert.equal(refusalOf('workflow_run', finished(), mode).code, 'unsafe-event');
	assert.equal(refusalOf('pull_request_target', {}, mode).code, 'unsafe-event');
});

test('the first push of a branch is compared with the parent of its last commit', () => {
	assert.deepEqual(comparison('push', push({ ref: 'refs/heads/a/b', before: ZERO })).base, { kind: 'parent' });
});

test('a deleted branch has nothing to measure, in any mode; a tag only on request', () => {
	assert.equal(reasonOf('push', push({ after: ZERO }), { mode: 'compare' }), 'main was deleted');
	const tag = push({ ref: 'refs/tags/v2', before: ZERO });
	assert.match(reasonOf('push', tag), /a tag brings no new code/);
	assert.deepEqual(comparison('push', tag, { mode: 'compare' }).base, { kind: 'parent' });
});

test('a manual run is compared with the release on the default branch, with the merge base elsewhere', () => {
	const payload = payloadOf('workflow_dispatch');
	payload.repository.default_branch = 'trunk';
	const on = (ref: string, inputs = {}) => comparison('workflow_dispatch', payload, inputs, { ref });
	assert.deepEqual(on('refs/heads/trunk').base, { kind: 'anchor' });
	assert.deepEqual(on('refs/tags/v1').base, { kind: 'anchor' });
	const request = on('refs/heads/topic');
	assert.deepEqual(request.base, { kind: 'merge-base', with: 'git:trunk' });
	assert.deepEqual([request.head, request.checkSha, request.gate], [RUNNER_SHA, RUNNER_SHA, 'advisory']);
	assert.equal(request.title, 'manual run on topic');
	assert.deepEqual(on('refs/heads/topic', { base: 'v1' }).base, { kind: 'given', revision: 'v1' });
});

test('a scheduled comparison uses the release as base', () => {
	const request = comparison('schedule', payloadOf('schedule'), { mode: 'compare' });
	assert.deepEqual([request.base, request.head, request.gate], [{ kind: 'anchor' }, RUNNER_SHA, 'advisory']);
	assert.equal(refusalOf('schedule', {}, {}, { sha: '' }).code, 'bad-event');
});

function finished(changes: object = {}): Payload {
	const payload = payloadOf('workflow_run', 'completed');
	Object.assign(payload.workflow_run, { event: 'pull_request', conclusion: 'success', ...changes });
	return payload;
}

test('a finished run is reported', () => {
	const payload = finished();
	const { workflow_run: run } = payload;
	const ours = { id: 1, number: 7, base: { repo: { id: run.repository.id } } };
	const others = { id: 2, number: 8, base: { repo: { id: 1 } } };
	run.pull_requests = [others, ours];
	for (const mode of ['auto', 'report']) {
		assert.deepEqual(requestFor('workflow_run', payload, { mode }), {
			kind: 'report',
			measured: {
				run: { id: run.id, attempt: run.run_attempt, url: run.html_url },
				workflow: payload.workflow.path,
				startedAt: run.run_started_at,
				headSha: run.head_sha,
				headRepository: run.head_repository.full_name,
				headBranch: run.head_branch,
				event: 'pull_request',
				conclusion: 'success',
				pullRequests: [7],
			},
		});
	}
});

test('runs that measured nothing are not reported; a cancelled one is', () => {
	assert.match(reasonOf('workflow_run', payloadOf('workflow_run', 'requested')), /no comment to mark/);
	assert.match(reasonOf('workflow_run', finished({ conclusion: 'skipped' })), /measured nothing \(skipped\)/);
	assert.match(reasonOf('workflow_run', finished({ conclusion: 'action_required' })), /measured nothing/);
	assert.match(reasonOf('workflow_run', finished({ head_repository: null })), /gone/);
	assert.equal(requestFor('workflow_run', finished({ conclusion: 'cancelled' })).kind, 'report');
});

test('a run of another repository is refused', () => {
	const repository = { owner: 'octo-org', repo: 'other' };
	assert.equal(refusalOf('workflow_run', finished(), {}, { repository }).code, 'bad-event');
});

test('nothing is compared with a write token present', () => {
	const { code, text } = refusalOf('workflow_run', finished(), { mode: 'compare' });
	assert.equal(code, 'unsafe-event');
	assert.match(text, /runs the code of that pull request/);
});

test('a bisect runs code, so it is refused if a stranger may have started a run with a write token', () => {
	for (const [name, payload] of [
		['workflow_run', finished()],
		['issue_comment', payloadOf('issue_comment', 'created')],
	] as const) {
		const { code, text } = refusalOf(name, payload, { mode: 'bisect' });
		assert.equal(code, 'unsafe-event');
		assert.match(text, new RegExp(`mode bisect does not run on ${name}`));
	}
});

test('the jobs of a comparison on several machines request the same as one machine, and nothing with a write token', () => {
	const payload = payloadOf('pull_request', 'opened');
	for (const mode of ['plan', 'shard', 'gather'] as const) {
		const asked = requestFor('pull_request', payload, { mode: 'compare' });
		assert.deepEqual(requestFor('pull_request', payload, { mode }), { kind: mode, asked });
		for (const event of ['workflow_run', 'issue_comment']) {
			const other = event === 'workflow_run' ? finished() : payloadOf('issue_comment', 'created');
			assert.equal(refusalOf(event, other, { mode }).code, 'unsafe-event');
		}
		const gone = { ...payloadOf('merge_group'), action: 'destroyed' };
		assert.equal(requestFor('merge_group', gone, { mode }).kind, 'nothing');
	}
});

test('mode report works on workflow_run only', () => {
	assert.equal(refusalOf('pull_request', payloadOf('pull_request'), { mode: 'report' }).code, 'wrong-mode');
});

function comment(body: string | null, changes: object = {}): Payload {
	const payload = payloadOf('issue_comment', 'created');
	payload.comment.body = body;
	Object.assign(payload.issue, { pull_request: { url: 'https://api.github.com/x' }, state: 'open', ...changes });
	return payload;
}

test('a command is passed on with its author, in every mode that compares', () => {
	const payload = comment('/benchgate ping threshold=3%\nbecause');
	for (const mode of ['auto', 'compare']) {
		assert.deepEqual(requestFor('issue_comment', payload, { mode }), {
			kind: 'command',
			command: { scenarios: ['ping'], threshold: '3%' },
			pullRequestNumber: payload.issue.number,
			commentId: payload.comment.id,
			user: payload.comment.user.login,
		});
	}
});

test('comments without a command on an open pull request are left alone', () => {
	assert.match(reasonOf('issue_comment', comment('nice work')), /no \/benchgate command/);
	assert.match(reasonOf('issue_comment', comment(null)), /no \/benchgate command/);
	assert.match(reasonOf('issue_comment', comment('/benchgate', { pull_request: undefined })), /not on a pull request/);
	assert.match(reasonOf('issue_comment', comment('/benchgate', { state: 'closed' })), /closed/);
	for (const action of ['edited', 'deleted']) {
		assert.match(reasonOf('issue_comment', { ...comment('/benchgate'), action }), /only new comments/);
	}
});

test('an invalid command gets a reply too', () => {
	const request = requestFor('issue_comment', comment('/benchgate threshold=5'), {});
	assert.ok(request.kind === 'command' && 'problem' in request.command);
	assert.match(request.command.problem, /^threshold "5" is not a percentage/);
});

test('other events name the supported ones, and are compared if mode and base are set', () => {
	for (const name of ['release', 'constructor', '__proto__']) {
		const { code, text } = refusalOf(name, {});
		assert.equal(code, 'unsupported-event');
		assert.match(text, /pull_request, merge_group, push, workflow_dispatch, schedule, workflow_run, issue_comment/);
	}
	const request = comparison('release', {}, { mode: 'compare', base: 'v1' });
	assert.deepEqual([request.base, request.head], [{ kind: 'given', revision: 'v1' }, RUNNER_SHA]);
});

test('a mode that needs no event ignores it', () => {
	for (const mode of STANDALONE_MODES) {
		assert.deepEqual(requestFor('push', push({}), { mode }), { kind: mode });
	}
});

test('missing or odd fields of a payload are named', () => {
	const payload = payloadOf('pull_request');
	payload.pull_request.head.sha = '$(id)\u202e\n::set-output';
	const { code, text } = refusalOf('pull_request', payload);
	assert.equal(code, 'bad-event');
	assert.match(text, /^pull_request\.head\.sha is "\$\(id\)\ufffd\\n::set-output", where a commit belongs/);
	delete payload.pull_request;
	assert.match(refusalOf('pull_request', payload).text, /^pull_request\.head\.repo is missing/);
});
