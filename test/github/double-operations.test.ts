import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient, type GitHub } from '../../src/github/github-client.ts';
import { OPERATIONS } from '../support/github/description/description.ts';
import { startDouble } from '../support/github/double.ts';
import { ANNOTATION, BASE, HEAD, OTHER } from '../support/github/examples.ts';
import { ROUTES } from '../support/github/routes.ts';
import { examplePull } from '../support/github/state.ts';
import type { DoubleState } from '../support/github/types.ts';

const REPOSITORY = { owner: 'o', repo: 'r' };
const ISSUE = { ...REPOSITORY, issue_number: 1 };
const RUN = { id: 5, headSha: HEAD, headBranch: 'topic', headRepository: 'fork/r', event: 'pull_request' };
const STATE: Partial<DoubleState> = {
	pulls: [
		examplePull({ labels: ['slow ok'], files: ['a.js'], body: 'text', headRepository: 'fork/r' }),
		examplePull({ number: 2, headRepository: null }),
	],
	issues: [3],
	labelsEvents: [
		{ issue: 1, label: 'slow ok', actor: 'writer' },
		{ issue: 1, label: 'slow ok', actor: null, event: 'unlabeled' },
	],
	collaborators: { Writer: 'maintain' },
	compare: { [`${BASE}...${HEAD}`]: OTHER },
	releases: [
		{ tag: 'v2-rc', sha: HEAD, prerelease: true },
		{ tag: 'v1', sha: OTHER },
	],
	refs: { 'heads/main': BASE },
	links: { 'linked.yml': 'folder/benchgate.yml' },
	contents: { 'folder/benchgate.yml': 'servers: [express]\n' },
	runs: [{ ...RUN, jobs: [{ id: 6, name: 'bench' }] }],
	artifacts: [{ id: 9, name: 'benchgate', runId: 5, zip: Buffer.from('PK') }],
};

/** By area: calls of the real client, each with its expected response. */
const AREAS: Record<string, (rest: GitHub['rest']) => Promise<void>> = {
	async comments({ issues, reactions }) {
		const { data } = await issues.createComment({ ...ISSUE, body: 'hello' });
		assert.deepEqual([data.user?.login, data.user?.type], ['github-actions[bot]', 'Bot']);
		assert.equal(data.performed_via_github_app?.slug, 'github-actions');
		const comment = { ...REPOSITORY, comment_id: data.id };
		assert.equal((await issues.listComments(ISSUE)).data.length, 1);
		assert.equal((await issues.updateComment({ ...comment, body: 'edited' })).data.body, 'edited');
		assert.equal((await issues.getComment(comment)).data.body, 'edited');
		assert.equal((await reactions.createForIssueComment({ ...comment, content: 'eyes' })).status, 201);
		assert.equal((await reactions.createForIssueComment({ ...comment, content: 'eyes' })).status, 200);
		assert.equal((await issues.deleteComment(comment)).status, 204);
		assert.equal((await issues.listComments(ISSUE)).data.length, 0);
	},
	async issues({ issues }) {
		assert.ok((await issues.get(ISSUE)).data.pull_request);
		assert.ok(!(await issues.get({ ...ISSUE, issue_number: 3 })).data.pull_request);
		assert.equal((await issues.listLabelsOnIssue(ISSUE)).data[0]?.name, 'slow ok');
		const { data } = await issues.listEvents(ISSUE);
		const entries = data.map(({ event, actor }) => [event, actor?.login]);
		assert.deepEqual(entries, [
			['labeled', 'writer'],
			['unlabeled', 'ghost'],
		]);
		assert.equal((await issues.listEventsForTimeline(ISSUE)).data.length, 2);
		const { data: made } = await issues.create({ ...REPOSITORY, title: 'slower', body: 'since yesterday' });
		assert.deepEqual([made.number, made.state, made.performed_via_github_app?.slug], [4, 'open', 'github-actions']);
		const issue = { ...REPOSITORY, issue_number: made.number };
		assert.equal((await issues.createComment({ ...issue, body: 'hello' })).status, 201);
		const closed = await issues.update({ ...issue, state: 'closed', state_reason: 'not_planned' });
		assert.deepEqual([closed.data.state, closed.data.body], ['closed', 'since yesterday']);
		const { data: again } = await issues.get(issue);
		assert.deepEqual([again.state_reason, again.closed_by?.login], ['not_planned', 'github-actions[bot]']);
		const list = async (state: 'open' | 'all') =>
			(await issues.listForRepo({ ...REPOSITORY, state })).data.map(({ number, pull_request: pull }) => [
				number,
				!pull,
			]);
		assert.deepEqual(await list('open'), [
			[2, false],
			[1, false],
		]);
		assert.deepEqual((await list('all'))[0], [4, true]);
	},
	async pulls({ pulls, repos }) {
		const pull = { ...REPOSITORY, pull_number: 1 };
		assert.equal((await pulls.get(pull)).data.head.repo?.full_name, 'fork/r');
		assert.equal((await pulls.get({ ...pull, pull_number: 2 })).data.head.repo, null);
		const { data } = await pulls.list({ ...REPOSITORY, head: 'fork:topic', state: 'open' });
		assert.deepEqual(
			data.map(({ number }) => number),
			[1],
		);
		assert.equal((await pulls.listFiles(pull)).data[0]?.filename, 'a.js');
		const ofCommit = { ...REPOSITORY, commit_sha: HEAD };
		assert.equal((await repos.listPullRequestsAssociatedWithCommit(ofCommit)).data.length, 2);
	},
	async repository({ repos, git }) {
		assert.equal((await repos.get(REPOSITORY)).data.default_branch, 'main');
		const role = await repos.getCollaboratorPermissionLevel({ ...REPOSITORY, username: 'writer' });
		assert.deepEqual([role.data.permission, role.data.role_name], ['write', 'maintain']);
		const basehead = `${BASE}...${HEAD}`;
		const compared = await repos.compareCommitsWithBasehead({ ...REPOSITORY, basehead, per_page: 1 });
		assert.equal(compared.data.merge_base_commit.sha, OTHER);
		assert.equal((await repos.getCommit({ ...REPOSITORY, ref: 'heads/main' })).data.sha, BASE);
		assert.equal((await repos.getLatestRelease(REPOSITORY)).data.tag_name, 'v1');
		const tags = await repos.listTags(REPOSITORY);
		assert.deepEqual(
			tags.data.map(({ name }) => name),
			['v2-rc', 'v1'],
		);
		assert.equal((await git.getRef({ ...REPOSITORY, ref: 'tags/v1' })).data.object.sha, OTHER);
		const { data: top } = await git.getTree({ ...REPOSITORY, tree_sha: BASE });
		assert.deepEqual(
			top.tree.map(({ path, mode }) => [path, mode]),
			[
				['folder', '040000'],
				['linked.yml', '120000'],
			],
		);
		const { data: below } = await git.getTree({ ...REPOSITORY, tree_sha: top.tree[0]?.sha ?? '' });
		assert.deepEqual(
			below.tree.map(({ path, mode }) => [path, mode]),
			[['benchgate.yml', '100644']],
		);
		const linked = await repos.getContent({ ...REPOSITORY, path: 'linked.yml' });
		assert.ok('content' in linked.data, 'the content of the target');
		const content = await repos.getContent({ ...REPOSITORY, path: 'folder/benchgate.yml' });
		assert.ok('content' in content.data);
		assert.equal(Buffer.from(content.data.content, 'base64').toString(), 'servers: [express]\n');
		assert.equal((await repos.createCommitStatus({ ...REPOSITORY, sha: HEAD, state: 'success' })).status, 201);
	},
	async checks({ checks }) {
		const fields = { ...REPOSITORY, name: 'benchgate', head_sha: HEAD, status: 'in_progress' } as const;
		const { data } = await checks.create(fields);
		const check = { ...REPOSITORY, check_run_id: data.id };
		const output = { title: 'title', summary: 'summary', annotations: [ANNOTATION] };
		await checks.update({ ...check, output });
		const done = await checks.update({ ...check, conclusion: 'failure', output });
		assert.deepEqual([done.data.status, done.data.output.annotations_count], ['completed', 2]);
		assert.equal((await checks.get(check)).data.conclusion, 'failure');
		const listed = await checks.listForRef({ ...REPOSITORY, ref: HEAD, check_name: 'benchgate' });
		assert.equal(listed.data.total_count, 1);
		assert.equal((await checks.listAnnotations(check)).data.length, 2);
	},
	async actions({ actions }) {
		const run = { ...REPOSITORY, run_id: 5 };
		assert.equal((await actions.getWorkflowRun(run)).data.head_repository.full_name, 'fork/r');
		assert.equal((await actions.listJobsForWorkflowRun(run)).data.total_count, 1);
		const runs = await actions.listWorkflowRunsForRepo({ ...REPOSITORY, head_sha: HEAD, event: 'pull_request' });
		assert.deepEqual([runs.data.total_count, runs.data.workflow_runs[0]?.head_branch], [1, 'topic']);
		const listed = { ...REPOSITORY, workflow_id: 'bench.yml', event: 'pull_request', head_sha: HEAD };
		assert.equal((await actions.listWorkflowRuns(listed)).data.workflow_runs[0]?.id, 5);
		await assert.rejects(actions.listWorkflowRuns({ ...listed, workflow_id: 'other.yml' }), { status: 404 });
		assert.equal((await actions.reRunWorkflow(run)).status, 201);
		assert.equal((await actions.getWorkflowRun(run)).data.run_attempt, 2);
		await assert.rejects(actions.reRunWorkflow(run), { status: 403 });
		const { data } = await actions.listWorkflowRunArtifacts({ ...run, name: 'benchgate' });
		assert.equal(data.artifacts[0]?.id, 9);
		const artifact = { ...REPOSITORY, artifact_id: 9 };
		assert.equal((await actions.getArtifact(artifact)).data.size_in_bytes, 2);
		const { data: zip } = await actions.downloadArtifact({ ...artifact, archive_format: 'zip' });
		assert.equal(Buffer.from(zip as ArrayBuffer).toString(), 'PK');
	},
	async users({ users, apps, rateLimit }) {
		await assert.rejects(users.getAuthenticated(), { status: 403 });
		await assert.rejects(apps.getAuthenticated(), { status: 401 });
		assert.equal((await rateLimit.get()).data.rate.limit, 1000);
	},
};

test('every described operation has a handler, and every handler an operation', () => {
	assert.deepEqual(Object.keys(ROUTES).sort(), OPERATIONS.map(({ id }) => id).sort());
});

test('every operation responds to the real client as GitHub documents it', async () => {
	const double = await startDouble(STATE);
	const { rest } = createClient({ token: 'token', apiUrl: double.url, warn() {} });
	for (const call of Object.values(AREAS)) await call(rest);
	const called = new Set(double.calls.flatMap(({ operationId }) => operationId ?? []));
	assert.deepEqual([...called].sort(), Object.keys(ROUTES).sort());
	// Throws if a response was not as documented.
	await double.close();
});
