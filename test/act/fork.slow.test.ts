/**
 * The pair for pull requests from forks: one workflow measures without write access, the other writes without running
 * code.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FORMATS } from '../../src/report/formats.ts';
import { unzip } from '../support/act/artifact.ts';
import { FORK, NUMBER, workflowRunEvent } from '../support/act/events.ts';
import { type ActRun, runAct } from '../support/act/run-act.ts';
import type { Scope } from '../support/act/scratch.ts';
import { ownWorkflow, shownWorkflow } from '../support/act/workflows.ts';
import { assertEnded, makeWorld, READ_ONLY, runPullRequest, startGithub } from '../support/act/world.ts';
import type { Double } from '../support/github/types.ts';
import { MEASURED, runReport } from './run-report.ts';

const world = makeWorld();
const report = (t: Scope, double: Double, measured: ActRun, workflow: string) =>
	runReport(t, world, { double, measured, workflow, headSha: world.tiny.heads.spying, headRepository: FORK });
const LABEL = 'benchgate: accepted';
const FILES = Object.values(FORMATS)
	.map(({ file }) => file)
	.filter((file) => file !== FORMATS.explanation.file)
	.sort();
test('a fork: measured and red without writing anything, then commented by the other workflow', async (t) => {
	const double = await startGithub(t, world, 'spying', { fork: true, permissions: READ_ONLY });
	// To let the spy read as much as possible.
	const workflow = shownWorkflow('measure', {
		...{ budget: '3m', warmup: '500ms', isolation: 'none' },
		// Enough for counts only.
		'explain-budget': '30s',
	});
	// The base branch's version.
	double.state.contents['.github/workflows/bench.yml'] = workflow;
	const measured = await runPullRequest(t, world, 'spying', { double, workflow, runId: MEASURED, fork: true });

	await t.test('the gate is what it would be with a token that may write', () => {
		assertEnded(measured, 1, { outcome: 'fail', regressed: '1' });
		assert.match(measured.summary, /regressed/);
		assert.deepEqual(double.state.comments, []);
		assert.deepEqual(double.state.checkRuns, []);
		assert.deepEqual(Object.keys(measured.artifacts).sort(), ['benchgate', 'benchgate-explanation-attempt-1']);
	});

	await t.test('the code under test saw no token', () => {
		const seen = measured.readHome('spied.txt') ?? '';
		const [own = '{}'] = seen.split('\n');
		assert.ok(JSON.parse(own).PATH, 'the spy ran in the build');
		assert.match(seen, /"PORT":/, 'and in the server');
		assert.match(
			seen,
			/\/proc\/\d+\/environ: [\s\S]*GITHUB_REPOSITORY=o\/tiny-framework/,
			'and could read its parents',
		);
		assert.equal(seen.includes(measured.token), false);
		for (const name of Object.keys(JSON.parse(own))) assert.doesNotMatch(name, /^(GITHUB|ACTIONS|INPUT|RUNNER)_/);
	});

	const files = await unzip(measured.artifacts.benchgate ?? Buffer.alloc(0));
	await t.test('no token is in the log, the summary or the artifact', () => {
		assert.deepEqual(Object.keys(files).sort(), FILES);
		for (const text of [measured.text, measured.summary, ...Object.values(files)]) {
			assert.equal(text.includes(measured.token), false);
		}
	});

	const reported = await report(t, double, measured, shownWorkflow('report'));
	await t.test('the reporting run writes the comment and the check on the head', () => {
		assert.equal(reported.exitCode, 0, reported.text);
		const [comment, ...others] = double.state.comments;
		assert.ok(comment && others.length === 0, reported.text);
		assert.equal(comment.issue, NUMBER);
		assert.match(comment.body, /regressed/);
		assert.match(comment.body, /\*\*Why\*\*(?: \(\w+\))?: /);
		assert.match(comment.body, new RegExp(`/actions/runs/${MEASURED}`));
		const [check, ...more] = double.state.checkRuns;
		assert.ok(check && more.length === 0);
		assert.deepEqual([check.headSha, check.conclusion], [world.tiny.heads.spying, 'failure']);
		assert.deepEqual(
			check.annotations.map(({ path, annotation_level: level }) => [path, level]),
			[['benchgate.yml', 'failure']],
		);
	});

	await t.test('once a maintainer accepts it, a second report turns the same comment and check green', async () => {
		const before = double.state.comments.map(({ id }) => id);
		const [pull] = double.state.pulls;
		assert.ok(pull);
		pull.labels = [LABEL];
		double.state.labelsEvents = [{ issue: NUMBER, label: LABEL, actor: 'maintainer' }];
		double.state.collaborators = { maintainer: 'write', stranger: 'read' };
		const again = await report(t, double, measured, ownWorkflow('report'));
		assert.equal(again.exitCode, 0, again.text);
		assert.deepEqual(
			double.state.comments.map(({ id }) => id),
			before,
		);
		assert.match(double.state.comments[0]?.body ?? '', /accepted[\s\S]*maintainer/i);
		assert.deepEqual(
			double.state.checkRuns.map(({ conclusion }) => conclusion),
			['success'],
		);
	});

	await t.test(
		'once a commit is pushed, the comment says that it is not measured yet, before the run has ended',
		async () => {
			const [pull] = double.state.pulls;
			assert.ok(pull);
			pull.headSha = world.tiny.heads.equal;
			const begun = await runAct(t, {
				event: 'workflow_run',
				payload: workflowRunEvent(MEASURED + 2, world.tiny.heads.equal, FORK, null),
				workflow: shownWorkflow('report'),
				repository: { folder: world.tiny.folder, sha: world.tiny.tip },
				double,
				actions: world.actions,
				runId: 4003,
			});
			assert.equal(begun.exitCode, 0, begun.text);
			const [comment, ...others] = double.state.comments;
			assert.ok(comment && others.length === 0);
			const head = world.tiny.heads.equal.slice(0, 10);
			assert.match(comment.body, new RegExp(`state=measuring -->\\n### ⏳ \`${head}\` is waiting to be measured`));
			assert.match(comment.body, /<details>[\s\S]*Report of an earlier commit[\s\S]*accepted/i);
			assert.equal(double.state.checkRuns.length, 1);
		},
	);
});
