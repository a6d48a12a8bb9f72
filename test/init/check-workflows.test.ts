import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse } from 'yaml';
import { INITIAL_WORKFLOWS } from '../../src/init/initial-workflow.ts';
import { REQUIRED_RIGHTS } from '../../src/init/workflows/check-call.ts';
import type { Wanted } from '../../src/init/workflows/check-job.ts';
import { checkWorkflows } from '../../src/init/workflows/check-workflows.ts';

const INITIAL = INITIAL_WORKFLOWS.map(({ file, text }) => ({ file, text }));
const [MEASURE, REPORT, BASELINE] = ['', '-report', '-baseline'].map(
	(name) => `.github/workflows/benchgate${name}.yml`,
) as [string, string, string];

/** The files of init, with one file changed. */
function changed(file: string, from: string | RegExp, to: string) {
	return INITIAL.map((one) => {
		if (one.file !== file) return one;
		const text = one.text.replace(from, to);
		assert.notEqual(text, one.text);
		return { file, text };
	});
}

const WANTED: Wanted = { budgetSeconds: 600, service: null };

const check = (workflows: readonly { file: string; text: string }[], wanted = WANTED) =>
	checkWorkflows({ workflows, read: async () => null, isLinked: async () => false }, wanted);

test('the workflows of init have no problem', async () => {
	const files = INITIAL.map(({ file }) => file).join(', ');
	assert.deepEqual(
		(await check(INITIAL)).map(({ kind, text }) => [kind, text]),
		[['ok', files]],
	);
});

/** Rights required by the job without its own: it has those that the caller grants, `issues: write` or not. */
const OF_CALLER: Readonly<Record<string, Readonly<Record<string, string>>>> = {
	'baseline.yml': { contents: 'write', 'pull-requests': 'write' },
};

test('the rights that a caller has to grant are those that the jobs of the workflow request', () => {
	for (const [file, rights] of Object.entries(REQUIRED_RIGHTS)) {
		const text = readFileSync(new URL(`../../.github/workflows/${file}`, import.meta.url), 'utf8');
		const { jobs } = parse(text) as { jobs: Record<string, { permissions?: Record<string, string> }> };
		const requests: Record<string, string> = {};
		for (const { permissions = OF_CALLER[file] ?? {} } of Object.values(jobs)) {
			for (const [scope, right] of Object.entries(permissions)) {
				if (requests[scope] !== 'write') requests[scope] = right;
			}
		}
		assert.deepEqual(rights, requests, file);
	}
});

const ONE_JOB = `name: bench
on: pull_request
permissions: {}
jobs:
  bench:
    runs-on: ubuntu-latest
    permissions: { contents: read, pull-requests: write, checks: write }
    steps:
      - uses: actions/checkout@v7
        with: { fetch-depth: 0 }
      - uses: benchgate/benchgate@v0
`;
const COMMAND = `on: { issue_comment: { types: [created] } }
jobs:
  command:
    permissions: { actions: write, pull-requests: write }
    uses: benchgate/benchgate/.github/workflows/command.yml@v0
    with: { workflow: bench.yml }
`;
const one = (text: string) => [{ file: '.github/workflows/bench.yml', text }];

/** A change, and kind and text of its single finding. */
const CASES: (readonly [string, readonly { file: string; text: string }[], string, RegExp])[] = [
	['no workflow', [], 'note', /^no workflow uses benchgate/],
	['another one', one('on: push\njobs: {}\n'), 'note', /^no workflow uses benchgate/],
	[
		'a file that is no YAML',
		changed(MEASURE, 'on: pull_request', 'on: [pull_request'),
		'problem',
		/benchgate\.yml:\d+/,
	],
	[
		'a right that is missing',
		changed(MEASURE, ', pull-requests: read', ''),
		'problem',
		/lacks the permission pull-requests: read: GitHub does not start benchmark\.yml$/,
	],
	[
		'rights that no job names',
		changed(MEASURE, /permissions: \{\}\n|\n {4}permissions: .*(?=\n)/g, ''),
		'note',
		/leaves its permissions to the settings/,
	],
	[
		'a right to read alone',
		changed(REPORT, 'checks: write', 'checks: read'),
		'problem',
		/lacks the permission checks: write/,
	],
	['no version', changed(MEASURE, 'benchmark.yml@v0', 'benchmark.yml'), 'problem', /names no version of benchgate$/],
	[
		'a shortened commit',
		changed(BASELINE, '@v0', '@3d3c42e'),
		'problem',
		/uses benchgate@3d3c42e, a shortened commit, which GitHub refuses$/,
	],
	[
		'another version in the report',
		changed(REPORT, '@v0', '@v2'),
		'problem',
		/measures with benchgate@v0, and .* with benchgate@v2$/,
	],
	[
		'another artifact in the report',
		changed(REPORT, /@v0$/m, '@v0\n    with: { artifact-name: perf }'),
		'problem',
		/leaves the artifact benchgate, and .* reads perf$/,
	],
	[
		'a name nobody waits for',
		changed(MEASURE, 'name: benchgate', 'name: performance'),
		'problem',
		/waits for benchgate, which measures nothing$/,
	],
	[
		'a report that does not wait for the end',
		changed(REPORT, 'completed', 'requested'),
		'problem',
		/does not wait for the end of the run$/,
	],
	[
		'a branch of benchgate',
		INITIAL.map(({ file, text }) => ({ file, text: text.replace('@v0', '@main') })).slice(2),
		'note',
		/runs the latest commit of the branch main/,
	],
	['no report', INITIAL.slice(0, 1), 'note', /measures, and no workflow reports/],
	['one workflow that is fine', one(ONE_JOB), 'ok', /^\.github\/workflows\/bench\.yml$/],
	['one workflow without history', one(ONE_JOB.replace(/ {8}with: .*\n/, '')), 'note', /without fetch-depth: 0/],
	[
		'one workflow without a checkout',
		one(ONE_JOB.replace(/ {6}- uses: actions.*\n {8}with.*\n/, '')),
		'problem',
		/has no checkout before benchgate$/,
	],
	[
		'another action without a version',
		one(ONE_JOB.replace('- uses: benchgate', '- uses: actions/setup-node\n      - uses: benchgate')),
		'problem',
		/uses actions\/setup-node without a version$/,
	],
	[
		'another action of a shortened commit',
		one(ONE_JOB.replace('- uses: benchgate', '- uses: actions/setup-node@8207627\n      - uses: benchgate')),
		'problem',
		/uses actions\/setup-node@8207627, a shortened commit/,
	],
	[
		'one workflow that cannot write',
		one(ONE_JOB.replace(', checks: write', '')),
		'note',
		/may not write checks, so there is no comment or check$/,
	],
	[
		'a token for strangers',
		one(ONE_JOB.replace('on: pull_request', 'on: pull_request_target')),
		'problem',
		/pull_request_target, which benchgate refuses/,
	],
	[
		'commands that start nothing',
		[...one(ONE_JOB), { file: '.github/workflows/c.yml', text: COMMAND.replace('bench.yml', 'perf.yml') }],
		'problem',
		/starts perf\.yml again, and no such workflow measures here$/,
	],
	[
		'commands that start it',
		[...one(ONE_JOB), { file: '.github/workflows/c.yml', text: COMMAND }],
		'ok',
		/bench\.yml, .*c\.yml$/,
	],
];

const MEASURE_STEPS = ONE_JOB.replace('name: bench\n', 'name: benchgate\n').replace(/ {4}permissions: .*\n/, '');
const withStep = (step: string) => [
	...one(MEASURE_STEPS.replace('- uses: benchgate', `${step}\n      - uses: benchgate`)),
	...INITIAL.slice(1),
];
CASES.push(
	['steps that execute nothing', withStep('- run: docker pull postgres:16'), 'ok', /bench\.yml/],
	[
		'steps that may execute anything',
		withStep('- run: make db'),
		'note',
		/may execute any file of a pull request outside of isolation \(run: make db\).* neutral check at best$/,
	],
	[
		'steps that install',
		withStep('- run: npm ci --ignore-scripts'),
		'note',
		/changes manifests and lockfiles gets a neutral check at best$/,
	],
);

for (const [label, workflows, kind, text] of CASES) {
	test(`workflows: ${label}`, async () => {
		const findings = await check(workflows);
		assert.equal(findings.length, 1, JSON.stringify(findings));
		assert.equal(findings[0]?.kind, kind, findings[0]?.text);
		assert.match(findings[0]?.text ?? '', text);
		assert.equal(findings[0]?.remedy === undefined, kind === 'ok');
		if (kind === 'problem') assert.equal(findings[0]?.exitCode, 2);
	});
}

test('workflows of any shape are read without harm', async () => {
	for (const text of [
		'',
		'[]',
		'jobs: 1',
		'jobs: { a: null }',
		'jobs: { a: { steps: 3 } }',
		'on: 5\njobs: { a: { uses: [] } }',
	]) {
		await check(one(`# uses: benchgate/benchgate@v0\n${text}`));
	}
});
