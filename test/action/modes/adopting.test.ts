/**
 * A pull request that adds the first config never turns green by its own gate: every mode reports that the base branch
 * has no config.
 */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import type { ActionSession } from '../../../src/action/action-session.ts';
import { runCompareMode } from '../../../src/action/modes/compare-mode.ts';
import { runGatherMode } from '../../../src/action/modes/gather-mode.ts';
import type { ModeOutcome } from '../../../src/action/modes/mode-outcome.ts';
import { runPlanMode } from '../../../src/action/modes/plan-mode.ts';
import { parseInputs } from '../../../src/action/request/inputs.ts';
import { readRequest } from '../../../src/action/request/request.ts';
import { parsePlan } from '../../../src/formats/plan-file.ts';
import { renderRaw } from '../../../src/formats/raw/raw-file.ts';
import { createClient } from '../../../src/github/github-client.ts';
import { startJanitor } from '../../../src/process/janitor.ts';
import { shardName } from '../../../src/report/shard-words.ts';
import { runOf } from '../../github/support.ts';
import { unzip } from '../../support/act/artifact.ts';
import { NUMBER, pullRequestEvent, REPOSITORY } from '../../support/act/events.ts';
import { runGit } from '../../support/act/tiny-framework.ts';
import { startDouble } from '../../support/github/double.ts';
import type { Double } from '../../support/github/types.ts';
import { shardRawOf } from '../../support/shards.ts';
import { runnerOf } from '../request/example-events.ts';

/** Never red, and green if undecided. */
const LOOSE = `servers: [{ name: app, command: node server.mjs }]
scenarios: [{ name: home, request: { path: / }, expect: { status: 200 }, load: { connections: 2 } }]
threshold: 95%
budget: 1s
warmup: 200ms
gate: { on-inconclusive: pass }
`;
const SERVER = `import { createServer } from 'node:http';
createServer((_, response) => setTimeout(() => response.end('ok'), 2)).listen(Number(process.env.PORT), process.env.HOST);
process.on('SIGTERM', () => process.exit(0));
`;

const ROOT = mkdtempSync(join(tmpdir(), 'benchgate-adopting-'));
const pathOf = (name: string) => join(ROOT, name);
const REPO = pathOf('repository');
const SET = { BENCHGATE_ARTIFACT_DIR: pathOf('artifacts'), BENCHGATE_CACHE: pathOf('cache') };
const BEFORE = Object.keys(SET).map((name) => [name, process.env[name]] as const);
Object.assign(process.env, SET);
after(() => {
	rmSync(ROOT, { recursive: true });
	for (const [name, value] of BEFORE) {
		if (value === undefined) delete process.env[name];
		else process.env[name] = value;
	}
});

for (const folder of [REPO, pathOf('temp')]) mkdirSync(folder);
runGit(REPO, 'init', '--quiet', '--initial-branch=main');
const BASE = commit({ 'server.mjs': SERVER });
runGit(REPO, 'checkout', '--quiet', '-b', 'topic');
const HEAD = commit({ 'benchgate.yml': LOOSE });
runGit(REPO, 'checkout', '--quiet', '-b', 'with-config', BASE);
const HELD_BASE = commit({ 'benchgate.yml': LOOSE });
const HELD_HEAD = commit({ 'server.mjs': `// Improved.\n${SERVER}` });
const WORKFLOW = 'benchgate.yml';
runGit(REPO, 'checkout', '--quiet', '-b', 'with-workflow', HELD_BASE);
const WORKFLOW_HEAD = commit({ [`.github/workflows/${WORKFLOW}`]: 'on: pull_request\n' });
const LATER_HEAD = commit({ 'README.md': 'Words.\n' });

interface Sides {
	readonly base: string;
	readonly head: string;
}
const ADOPTING: Sides = { base: BASE, head: HEAD };
const HELD: Sides = { base: HELD_BASE, head: HELD_HEAD };

function commit(files: Readonly<Record<string, string>>): string {
	writeAll(REPO, files);
	runGit(REPO, 'add', '--all');
	runGit(REPO, 'commit', '--quiet', '--message', 'Change');
	return runGit(REPO, 'rev-parse', 'HEAD');
}

function writeAll(folder: string, files: Readonly<Record<string, string>>): void {
	for (const [name, text] of Object.entries(files)) {
		mkdirSync(dirname(join(folder, name)), { recursive: true });
		writeFileSync(join(folder, name), text);
	}
}

const JOBS = { auto: runCompareMode, plan: runPlanMode, gather: runGatherMode };

/** Runs one job of the workflow for the pull request. */
async function runJob(
	t: TestContext,
	double: Double,
	mode: keyof typeof JOBS,
	{ base, head }: Sides,
	given: Readonly<Record<string, string>> = {},
): Promise<ModeOutcome> {
	const [owner = '', repo = ''] = REPOSITORY.split('/');
	const inputs = parseInputs({
		...{ mode, 'github-token': 'token-of-the-test', isolation: 'none' },
		...(mode !== 'auto' && { shards: '1' }),
		...given,
	});
	const runner = runnerOf('pull_request', pullRequestEvent(base, head), {
		...{ workspace: REPO, tempFolder: pathOf('temp'), run: runOf(70), repository: { owner, repo }, workflow: WORKFLOW },
	});
	const janitor = await startJanitor();
	t.after(() => janitor.close());
	const session: ActionSession = {
		...{ inputs, runner, janitor, runtime: {}, withheld: [], warnings: [] },
		github: createClient({ token: inputs.token, apiUrl: double.url, warn() {}, waitFactor: 0.001 }),
		...{ progress: { step() {}, status() {} }, signal: new AbortController().signal, remember() {} },
	};
	const run = JOBS[mode] as (session: ActionSession, request: unknown) => Promise<ModeOutcome>;
	return run(session, readRequest(runner, inputs));
}

async function startGithub(t: TestContext, { base, head }: Sides): Promise<Double> {
	const sides = { number: NUMBER, headSha: head, baseSha: base, headRef: 'topic', baseRef: 'main' };
	const double = await startDouble({
		...{ repository: REPOSITORY, pulls: [{ ...sides, headRepository: REPOSITORY, author: 'o' }] },
		...{ refs: { 'heads/main': base }, compare: { [`${base}...${head}`]: base } },
	});
	t.after(() => double.close());
	return double;
}

/** Makes the plan, puts it and the result of its only shard where the last job expects them, and runs that job. */
async function gather(t: TestContext, double: Double, sides: Sides): Promise<ModeOutcome> {
	await runJob(t, double, 'plan', sides);
	const zip = readFileSync(join(SET.BENCHGATE_ARTIFACT_DIR, 'benchgate-plan-attempt-1.zip'));
	const { 'plan.json': text = '' } = await unzip(zip);
	const plan = parsePlan(text);
	const raw = shardRawOf(plan, 1, { runId: '70' });
	const { base, head } = raw.context;
	const context = { ...raw.context, base: { ...base, sha: sides.base }, head: { ...head, sha: sides.head } };
	writeAll(join(REPO, 'benchgate-shards'), {
		'plan.json': text,
		[`${shardName({ shard: 1, of: 1, attempt: 1 })}/raw.json`]: renderRaw({ ...raw, context }),
	});
	return runJob(t, double, 'gather', sides);
}

const WAYS = [
	['on one machine', (t: TestContext, double: Double, sides: Sides) => runJob(t, double, 'auto', sides)],
	['gathered from shards', gather],
] as const;

for (const [how, run] of WAYS) {
	test(`${how}: the first config, however loose, makes the check neutral, and the comment gives the reason`, async (t) => {
		const double = await startGithub(t, ADOPTING);
		const { fail, failure } = await run(t, double, ADOPTING);
		const [comment = '', ...others] = double.state.comments.map(({ body }) => body);
		assert.deepEqual({ fail, failure, others }, { fail: [], failure: null, others: [] });
		assert.deepEqual(
			double.state.checkRuns.map(({ conclusion }) => conclusion),
			['neutral'],
			comment,
		);
		assert.match(
			comment,
			/\*\*Check:\*\* neutral \(does not block merging\), because no config of the base branch applies yet\./,
		);
		assert.match(
			comment,
			/After merging, this gate applies to every pull request\. Then require the check `benchgate` /i,
		);
		assert.match(comment, /The base branch has no benchgate\.yml yet, so this run blocks nothing\./);
	});
}

test('the first pull request with the pair of workflows explains when comment and check appear, and which check to require', async (t) => {
	const pair = { comment: 'never', 'check-run': 'false' };
	const sides = { base: HELD_BASE, head: WORKFLOW_HEAD };
	const double = await startGithub(t, sides);
	const { summary } = await runJob(t, double, 'auto', sides, pair);
	assert.match(
		summary ?? '',
		/After merging, comment and check appear from the next pull request on: .* Then require the check `benchgate` in the rules of the base branch\./,
	);
	const later = { base: WORKFLOW_HEAD, head: LATER_HEAD };
	const { summary: usual } = await runJob(t, await startGithub(t, later), 'auto', later, pair);
	assert.match(usual ?? '', /[Nn]othing to do\./);
});

// Gathers synthetic data, to measure only once.
test('the same config is green if the base branch has it', async (t) => {
	const double = await startGithub(t, HELD);
	const { fail, failure } = await gather(t, double, HELD);
	assert.deepEqual({ fail, failure }, { fail: [], failure: null });
	const [check] = double.state.checkRuns;
	assert.equal(check?.conclusion, 'success', double.state.comments[0]?.body);
});
