/**
 * The jobs of a comparison on one machine or several, on a real repository and a double of GitHub, with synthetic
 * rounds.
 */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, beforeEach, type TestContext, test } from 'node:test';
import type { ActionSession } from '../../../src/action/action-session.ts';
import { REMEMBERED, type RememberedName } from '../../../src/action/action-session.ts';
import { runCompareMode } from '../../../src/action/modes/compare-mode.ts';
import { runGatherMode } from '../../../src/action/modes/gather-mode.ts';
import type { ModeOutcome } from '../../../src/action/modes/mode-outcome.ts';
import { runPlanMode } from '../../../src/action/modes/plan-mode.ts';
import { runShardMode } from '../../../src/action/modes/shard-mode.ts';
import { parseInputs } from '../../../src/action/request/inputs.ts';
import { readRequest } from '../../../src/action/request/request.ts';
import { concludeCutOff } from '../../../src/action/run-post.ts';
import { baselinePath, renderBaseline } from '../../../src/formats/baseline/baseline-file.ts';
import { parsePlan, renderPlan, sealPlan } from '../../../src/formats/plan-file.ts';
import { readPublication } from '../../../src/formats/publication/publication-file.ts';
import { parseRaw, renderRaw } from '../../../src/formats/raw/raw-file.ts';
import { createClient } from '../../../src/github/github-client.ts';
import { Interrupted } from '../../../src/process/interrupt.ts';
import { startJanitor } from '../../../src/process/janitor.ts';
import { shardName } from '../../../src/report/shard-words.ts';
import type { ActionMode } from '../../../src/types/action-run.ts';
import type { ShardPlan } from '../../../src/types/shards.ts';
import { runOf } from '../../github/support.ts';
import { unzip } from '../../support/act/artifact.ts';
import { NUMBER, pullRequestEvent, REPOSITORY } from '../../support/act/events.ts';
import { runGit } from '../../support/act/tiny-framework.ts';
import { startDouble } from '../../support/github/double.ts';
import type { Double } from '../../support/github/types.ts';
import { changing, type Files, PACKAGE, recordOf } from '../../support/impact-cases.ts';
import { type ShardChanges, shardRawOf } from '../../support/shards.ts';
import { configOf, STEADY } from '../receive/raw-cases.ts';
import { serveStore } from '../receive/with-store.ts';
import { runnerOf } from '../request/example-events.ts';

const SCENARIOS = ['home', 'search', 'checkout'];
/** Two servers; each reads only one folder. */
const READING = ['app', 'web']
	.map((name) => `{ name: ${name}, command: node server.mjs, cwd: ${name}, reads: [${name}] }`)
	.join(', ');
const CONFIG = configText('{ name: app, command: node server.mjs }');

function configText(servers: string): string {
	return [
		`servers: [${servers}]`,
		'scenarios:',
		...SCENARIOS.map((name) => `  - { name: ${name}, request: { path: /${name} }, expect: { status: 200 } }`),
		'gate: { on-inconclusive: neutral }',
		'',
	].join('\n');
}

const ROOT = mkdtempSync(join(tmpdir(), 'benchgate-modes-'));
const [REPO, TEMP, ARTIFACTS] = ['repository', 'temp', 'artifacts'].map((name) => join(ROOT, name)) as [
	string,
	string,
	string,
];
const { BENCHGATE_ARTIFACT_DIR, BENCHGATE_CACHE } = process.env;
Object.assign(process.env, { BENCHGATE_ARTIFACT_DIR: ARTIFACTS, BENCHGATE_CACHE: join(ROOT, 'cache') });
after(() => {
	rmSync(ROOT, { recursive: true });
	for (const [name, value] of Object.entries({ BENCHGATE_ARTIFACT_DIR, BENCHGATE_CACHE })) {
		if (value === undefined) delete process.env[name];
		else process.env[name] = value;
	}
});

mkdirSync(REPO);
runGit(REPO, 'init', '--quiet', '--initial-branch=main');
const BASE = commit({ 'benchgate.yml': CONFIG, 'server.mjs': '// base\n', 'README.md': 'One\n' });
runGit(REPO, 'checkout', '--quiet', '-b', 'topic');
const HEAD = commit({ 'server.mjs': '// head\n' });
runGit(REPO, 'checkout', '--quiet', '-b', 'spaces', BASE);
const SPACES = commit({
	'benchgate.yml': configText(READING),
	'app/server.mjs': '// base\n',
	'web/server.mjs': '// base\n',
});
const ONE_SPACE = commit({ 'app/server.mjs': '// head\n' });
runGit(REPO, 'checkout', '--quiet', '-b', 'beside', SPACES);
const BESIDE = commit({ 'other/server.mjs': '// head\n' });
runGit(REPO, 'checkout', '--quiet', '-b', 'words', BASE);
const WORDS = commit({ 'README.md': 'Two\n' });

function commit(files: Readonly<Record<string, string>>): string {
	for (const [name, text] of Object.entries(files)) {
		mkdirSync(dirname(join(REPO, name)), { recursive: true });
		writeFileSync(join(REPO, name), text);
	}
	runGit(REPO, 'add', '--all');
	runGit(REPO, 'commit', '--quiet', '--message', 'Change');
	return runGit(REPO, 'rev-parse', 'HEAD');
}

beforeEach(() => {
	for (const folder of [ARTIFACTS, TEMP, join(REPO, 'benchgate-shards')])
		rmSync(folder, { recursive: true, force: true });
	mkdirSync(TEMP);
});

interface Job {
	readonly mode: ActionMode;
	readonly head?: string;
	readonly base?: string;
	readonly attempt?: number;
	readonly inputs?: Readonly<Record<string, string>>;
	readonly remembered?: Map<string, string>;
	/** Aborts as the runner's signal does; never when absent. */
	readonly signal?: AbortSignal;
	/** The job is killed once it has saved this for the post step. */
	readonly killedAfter?: RememberedName;
}

/** Ends a step like SIGKILL. */
const KILLED = new Error('killed');

const JOBS = { compare: runCompareMode, plan: runPlanMode, shard: runShardMode, gather: runGatherMode };

/** Runs one job for the pull request and returns its outcome. */
async function runJob(
	t: TestContext,
	double: Double,
	job: Job,
): Promise<ModeOutcome & Pick<ActionSession, 'warnings'>> {
	const { mode, head = HEAD, base = BASE, attempt = 1, remembered = new Map() } = job;
	const { signal = new AbortController().signal, killedAfter } = job;
	const [owner = '', repo = ''] = REPOSITORY.split('/');
	const inputs = parseInputs({ mode, shards: '3', 'github-token': 'token-of-the-test', ...job.inputs });
	const runner = runnerOf('pull_request', pullRequestEvent(base, head), {
		...{ workspace: REPO, tempFolder: TEMP, run: runOf(70, attempt), repository: { owner, repo } },
	});
	const janitor = await startJanitor();
	t.after(() => janitor.close());
	const session: ActionSession = {
		...{ inputs, runner, janitor, runtime: {}, withheld: [], warnings: [] },
		github: createClient({ token: inputs.token, apiUrl: double.url, warn() {}, waitFactor: 0.001 }),
		progress: { step() {}, status() {} },
		signal,
		remember(name, value) {
			remembered.set(name, value);
			if (name === killedAfter) throw KILLED;
		},
	};
	const request = readRequest(runner, inputs);
	assert.ok(['compare', 'plan', 'shard', 'gather'].includes(request.kind));
	const kind = request.kind as keyof typeof JOBS;
	const run = JOBS[kind] as (session: ActionSession, request: never) => Promise<ModeOutcome>;
	return { ...(await run(session, request as never)), warnings: session.warnings };
}

async function startGithub(t: TestContext, head = HEAD, base = BASE): Promise<Double> {
	const sides = { number: NUMBER, headSha: head, baseSha: base, headRef: 'topic', baseRef: 'main' };
	const pull = { ...sides, headRepository: REPOSITORY, author: 'o' };
	const double = await startDouble({
		...{ repository: REPOSITORY, pulls: [pull], refs: { 'heads/main': base } },
		compare: { [`${base}...${head}`]: base },
	});
	t.after(() => double.close());
	return double;
}

async function artifactsOf(): Promise<Record<string, Record<string, string>>> {
	const names = readdirSync(ARTIFACTS).sort();
	const zips = names.map(async (name) => [name.replace('.zip', ''), await unzip(readFileSync(join(ARTIFACTS, name)))]);
	return Object.fromEntries(await Promise.all(zips));
}

/** Puts artifacts where a workflow downloads them: the plan's files, and a folder for each shard. */
function download(files: Readonly<Record<string, string>>): void {
	for (const [name, text] of Object.entries(files)) {
		const path = join(REPO, 'benchgate-shards', name);
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, text);
	}
}

/** Returns the file of a shard of a real plan. */
function shardFile(plan: ShardPlan, shard: number, changes: ShardChanges = {}): Readonly<Record<string, string>> {
	const raw = shardRawOf(plan, shard, { runId: '70', ...changes });
	const { base, head } = raw.context;
	const sides = { base: { ...base, sha: BASE }, head: { ...head, sha: HEAD } };
	const text = renderRaw({ ...raw, context: { ...raw.context, ...sides } });
	return { [`${shardName({ shard, of: 3, attempt: changes.attempt ?? 1 })}/raw.json`]: text };
}

let made: ShardPlan | undefined;

/** Returns the real plan of the pull request, made once. */
async function makePlan(t: TestContext, double: Double): Promise<ShardPlan> {
	if (made === undefined) {
		await runJob(t, double, { mode: 'plan' });
		const { 'benchgate-plan-attempt-1': files } = await artifactsOf();
		made = parsePlan(files?.['plan.json'] ?? '');
	}
	return made;
}

/** Returns a plan of another version of benchgate. */
function ofOtherVersion({ planHash: _, ...plan }: ShardPlan): ShardPlan {
	return sealPlan({ ...plan, tool: { name: 'benchgate', version: '0.0.0' } });
}

const bodiesOf = ({ state }: Double) => state.comments.map(({ body }) => body);
const checksOf = ({ state }: Double) => state.checkRuns.map(({ name, conclusion }) => `${name} ${conclusion}`);

test('the plan assigns the rows and names the commits and the source of the config; the comment says that shards measure', async (t) => {
	const double = await startGithub(t);
	const outcome = await runJob(t, double, { mode: 'plan', inputs: { threshold: '7%' } });
	assert.deepEqual(JSON.parse(outcome.outputs.matrix ?? ''), {
		include: [1, 2, 3].map((shard) => ({ shard, of: 3 })),
	});
	assert.deepEqual([outcome.outputs.shards, outcome.outputs.plan], ['3', 'benchgate-plan-attempt-1']);
	assert.deepEqual([outcome.fail, outcome.warnings], [[], []]);
	const plan = parsePlan((await artifactsOf())['benchgate-plan-attempt-1']?.['plan.json'] ?? '');
	assert.deepEqual([plan.base.sha, plan.head.sha, plan.m], [BASE, HEAD, 3]);
	assert.deepEqual(plan.run, { id: '70', attempt: 1, tip: BASE, adopting: false, mayBeUnchanged: false, warnings: [] });
	assert.deepEqual([plan.options.threshold, plan.options.seed], ['7%', `${plan.seed}`]);
	assert.match(bodiesOf(double).join(), /state=measuring[\s\S]*3 shards at the same time/);
	assert.deepEqual(checksOf(double), [], 'only the job that gathers makes a check, which it can conclude');
});

/** Returns a pull request that changes one function of a package, and main's coverage of its base. */
async function changePackage(t: TestContext, changed: string, files: Files = PACKAGE) {
	const text = 'servers: [express]\nscenarios: [ping, json-nested, param-text]\n';
	runGit(REPO, 'checkout', '--quiet', '--orphan', `package-${changed}`);
	runGit(REPO, 'rm', '--quiet', '-r', '-f', '.');
	const base = commit({ 'benchgate.yml': text, ...files });
	const changedFiles = changing(changed, files);
	const head = commit(changedFiles);
	const environment = { ...STEADY.context.environment, node: process.versions.node, cpus: cpus().length };
	const namesOf = (name: string) => [name === 'json-nested' ? 'json' : 'send'];
	const record = recordOf(configOf(text), { sha: base, environment }, namesOf, files);
	const stored = { [`baselines/${baselinePath(record)}`]: renderBaseline(record) };
	const { tip } = await serveStore(t, stored, `https://github.com/${REPOSITORY}.git`);
	const double = await startGithub(t, head, base);
	double.state.refs['heads/benchgate'] = tip;
	Object.assign(double.state, { contents: { 'benchgate.yml': text, ...files }, contentsAt: { [head]: changedFiles } });
	return { double, base, head };
}

test('rows that main’s coverage shows to be unaffected get no shard', async (t) => {
	const { double, base, head } = await changePackage(t, 'json');
	const { outputs } = await runJob(t, double, { mode: 'plan', head, base, inputs: { seed: '1' } });
	const plan = parsePlan((await artifactsOf())['benchgate-plan-attempt-1']?.['plan.json'] ?? '');
	assert.deepEqual([outputs.shards, plan.cells.map(({ id }) => id)], ['1', ['express/json-nested']]);
	assert.deepEqual(
		plan.oneSided.map(({ id, verdict }) => `${id} ${verdict}`),
		['express/ping unaffected', 'express/param-text unaffected'],
	);
});

test('every row of a package that is built gets a shard, and the report gives the reason', async (t) => {
	const manifest = '{ "name": "express", "version": "5.1.0", "main": "index.js", "scripts": { "prepare": "tsc" } }';
	const { double, base, head } = await changePackage(t, 'send', { ...PACKAGE, 'package.json': manifest });
	await runJob(t, double, { mode: 'plan', head, base });
	const plan = parsePlan((await artifactsOf())['benchgate-plan-attempt-1']?.['plan.json'] ?? '');
	assert.deepEqual([plan.cells.length, plan.oneSided], [3, []]);
	assert.deepEqual(plan.run?.warnings, [
		{
			code: 'rows-not-derived',
			message:
				'No row was skipped: the script prepare of package.json may write the code that runs, and the reporting job runs no script.',
		},
	]);
});

test('a job with a separate reporter skips rows that main’s coverage shows to be unaffected', async (t) => {
	const silent = { comment: 'never', 'check-run': 'false', seed: '1' };
	const { double, base, head } = await changePackage(t, 'sendFile');
	const outcome = await runJob(t, double, { mode: 'compare', head, base, inputs: silent });
	assert.deepEqual(outcome.fail, []);
	assert.match(outcome.summary ?? '', /No scenario runs changed code, so nothing was measured/);
	const raw = parseRaw((await artifactsOf()).benchgate?.['raw.json'] ?? '');
	assert.deepEqual([raw.plan.cells, raw.rounds, raw.context.changed?.notExercised], [[], [], 1]);
	assert.deepEqual(
		raw.plan.oneSided.map(({ id, verdict }) => `${id} ${verdict}`),
		['express/ping unaffected', 'express/json-nested unaffected', 'express/param-text unaffected'],
	);
	assert.deepEqual([bodiesOf(double), checksOf(double)], [[], []]);
});

test('if only prose changed no shard starts, the matrix is not empty, and gathering is green', async (t) => {
	const double = await startGithub(t, WORDS);
	const planned = await runJob(t, double, { mode: 'plan', head: WORDS });
	assert.deepEqual([planned.outputs.shards, planned.outputs.matrix], ['0', '{"include":[{"shard":1,"of":1}]}']);
	const { 'benchgate-plan-attempt-1': said = {} } = await artifactsOf();
	assert.equal(readPublication(said['publication.json'] ?? '').conclusion.kind, 'unchanged');
	download(said);
	const gathered = await runJob(t, double, { mode: 'gather', head: WORDS });
	assert.deepEqual([gathered.outputs.outcome, gathered.fail], ['pass', []]);
	assert.deepEqual(checksOf(double), ['benchgate success']);
	assert.match(bodiesOf(double).join(), /Nothing relevant changed/);
});

test('servers that read no changed file get no shard; without others no shard starts', async (t) => {
	const double = await startGithub(t, ONE_SPACE, SPACES);
	const one = { mode: 'plan', head: ONE_SPACE, base: SPACES } as const;
	const planOf = async () => parsePlan((await artifactsOf())['benchgate-plan-attempt-1']?.['plan.json'] ?? '');
	await runJob(t, double, one);
	const some = await planOf();
	assert.deepEqual([...new Set(some.shards.flatMap(({ cells }) => cells))].sort(), [
		'app/checkout',
		'app/home',
		'app/search',
	]);
	assert.deepEqual([...new Set(some.oneSided.map(({ server, verdict }) => `${server} ${verdict}`))], ['web same-code']);
	await runJob(t, double, { ...one, inputs: { 'skip-unchanged': 'false' } });
	assert.deepEqual([(await planOf()).cells.length, (await planOf()).oneSided], [6, []]);
	const beside = await startGithub(t, BESIDE, SPACES);
	const none = await runJob(t, beside, { ...one, head: BESIDE });
	assert.equal(none.outputs.shards, '0');
	const { 'publication.json': said = '' } = (await artifactsOf())['benchgate-plan-attempt-1'] ?? {};
	assert.equal(readPublication(said).conclusion.kind, 'unchanged');
});

test('the gathering job reports why there is no plan, and is the only red one', async (t) => {
	const double = await startGithub(t);
	const planned = await runJob(t, double, { mode: 'plan', inputs: { scenarios: 'nowhere' } });
	assert.deepEqual([planned.outputs.shards, planned.fail], ['0', []]);
	assert.match(planned.failure?.message ?? '', /nowhere/);
	download((await artifactsOf())['benchgate-plan-attempt-1'] ?? {});
	const gathered = await runJob(t, double, { mode: 'gather' });
	assert.equal(gathered.fail.length, 1);
	assert.deepEqual(checksOf(double), ['benchgate failure']);
	assert.match(bodiesOf(double).join(), /nowhere/);
});

test('a planning job without a result is an error, not a pass', async (t) => {
	const double = await startGithub(t);
	const gathered = await runJob(t, double, { mode: 'gather' });
	assert.match(gathered.failure?.message ?? '', /has left no plan/);
	assert.deepEqual(checksOf(double), ['benchgate failure']);
});

test('gathering decides all rows at once: one comment, one check, one artifact for the reporting job', async (t) => {
	const double = await startGithub(t);
	const plan = await makePlan(t, double);
	const [slow = ''] = plan.shards[1]?.cells ?? [];
	download({ 'plan.json': renderPlan(plan), ...shardFile(plan, 1), ...shardFile(plan, 3) });
	download(shardFile(plan, 2, { effects: { [slow]: Math.log(0.8) } }));
	const gathered = await runJob(t, double, { mode: 'gather' });
	assert.deepEqual([gathered.outputs.outcome, gathered.outputs.regressed], ['fail', '1']);
	assert.equal(gathered.fail.length, 1);
	const [body = '', ...others] = bodiesOf(double);
	assert.deepEqual([others.length, checksOf(double)], [0, ['benchgate failure']]);
	assert.match(body, /state=final/);
	assert.match(body, /3 shards, .* from the first start to the last end; the slowest \(shard \d\)/);
	const { benchgate: files = {} } = await artifactsOf();
	assert.ok(files['publication.json'] && files['raw.json']);
});

test("a lost shard leaves its rows open, by the config's policy, with the machine of every other", async (t) => {
	const double = await startGithub(t);
	const plan = await makePlan(t, double);
	download({ 'plan.json': renderPlan(plan), ...shardFile(plan, 1), ...shardFile(plan, 3) });
	const gathered = await runJob(t, double, { mode: 'gather' });
	assert.deepEqual([gathered.outputs.outcome, gathered.outputs.inconclusive, gathered.fail], ['inconclusive', '1', []]);
	assert.deepEqual(checksOf(double), ['benchgate neutral']);
	assert.match(bodiesOf(double).join(), /Shard 2 of 3 left no measurement/);
	assert.match(bodiesOf(double).join(), /neutral \(does not block merging\), because not every shard finished/);
	assert.match(bodiesOf(double).join(), /un the job of shard 2 again, because it did not finish\. GitHub then gathers/);
});

test('a shard is never red: it hands its failure on, under a name unique to the attempt', async (t) => {
	const double = await startGithub(t);
	const lost = await runJob(t, double, { mode: 'shard', inputs: { shard: '2' } });
	assert.deepEqual([lost.fail, lost.failure?.code], [[], 'cannot-read']);
	const plan = await makePlan(t, double);
	download({ 'plan.json': renderPlan(ofOtherVersion(plan)) });
	const remembered = new Map<string, string>();
	const refused = await runJob(t, double, { mode: 'shard', attempt: 3, inputs: { shard: '2' }, remembered });
	assert.deepEqual([refused.fail, refused.cutOff, refused.failure?.code], [[], false, 'other-version']);
	assert.equal(remembered.get('concluded'), 'true');
	const files = (await artifactsOf())['benchgate-shard-002-of-003-attempt-3'];
	const { conclusion, run } = readPublication(files?.['publication.json'] ?? '');
	assert.deepEqual([conclusion.kind, run], ['failed', { id: 70, attempt: 3 }]);
	assert.match(bodiesOf(double).join(), /1 of 3 shards has ended: shard 2\./);
});

test('a shard that runs out of time hands that on, and its rows are open', async (t) => {
	const double = await startGithub(t);
	const plan = await makePlan(t, double);
	download({ 'plan.json': renderPlan(plan) });
	const signal = AbortSignal.abort(new Interrupted('SIGINT'));
	const cut = await runJob(t, double, { mode: 'shard', inputs: { shard: '2' }, signal });
	assert.deepEqual([cut.fail, cut.failure], [[], null]);
	const name = shardName({ shard: 2, of: 3, attempt: 1 });
	const publication = (await artifactsOf())[name]?.['publication.json'] ?? '';
	assert.equal(readPublication(publication).conclusion.kind, 'cancelled');
	download({ [`${name}/publication.json`]: publication, ...shardFile(plan, 1), ...shardFile(plan, 3) });
	const gathered = await runJob(t, double, { mode: 'gather' });
	assert.deepEqual([gathered.outputs.outcome, gathered.outputs.inconclusive, gathered.fail], ['inconclusive', '1', []]);
	assert.deepEqual(checksOf(double), ['benchgate neutral']);
	assert.match(bodiesOf(double).join(), /Shard 2 of 3 left no measurement/);
});

test('a shard measured only in a second attempt counts with the first of the others', async (t) => {
	const double = await startGithub(t);
	const plan = await makePlan(t, double);
	download({ 'plan.json': renderPlan(plan), ...shardFile(plan, 1), ...shardFile(plan, 3) });
	download(shardFile(plan, 2, { attempt: 2 }));
	const gathered = await runJob(t, double, { mode: 'gather', attempt: 2 });
	assert.deepEqual([gathered.outputs.outcome, gathered.fail], ['pass', []]);
	assert.match(bodiesOf(double).join(), /Shard 2: 1 cell in \d+ rounds, .*, attempt 2;/);
	assert.doesNotMatch(bodiesOf(double).join(), /more than once|does not count/);
});

test('cancelled before a result, gathering says so in the comment and the check', async (t) => {
	const double = await startGithub(t);
	await runJob(t, double, { mode: 'plan' });
	assert.match(bodiesOf(double).join(), /state=measuring/);
	const signal = AbortSignal.abort(new Interrupted('SIGINT'));
	const gathered = await runJob(t, double, { mode: 'gather', signal });
	assert.equal(gathered.cutOff, true);
	assert.deepEqual(checksOf(double), ['benchgate cancelled']);
	assert.match(bodiesOf(double).join(), /state=final[\s\S]*Cancelled/);
});

test('the post step concludes a gathering job that is killed after its announcement', async (t) => {
	const double = await startGithub(t);
	await runJob(t, double, { mode: 'plan' });
	const remembered = new Map<string, string>();
	await assert.rejects(runJob(t, double, { mode: 'gather', remembered, killedAfter: 'comment' }), KILLED);
	assert.deepEqual(checksOf(double), ['benchgate null']);
	const state = Object.fromEntries(REMEMBERED.map((name) => [name, remembered.get(name) ?? '']));
	const inputs = parseInputs({ mode: 'gather', 'github-token': 'token-of-the-test' });
	const [owner = '', repo = ''] = REPOSITORY.split('/');
	const runner = runnerOf('pull_request', pullRequestEvent(BASE, HEAD), {
		run: runOf(70, 1),
		repository: { owner, repo },
	});
	const github = createClient({ token: inputs.token, apiUrl: double.url, warn() {}, waitFactor: 0.001 });
	await concludeCutOff({ inputs, runner, github, warnings: [] }, state as Record<RememberedName, string>);
	assert.deepEqual(checksOf(double), ['benchgate cancelled']);
	const [body = '', ...others] = bodiesOf(double);
	assert.deepEqual(others, []);
	assert.match(body, /state=final[\s\S]*Cancelled/);
});

test('a read-only token is no warning in a measuring job', async (t) => {
	const double = await startGithub(t);
	download({ 'plan.json': renderPlan(ofOtherVersion(await makePlan(t, double))) });
	double.state.permissions = { ...double.state.permissions, issues: 'read', 'pull-requests': 'read' };
	const { warnings } = await runJob(t, double, { mode: 'shard', inputs: { shard: '1' } });
	assert.deepEqual(warnings, []);
});

test("the result of a comment's order never counts as the gate's, even if only gathering is rerun", async (t) => {
	const double = await startGithub(t);
	const { planHash: _, ...whole } = await makePlan(t, double);
	assert.ok(whole.run);
	const plan = sealPlan({ ...whole, run: { ...whole.run, attempt: 2, ordered: true } });
	const files = [1, 2, 3].map((shard) => shardFile(plan, shard, { attempt: 2 }));
	download(Object.assign({ 'plan.json': renderPlan(plan) }, ...files));
	const gathered = await runJob(t, double, { mode: 'gather', attempt: 3 });
	assert.equal(gathered.failure?.code, 'ordered-plan');
	assert.deepEqual([gathered.fail.length, checksOf(double)], [1, ['benchgate failure']]);
});

test("a plan that could not be uploaded is not an output: another job's may have its name", async (t) => {
	const double = await startGithub(t);
	mkdirSync(join(ARTIFACTS, 'benchgate-plan-attempt-1.zip'), { recursive: true });
	const { outputs, fail, warnings } = await runJob(t, double, { mode: 'plan' });
	assert.deepEqual([outputs.plan, outputs.shards, fail], ['', '0', []]);
	assert.deepEqual(
		warnings.map(({ code }) => code),
		['artifact-not-uploaded'],
	);
});

test('a file in the artifact of another shard does not count', async (t) => {
	const double = await startGithub(t);
	const plan = await makePlan(t, double);
	const [[, own = ''] = []] = Object.entries(shardFile(plan, 2));
	download({ 'plan.json': renderPlan(plan), ...shardFile(plan, 1), ...shardFile(plan, 3) });
	download({ [`${shardName({ shard: 1, of: 3, attempt: 1 })}/more.json`]: own });
	const gathered = await runJob(t, double, { mode: 'gather' });
	assert.deepEqual([gathered.outputs.outcome, gathered.outputs.inconclusive], ['inconclusive', '1']);
	assert.match(
		bodiesOf(double).join(),
		/more\.json does not count: it is not the shard that its artifact is named after/,
	);
});
