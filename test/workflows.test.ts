/** Workflows and action.yml under the linters made for them at their strictest, and what no linter knows. */
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
import { parseConfig } from '../src/config/file/parse-config.ts';
import { loadCatalogue } from '../src/config/load-catalogue.ts';
import { resolveConfig } from '../src/config/resolve-config.ts';
import { INITIAL_WORKFLOW } from '../src/init/initial-workflow.ts';
import { FORMATS } from '../src/report/formats.ts';
import { workflowsIn } from './support/act/workflows.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = join(ROOT, '.github/workflows');
const NAMES = readdirSync(FOLDER).sort();
/** Inputs of the action that a caller of the reusable workflow cannot give: it is one mode, one Node, one token. */
const NOT_PASSED = ['mode', 'node', 'github-token'];
/** Outputs of the action that mean nothing outside of its job: paths. */
const PATHS: readonly (string | null)[] = Object.values(FORMATS).map(({ output }) => output);

interface Step {
	readonly uses?: string;
	readonly with?: Readonly<Record<string, unknown>>;
}
interface Job {
	readonly 'timeout-minutes'?: unknown;
	readonly permissions?: Readonly<Record<string, string>>;
	readonly steps: readonly Step[];
	readonly outputs?: Readonly<Record<string, string>>;
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

/** Runs a linter in `folder` and returns its exit code and what it said. */
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
	const found = await lint('actionlint', ['-no-color']);
	assert.deepEqual(found, { code: 0, said: '' });
});

test('zizmor finds nothing, as an auditor', async () => {
	const found = await lint('zizmor', [...ZIZMOR, '--config', '.github/zizmor.yml', '.github/workflows', 'action.yml']);
	assert.equal(found.code, 0, found.said);
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

test('both linters would find something', async (t) => {
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

/** What the pages show is short: no comment on every permission, no name for every job. And it is for others to use. */
const PAGES_CONFIG = {
	rules: {
		'dangerous-triggers': { disable: true },
		'unpinned-uses': { config: { policies: { 'benchgate/*': 'ref-pin', '*': 'hash-pin' } } },
	},
};

const SHOWN: readonly (readonly [string, readonly string[]])[] = [
	...['README.md', ...globSync('docs/*.md', { cwd: ROOT })].map((page) => [page, workflowsIn(page)] as const),
	['benchgate init', [INITIAL_WORKFLOW]],
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

test('the config of our own benchmark is one', async () => {
	const catalogue = await loadCatalogue(ROOT);
	const [{ with: inputs } = {}] = workflow('bench.yml').jobs.measure?.steps.filter(({ uses }) => uses === './') ?? [];
	const path = String(inputs?.config);
	const file = parseConfig(readFileSync(join(ROOT, path), 'utf8'), path, catalogue);
	const config = resolveConfig(file, { subjectName: 'express' }, catalogue, () => 1);
	for (const server of config.servers) {
		assert.ok(server.kind === 'custom' && existsSync(join(ROOT, server.cwd, 'server.mjs')), server.name);
	}
});

test('what a linter is told to ignore has a reason beside it', () => {
	for (const name of NAMES) {
		for (const [line] of read(name).matchAll(/.*zizmor: ignore.*/g)) {
			assert.match(line, /# zizmor: ignore\[[a-z-]+\] \S+ \S+/, `${name}: ${line}`);
		}
	}
});

test('benchgate init pins third parties as our own workflows do', () => {
	const pins = (text: string) => [...text.matchAll(/uses: (actions\/.*)$/gm)].map(([, use]) => use);
	assert.deepEqual(pins(INITIAL_WORKFLOW), pins(read('benchmark.yml')));
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
		'actions/setup-node',
	]);
});

for (const name of NAMES) {
	test(`${name}: nothing by default, an end to every job, no credentials in the checkout`, () => {
		const { permissions, jobs } = workflow(name);
		if (name !== 'benchmark.yml') assert.deepEqual(permissions, {});
		for (const [id, job] of Object.entries(jobs)) {
			assert.ok(job['timeout-minutes'], `${id} has no timeout`);
			for (const step of job.steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'))) {
				assert.equal(step.with?.['persist-credentials'], false, id);
			}
		}
	});
}

test('the job that runs code of pull requests by itself cannot write, and the one that writes runs none', () => {
	const { measure } = workflow('bench.yml').jobs;
	assert.deepEqual([...new Set(Object.values(measure?.permissions ?? {}))], ['read']);
	const { report } = workflow('report.yml').jobs;
	assert.equal(report?.permissions?.['pull-requests'], 'write');
	assert.deepEqual(report.steps.at(-1)?.with, { mode: 'report' });
	for (const step of report.steps) assert.equal(step.with?.ref, undefined);
});

test('the reusable workflow passes every input on and every output back', () => {
	const { on, jobs } = workflow('benchmark.yml');
	const { inputs = {}, outputs = {} } = on.workflow_call ?? {};
	const passed = Object.keys(action.inputs).filter((name) => !NOT_PASSED.includes(name));
	const step = jobs.benchmark?.steps.at(-1);
	assert.deepEqual(step?.with, Object.fromEntries(passed.map((name) => [name, `\${{ inputs.${name} }}`])));
	for (const name of passed) {
		const { default: own = '', type } = inputs[name] ?? {};
		assert.ok(type, `${name} is no input`);
		assert.equal(String(own), action.inputs[name]?.default ?? '', `default of ${name}`);
	}
	const returned = Object.keys(action.outputs).filter((name) => !PATHS.includes(name));
	assert.deepEqual(Object.keys(outputs), returned);
	for (const name of returned) {
		assert.equal(jobs.benchmark?.outputs?.[name], `\${{ steps.benchgate.outputs.${name} }}`);
		assert.deepEqual((outputs[name] as { value: string }).value, `\${{ jobs.benchmark.outputs.${name} }}`);
	}
});
