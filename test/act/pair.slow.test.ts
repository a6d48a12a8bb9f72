/** The pair of workflows for pull requests of the same repository, measured with a token that sees little. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { baselinePath, renderBaseline } from '../../src/formats/baseline/baseline-file.ts';
import { zipOf } from '../action/receive/artifact-archives.ts';
import { configOf, STEADY } from '../action/receive/raw-cases.ts';
import { startGitServer } from '../store/git-server.ts';
import { unzip } from '../support/act/artifact.ts';
import { NUMBER, pullRequestEvent, REPOSITORY } from '../support/act/events.ts';
import { NPM } from '../support/act/npm-environment.ts';
import { runAct } from '../support/act/run-act.ts';
import { commitFiles, runGit } from '../support/act/tiny-framework.ts';
import { shownWorkflow } from '../support/act/workflows.ts';
import { assertEnded, makeWorld, runPullRequest, startGithub } from '../support/act/world.ts';
import { written } from '../support/act/written.ts';
import type { DoubleState } from '../support/github/types.ts';
import { changing, PACKAGE, recordOf } from '../support/impact-cases.ts';
import { MEASURED, runReport } from './run-report.ts';

const world = makeWorld();
const { tiny } = world;
const LABEL = 'benchgate: accepted';
/** Permissions of the documented measuring job, in a private repository. */
const PRIVATE: DoubleState['permissions'] = {
	...{ contents: 'read', 'pull-requests': 'read' },
	...{ issues: 'none', checks: 'none', actions: 'none', statuses: 'none' },
};

test('in a private repository the label counts in the report alone, and each job says so', async (t) => {
	const double = await startGithub(t, world, 'broken', { permissions: PRIVATE });
	const [pull] = double.state.pulls;
	assert.ok(pull);
	const workflow = shownWorkflow('measure');
	double.state.contents['.github/workflows/bench.yml'] = workflow;
	const run = () => runPullRequest(t, world, 'broken', { double, workflow, runId: MEASURED });
	const reported = {
		double,
		workflow: shownWorkflow('report'),
		headSha: tiny.heads.broken,
		headRepository: REPOSITORY,
		env: { GITHUB_WORKFLOW_REF: `${REPOSITORY}/.github/workflows/comments.yml@refs/heads/main` },
	};

	const red = await run();
	assertEnded(red, 1, { outcome: 'error', invalid: '1' });
	assert.equal((await runReport(t, world, { ...reported, measured: red })).exitCode, 0);
	const { comment, check, annotations } = written(double);
	assert.equal(check, 'failure');
	assert.match(comment, /then run `comments\.yml` again/, 'the report is enough');
	assert.equal(annotations.length, 1, 'one fault');

	pull.labels = [LABEL];
	double.state.labelsEvents = [{ issue: NUMBER, label: LABEL, actor: 'maintainer' }];
	double.state.collaborators = { maintainer: 'write' };
	double.state.permissions = PRIVATE;
	const measured = await run();
	assertEnded(measured, 1, { outcome: 'error', invalid: '1' });
	assert.match(measured.text, /The label was not read here[^\n]*The reporting workflow reads it, and its check counts/);
	assert.doesNotMatch(measured.text, /actions: read/);
	assert.equal((await runReport(t, world, { ...reported, measured })).exitCode, 0);
	assert.equal(written(double).check, 'neutral', 'accepted, and nothing was measured');
	assert.match(written(double).comment, /accepted[\s\S]*maintainer/i);
});

test('rows that a change does not affect: the report derives a true claim again, and a forged one is red', async (t) => {
	const folder = mkdtempSync(join(tmpdir(), 'benchgate-pair-'));
	t.after(() => rmSync(folder, { recursive: true }));
	const config = 'servers: [express]\nscenarios: [ping, json-nested]\nseed: 1\n';
	runGit(folder, 'init', '--quiet', '--initial-branch=main');
	const base = commitFiles(folder, 'Begin', { 'benchgate.yml': config, ...PACKAGE });
	const unused = commitFiles(folder, 'Send files differently', changing('sendFile'));
	runGit(folder, 'checkout', '--quiet', '-b', 'used', base);
	const used = commitFiles(folder, 'Send differently', changing('send'));

	const environment = { ...STEADY.context.environment, node: process.versions.node, cpus: cpus().length };
	const record = recordOf(configOf(config), { sha: base, environment }, () => ['send']);
	const server = await startGitServer(t);
	server.commit('benchgate', { [`baselines/${baselinePath(record)}`]: renderBaseline(record) }, { orphan: true });
	const home = {
		'.gitconfig': `[url "${server.remote.url}"]\n\tinsteadOf = https://github.com/${REPOSITORY}.git\n`,
	};
	const workflow = shownWorkflow('measure');
	const double = await startGithub(t, world, 'equal', { permissions: PRIVATE });
	const [pull] = double.state.pulls;
	assert.ok(pull);
	Object.assign(pull, { headSha: unused, baseSha: base });
	Object.assign(double.state, {
		refs: { 'heads/main': base, 'heads/benchgate': server.git('rev-parse', 'benchgate') },
		contents: { 'benchgate.yml': config, '.github/workflows/bench.yml': workflow, ...PACKAGE },
		contentsAt: { [unused]: changing('sendFile'), [used]: changing('send') },
		compare: { [`${base}...${unused}`]: base, [`${base}...${used}`]: base },
	});
	const measured = await runAct(t, {
		event: 'pull_request',
		payload: pullRequestEvent(base, unused),
		workflow,
		repository: { folder, sha: unused },
		...{ double, home, env: NPM, actions: world.actions, runId: MEASURED },
	});
	assertEnded(measured, 0, { outcome: 'pass' });
	assert.doesNotMatch(measured.text, /Round 1/);
	const reported = { double, home, workflow: shownWorkflow('report'), headRepository: REPOSITORY };

	await t.test('true: green, without a round on either machine', async () => {
		const run = await runReport(t, world, { ...reported, measured, headSha: unused });
		assert.equal(run.exitCode, 0, run.text);
		const { comment, check, headSha } = written(double);
		assert.deepEqual([check, headSha], ['success', unused], comment);
		assert.match(
			comment,
			/No scenario runs changed code, so nothing was measured\. Changed but not exercised .*sendFile/,
		);
	});

	await t.test('forged, for a commit that changes what every row runs: red', async () => {
		pull.headSha = used;
		double.state.checkRuns = [];
		const files = Object.entries(await unzip(measured.artifacts.benchgate ?? Buffer.alloc(0)));
		const forged = Object.fromEntries(files.map(([name, text]) => [name, text.replaceAll(unused, used)]));
		const artifacts = { benchgate: await zipOf(forged) };
		const run = await runReport(t, world, { ...reported, measured: { artifacts, exitCode: 0 }, headSha: used });
		assert.equal(run.exitCode, 0, run.text);
		const { comment, check, headSha } = written(double);
		assert.deepEqual([check, headSha], ['failure', used], comment);
		assert.match(comment, /skipped it as unaffected/);
	});
});
