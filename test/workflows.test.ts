/** Workflows and action.yml: strict linters, and rules that no linter has. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
	existsSync,
	globSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { ensureTool } from '../scripts/tools.ts';
import { DECIDING } from '../src/action/request/inputs.ts';
import { parseConfig } from '../src/config/file/parse-config.ts';
import { loadCatalogue } from '../src/config/load-catalogue.ts';
import { INPUT_OPTIONS, inputOf } from '../src/config/option-names.ts';
import { resolveConfig } from '../src/config/resolve-config.ts';
import { INITIAL_WORKFLOWS } from '../src/init/initial-workflow.ts';
import { FORMATS } from '../src/report/formats.ts';
import { SELF, shownWorkflow, workflowsIn } from './support/act/workflows.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = join(ROOT, '.github/workflows');
const NAMES = readdirSync(FOLDER).sort();
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');
/** Inputs of the action without meaning in a comparison. */
const OF_BASELINE = ['anchor', 'precision', 'records', 'site', 'good', 'bad'];
/** Inputs of the jobs that measure on several machines. */
const OF_SHARDS = ['shards', 'shard', 'shard-files'];
/**
 * Inputs of the action that the all-in-one job does not take: it is one mode, one Node, one token, and writes nothing.
 */
const NOT_PASSED = [
	...OF_BASELINE,
	...OF_SHARDS,
	'mode',
	'node',
	'github-token',
	'comment',
	'check-run',
	'workflow',
	'comment-keys',
	'dashboard',
];
/** Inputs with which the caller of the reporting workflow decides what it writes. */
const REPORTING = [
	...DECIDING.map(inputOf),
	...[
		'gate',
		'on-inconclusive',
		'comment',
		'comment-key',
		'comment-keys',
		'check-run',
		'artifact-name',
		'accept-label',
		'dashboard',
		'store',
	],
];
/** Inputs of the action without meaning in the publication of another job's result. */
const NOT_REPORTED = [
	...['mode', 'base', 'head', 'prepare-timeout', 'seed', 'node', 'config-from', 'github-token', 'skip-unchanged'],
	...['workflow', 'isolation', 'isolation-required', 'lanes', ...OF_BASELINE, ...OF_SHARDS],
	...['warmup', 'explain', 'explain-budget'],
];
/**
 * Outputs of the action without meaning outside of the measuring job: paths, and the comment that it does not write.
 */
const KEPT: readonly (string | null)[] = [
	'comment-url',
	'records',
	'stored',
	'site',
	...['matrix', 'shards', 'plan'],
	...Object.values(FORMATS).map(({ output }) => output),
];
/** Workflows that others may call. */
const REUSABLE = ['benchmark.yml', 'report.yml', 'command.yml', 'baseline.yml'];

interface Step {
	readonly uses?: string;
	readonly with?: Readonly<Record<string, unknown>>;
}
interface Job {
	readonly 'timeout-minutes'?: unknown;
	readonly permissions?: Readonly<Record<string, string>>;
	/** Absent from a job that calls a workflow. */
	readonly steps?: readonly Step[];
	readonly outputs?: Readonly<Record<string, string>>;
	readonly needs?: string | readonly string[];
	readonly if?: string;
}
interface Declared {
	readonly default?: unknown;
	readonly type?: string;
}
interface Workflow {
	readonly on: Readonly<
		Record<string, { inputs?: Record<string, Declared>; outputs?: Record<string, unknown> } | null>
	>;
	readonly permissions?: unknown;
	readonly jobs: Readonly<Record<string, Job>>;
}

const run = promisify(execFile);
const read = (name: string) => readFileSync(join(FOLDER, name), 'utf8');
const workflow = (name: string) => parse(read(name)) as Workflow;
const action = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8')) as {
	inputs: Record<string, Declared>;
	outputs: Record<string, unknown>;
};

/** Runs a linter in `folder` and returns its exit code and output. */
async function lint(name: 'actionlint' | 'zizmor', args: readonly string[], folder = ROOT) {
	const tool = await ensureTool(name);
	const env = { PATH: process.env.PATH, HOME: tmpdir(), NO_COLOR: '1' };
	return run(tool, [...args], { cwd: folder, env }).then(
		({ stdout }) => ({ code: 0, said: stdout }),
		(error: { code: number; stdout: string; stderr: string }) => ({
			code: error.code,
			said: error.stdout + error.stderr,
		}),
	);
}

const ZIZMOR = ['--offline', '--persona', 'auditor', '--strict-collection', '--no-progress', '--quiet'];

test('actionlint finds nothing', async () => {
	const actionlintReport = await lint('actionlint', ['-no-color']);
	assert.deepEqual(actionlintReport, { code: 0, said: '' });
});

test('zizmor finds nothing, as an auditor', async () => {
	const zizmorReport = await lint('zizmor', [
		...ZIZMOR,
		'--config',
		'.github/zizmor.yml',
		'.github/workflows',
		'action.yml',
		'.github/action/action.yml',
	]);
	assert.equal(zizmorReport.code, 0, zizmorReport.said);
});

test('a tool that cannot be built is an error, never a skipped test', async (t) => {
	const cache = mkdtempSync(join(tmpdir(), 'benchgate-tools-'));
	t.after(() => rmSync(cache, { recursive: true }));
	const env = { PATH: '/nowhere', BENCHGATE_TOOLS: cache };
	await assert.rejects(
		run(process.execPath, ['scripts/tools.ts'], { cwd: ROOT, env }),
		/act v[\d.]+ could not be built: go is not installed/,
	);
	assert.deepEqual(readdirSync(cache), []);
});

/** Makes a repository with these workflows. */
function makeRepository(t: TestContext, workflows: readonly string[]): string {
	const folder = mkdtempSync(join(tmpdir(), 'benchgate-workflows-'));
	t.after(() => rmSync(folder, { recursive: true }));
	mkdirSync(join(folder, '.github/workflows'), { recursive: true });
	mkdirSync(join(folder, '.git'));
	for (const [index, text] of workflows.entries()) writeFileSync(join(folder, `.github/workflows/${index}.yml`), text);
	return folder;
}

test('both linters find planted errors', async (t) => {
	const step = `run: echo "\${{ github.event.pull_request.title }}"`;
	const jobs = `jobs:\n  one:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v7\n      - ${step}\n`;
	const folder = makeRepository(t, [`on: pull_request_target\n${jobs}`]);
	const actionlint = await lint('actionlint', ['-no-color'], folder);
	assert.equal(actionlint.code, 1);
	assert.match(actionlint.said, /potentially untrusted/);
	const zizmor = await lint('zizmor', [...ZIZMOR, '.github/workflows'], folder);
	assert.equal(zizmor.code, 14);
	for (const rule of ['template-injection', 'unpinned-uses', 'dangerous-triggers', 'excessive-permissions']) {
		assert.ok(zizmor.said.includes(rule), rule);
	}
});

/**
 * Examples on pages are short: no comment on every permission, no name for every job. And they are for others to use.
 */
const PAGES_CONFIG = {
	rules: {
		'dangerous-triggers': { disable: true },
		'unpinned-uses': { config: { policies: { 'benchgate/*': 'ref-pin', '*': 'hash-pin' } } },
	},
};

const SHOWN: readonly (readonly [string, readonly string[]])[] = [
	...['README.md', ...globSync('docs/*.md', { cwd: ROOT })].map((page) => [page, workflowsIn(page)] as const),
	['benchgate init', INITIAL_WORKFLOWS.map(({ text }) => text)],
];

for (const [page, shown] of SHOWN) {
	if (shown.length === 0) continue;
	test(`the workflows of ${page} pass both linters`, async (t) => {
		const whole = shown.map((text) => (/^on:/m.test(text) ? text : `on: pull_request\npermissions: {}\n${text}`));
		const folder = makeRepository(t, whole);
		assert.deepEqual(await lint('actionlint', ['-no-color'], folder), { code: 0, said: '' });
		writeFileSync(join(folder, 'zizmor.yml'), JSON.stringify(PAGES_CONFIG));
		const args = ['--offline', '--strict-collection', '--no-progress', '--quiet', '--config', 'zizmor.yml'];
		const zizmor = await lint('zizmor', [...args, '.github/workflows'], folder);
		assert.equal(zizmor.code, 0, zizmor.said);
	});
}

test('the config of our own benchmark is valid', async () => {
	const catalogue = await loadCatalogue(ROOT);
	const [{ with: inputs } = {}] = workflow('bench.yml').jobs.measure?.steps?.filter(({ uses }) => uses === './') ?? [];
	const path = String(inputs?.config);
	const file = parseConfig(readFileSync(join(ROOT, path), 'utf8'), path, catalogue);
	const config = resolveConfig(file, { subjectName: 'express' }, catalogue, () => 1);
	for (const server of config.servers) {
		assert.ok(server.kind === 'custom' && existsSync(join(ROOT, server.cwd, 'server.mjs')), server.name);
	}
});

test('every rule that a linter ignores has a reason beside it', () => {
	for (const name of NAMES) {
		for (const [line] of read(name).matchAll(/.*zizmor: ignore.*/g)) {
			assert.match(line, /# zizmor: ignore\[[a-z-]+\] \S+ \S+/, `${name}: ${line}`);
		}
	}
});

test('benchgate init writes the pair of the README, at most a dozen lines each', () => {
	const meaning = (text: string): unknown => parse(text);
	for (const [name, initial] of [
		['measure', INITIAL_WORKFLOWS[0]],
		['report', INITIAL_WORKFLOWS[1]],
	] as const) {
		const shown = shownWorkflow(name);
		assert.deepEqual(meaning(initial?.text ?? ''), meaning(shown));
		assert.ok(shown.trim().split('\n').length <= 12, shown);
		assert.ok(README.includes(`# ${initial?.file}\n`), initial?.file);
	}
});

test('benchgate init writes the workflow of baselines that the page shows, in at most a dozen lines', () => {
	const shown = shownWorkflow('baseline');
	assert.deepEqual(parse(INITIAL_WORKFLOWS[2]?.text ?? ''), parse(shown));
	assert.ok(shown.trim().split('\n').length <= 12, shown);
});

test('pages pin third parties as our own workflows do', () => {
	const pins = (text: string) => [...text.matchAll(/uses: (actions\/.*)$/gm)].map(([, use]) => use?.split(' ')[0]);
	const ours = new Set(NAMES.flatMap((name) => pins(read(name))));
	for (const [page, shown] of SHOWN) {
		for (const pin of shown.flatMap(pins)) assert.ok(ours.has(pin), `${page}: ${pin}`);
	}
});

test('the workflows in steps report like the reusable pair, for merge groups too', () => {
	const [measure, report] = (['measureSteps', 'reportSteps'] as const).map((name) => parse(shownWorkflow(name)));
	assert.equal(report.jobs.report.if, (workflow('report.yml').jobs.report as unknown as { if: string }).if);
	// A merge group has no pull request: without its own number, one group would cancel another.
	assert.match(measure.concurrency.group, /pull_request\.number \|\| github\.run_id/);
});

test('an older run that gathers late does not cancel a newer one, and every run gathers', () => {
	const { gather } = workflow('benchmark.yml').jobs as unknown as Record<
		string,
		{ readonly if: string; readonly concurrency: Readonly<Record<string, unknown>> }
	>;
	assert.match(String(gather?.concurrency.group), /-\$\{\{ github\.run_id \}\}$/);
	assert.doesNotMatch(String(gather?.concurrency.group), /pull_request/);
	// If a required job is skipped for another reason, it counts as passed.
	assert.equal(gather?.if, "${{ !cancelled() && inputs.shards != '' }}");
});

test('commands on one pull request are read one after the other', () => {
	const { concurrency } = workflow('command.yml').jobs.command as unknown as { concurrency: Record<string, unknown> };
	assert.match(String(concurrency.group), /^command-\$\{\{ github\.event\.issue\.number \}\}$/);
	assert.equal(concurrency['cancel-in-progress'], false);
});

test('third parties are pinned to a full sha, the same one everywhere, with the version beside it', () => {
	const pins = new Map<string, string>();
	for (const name of NAMES) {
		for (const [, party = '', pin = ''] of read(name).matchAll(/uses: ([^.\s][^@\s]*)@(.*)$/gm)) {
			if (party.startsWith('benchgate/')) continue;
			assert.match(pin, /^[0-9a-f]{40} # v\d+\.\d+\.\d+$/, `${name}: ${party}`);
			assert.equal(pin, pins.get(party) ?? pin, `${name}: ${party}`);
			pins.set(party, pin);
		}
	}
	assert.deepEqual([...pins.keys()].sort(), [
		'actions/attest-build-provenance',
		'actions/checkout',
		'actions/download-artifact',
		'actions/setup-node',
	]);
});

for (const name of NAMES) {
	test(`${name}: no default permissions, a time limit for every job, no credentials in the checkout`, () => {
		const { permissions, jobs } = workflow(name);
		// A job that receives the permissions of its caller declares none, nor does its workflow; all others do.
		if (name === 'baseline.yml') {
			assert.equal(permissions, undefined);
			const bareJobs = Object.keys(jobs).filter((id) => jobs[id]?.permissions === undefined);
			assert.deepEqual(bareJobs, ['record']);
		} else assert.deepEqual(permissions, {});
		for (const [id, job] of Object.entries(jobs)) {
			assert.ok(job['timeout-minutes'] || job.steps === undefined, `${id} has no timeout`);
			for (const step of (job.steps ?? []).filter(({ uses }) => uses?.startsWith('actions/checkout@'))) {
				assert.equal(step.with?.['persist-credentials'], false, id);
			}
		}
	});
}

test('jobs that run code of pull requests cannot write, and jobs that write check nothing out', () => {
	for (const [name, id] of [
		['bench.yml', 'measure'],
		['benchmark.yml', 'benchmark'],
	] as const) {
		assert.deepEqual(workflow(name).jobs[id]?.permissions, { contents: 'read', 'pull-requests': 'read' }, name);
	}
	const [report, command] = [workflow('report.yml').jobs.report, workflow('command.yml').jobs.command];
	assert.deepEqual(command?.permissions, { actions: 'write', 'pull-requests': 'write' });
	assert.equal(report?.permissions?.['pull-requests'], 'write');
	for (const job of [report, command])
		assert.deepEqual(
			job?.steps?.map(({ uses }) => uses),
			[SELF],
		);
	assert.equal(report?.steps?.[0]?.with?.mode, 'report');
});

test('only an event of the default branch starts a job that may write', () => {
	assert.deepEqual(Object.keys(workflow('report.yml').on), ['workflow_run', 'workflow_call']);
	assert.deepEqual(Object.keys(workflow('command.yml').on), ['issue_comment', 'workflow_call']);
	for (const name of NAMES) assert.ok(!('pull_request_target' in workflow(name).on), name);
});

test('reusable workflows run the action of their own commit, which is the action at the top', () => {
	for (const name of REUSABLE) {
		const usedActions = Object.values(workflow(name).jobs).flatMap(({ steps = [] }) =>
			steps.map(({ uses }) => uses ?? ''),
		);
		assert.deepEqual(
			usedActions.filter((uses) => !uses.startsWith('actions/')),
			usedActions.filter((uses) => uses === SELF),
			name,
		);
	}
	assert.doesNotMatch(NAMES.map(read).join(), /^ +(?:- )?uses: benchgate\//m);
	const { runs, ...twin } = parse(readFileSync(join(ROOT, '.github/action/action.yml'), 'utf8'));
	const { runs: top, ...same } = action as unknown as { runs: Record<string, string> };
	assert.deepEqual(twin, same);
	for (const entry of ['main', 'post'] as const) {
		assert.equal(join(ROOT, '.github/action', runs[entry]), join(ROOT, top[entry] ?? ''));
	}
});

test('actionlint ignores only features that it does not know yet', async (t) => {
	const folder = makeRepository(t, [read('command.yml')]);
	const { code, said } = await lint('actionlint', ['-no-color'], folder);
	assert.equal(code, 1);
	assert.match(said, /specifying action "\$\/\.github\/action" in invalid format because ref is missing/);
	assert.equal(said.match(/^\S+\.yml:\d+/gm)?.length, 1, said);
});

test('the reporting workflow passes on the inputs its caller may set, with the defaults of the action', () => {
	const { on, jobs } = workflow('report.yml');
	const { inputs = {} } = on.workflow_call ?? {};
	assert.deepEqual(Object.keys(inputs), REPORTING);
	assert.deepEqual([...REPORTING, ...NOT_REPORTED].sort(), Object.keys(action.inputs).sort());
	const reportingInputs = Object.fromEntries(REPORTING.map((name) => [name, `\${{ inputs.${name} }}`]));
	// Without a caller it reports our own runs, whose baselines come as pull requests (baselines.yml).
	const store = "${{ inputs.store || 'pull-request' }}";
	assert.deepEqual(jobs.report?.steps?.[0]?.with, { mode: 'report', ...reportingInputs, store });
	for (const name of REPORTING) {
		assert.equal(String(inputs[name]?.default ?? ''), action.inputs[name]?.default ?? '', `default of ${name}`);
	}
});

test('the measuring workflow passes every input on and every output back, and writes nothing', () => {
	const { on, jobs } = workflow('benchmark.yml');
	const { inputs = {}, outputs = {} } = on.workflow_call ?? {};
	const passed = Object.keys(action.inputs).filter((name) => !NOT_PASSED.includes(name));
	const step = jobs.benchmark?.steps?.at(-1);
	const comparisonInputs = Object.fromEntries(passed.map((name) => [name, `\${{ inputs.${name} }}`]));
	assert.deepEqual(step?.with, { ...comparisonInputs, comment: 'never', 'check-run': false });
	for (const name of passed) {
		const { default: own = '', type } = inputs[name] ?? {};
		assert.ok(type, `${name} is no input`);
		assert.equal(String(own), action.inputs[name]?.default ?? '', `default of ${name}`);
	}
	const returned = Object.keys(action.outputs).filter((name) => !KEPT.includes(name));
	assert.deepEqual(Object.keys(outputs), returned);
	for (const name of returned) {
		assert.equal(jobs.benchmark?.outputs?.[name], `\${{ steps.benchgate.outputs.${name} }}`);
		const value = `\${{ jobs.benchmark.outputs.${name} || jobs.gather.outputs.${name} }}`;
		assert.deepEqual((outputs[name] as { value: string }).value, value);
		assert.equal(jobs.gather?.outputs?.[name], `\${{ steps.benchgate.outputs.${name} }}`);
	}
});

test('with the input shards, one job divides, many measure, one decides; all with read-only tokens', () => {
	const { on, jobs } = workflow('benchmark.yml');
	assert.equal(on.workflow_call?.inputs?.shards?.type, 'string');
	const { benchmark, plan, shard, gather } = jobs;
	assert.deepEqual([benchmark?.if, plan?.if], ["inputs.shards == ''", "inputs.shards != ''"]);
	// The plan covers all that one job would have measured.
	const inputsOf = (job: Job | undefined) => job?.steps?.at(-1)?.with ?? {};
	const { gate: _, store: _s, 'accept-label': _l, 'check-run': _c, ...measured } = inputsOf(benchmark);
	const { mode, shards, ...planned } = inputsOf(plan);
	assert.deepEqual([mode, shards], ['plan', '${' + '{ inputs.shards }}']);
	assert.deepEqual(planned, measured);
	// A matrix must not be empty: without rows to measure no shard starts, and gathering reports it.
	assert.equal(shard?.if, 'needs.plan.outputs.shards > 0');
	assert.deepEqual(gather?.needs, ['plan', 'shard']);
	assert.match(gather?.if ?? '', /!cancelled\(\)/);
	const reads = { contents: 'read', 'pull-requests': 'read' };
	assert.deepEqual([plan?.permissions, shard?.permissions, gather?.permissions], [reads, { contents: 'read' }, reads]);
	for (const job of [plan, shard, gather]) assert.equal(inputsOf(job).comment, 'never');
	assert.ok(
		!gather?.steps?.some(({ uses }) => uses?.startsWith('actions/checkout@')),
		'the deciding job checks nothing out',
	);
	for (const job of [shard, gather]) {
		for (const step of job?.steps?.filter(({ uses }) => uses?.startsWith('actions/download-artifact@')) ?? []) {
			assert.equal(step.with?.path, action.inputs['shard-files']?.default);
		}
	}
});

test('the workflow of baselines passes on the inputs of a baseline, measures with a read-only token, and reports the outcome', () => {
	const { on, jobs } = workflow('baseline.yml');
	const { inputs = {}, outputs = {} } = on.workflow_call ?? {};
	const options = INPUT_OPTIONS.filter(([name, { uses }]) => uses.baseline !== undefined && name !== 'node');
	const passed = [...options.map(([name]) => inputOf(name)), 'skip-unchanged', 'store'];
	const baselineInputs = Object.fromEntries(passed.map((name) => [name, `\${{ inputs.${name} }}`]));
	assert.deepEqual(jobs.measure?.steps?.at(-1)?.with, { mode: 'baseline', ...baselineInputs });
	assert.deepEqual(jobs.measure?.permissions, { contents: 'read' });
	for (const name of passed) {
		assert.equal(String(inputs[name]?.default ?? ''), action.inputs[name]?.default ?? '', `default of ${name}`);
	}
	const { needs, steps = [] } = jobs.record ?? {};
	assert.deepEqual(needs, ['measure', 'bisect']);
	for (const job of ['measure', 'bisect']) {
		assert.deepEqual(
			jobs[job]?.outputs?.records,
			`\${{ steps.benchgate.outputs.records }}`,
			`${job} says what it left`,
		);
	}
	assert.ok(!steps.some(({ uses }) => uses?.startsWith('actions/checkout@')), 'what writes checks nothing out');
	const recording = ['store', 'site'];
	const kept = Object.fromEntries(recording.map((name) => [name, `\${{ inputs.${name} }}`]));
	assert.deepEqual(steps.at(-1)?.with, { mode: 'record', ...kept });
	for (const name of recording) assert.equal(inputs[name]?.default, action.inputs[name]?.default, `default of ${name}`);
	assert.deepEqual(jobs.bisect?.permissions, { contents: 'read' });
	const bisectInputs = jobs.bisect?.steps?.at(-1)?.with ?? {};
	assert.equal(bisectInputs.mode, 'bisect');
	const taken = INPUT_OPTIONS.filter(([, { uses }]) => uses.bisect !== undefined).map(
		([name]) => inputOf(name) as string,
	);
	assert.deepEqual(
		Object.keys(bisectInputs).filter((name) => name !== 'mode' && !taken.includes(name)),
		[],
		'a bisect takes the given inputs',
	);
	for (const name of Object.keys(outputs)) {
		assert.ok(name in action.outputs, name);
		assert.equal(jobs.measure?.outputs?.[name], `\${{ steps.benchgate.outputs.${name} }}`);
	}
});
