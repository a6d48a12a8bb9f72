/** The reusable workflow with `shards`: plan → shards → gather on real servers; one shard is killed while it measures. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { parseRaw, renderRaw } from '../../src/formats/raw/raw-file.ts';
import { unzip } from '../support/act/artifact.ts';
import { workflowRunEvent } from '../support/act/events.ts';
import { type RunningAct, runAct, startAct } from '../support/act/run-act.ts';
import { CONFIG, runGit } from '../support/act/tiny-framework.ts';
import { listUses, shownWorkflow } from '../support/act/workflows.ts';
import { makeWorld, pullRequestRun, READ_ONLY, startGithub } from '../support/act/world.ts';
import { shardPlanOf, shardRawOf } from '../support/shards.ts';

const world = makeWorld();
const RUN = 1000;

/**
 * Copies artifacts from the folder that replaces GitHub's service, by name or prefix. Those of shards exist twice, and
 * one of the killed shard belongs to another plan.
 */
const DOWNLOAD = `import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
const { NAME, PATTERN, INTO, FOREIGN, BENCHGATE_ARTIFACT_DIR: from } = process.env;
const fits = (zip) => (NAME ? zip === NAME + '.zip' : zip.startsWith(PATTERN.replace('*', '')));
for (const zip of readdirSync(from).filter(fits)) {
	const name = zip.replace('.zip', '');
	for (const into of NAME ? [INTO] : [INTO + '/' + name, INTO + '/copy-of-' + name]) {
		mkdirSync(into, { recursive: true });
		execFileSync('python3', ['-m', 'zipfile', '-e', from + '/' + zip, into]);
	}
}
if (!NAME) {
	mkdirSync(INTO + '/benchgate-shard-002-of-003-attempt-1', { recursive: true });
	copyFileSync(FOREIGN, INTO + '/benchgate-shard-002-of-003-attempt-1/raw.json');
}
`;

/** Returns an action for act that replaces actions/download-artifact. */
function downloading(folder: string): Record<string, string> {
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, 'download.mjs'), DOWNLOAD);
	const foreign = shardPlanOf(['tiny/hello', 'tiny/again', 'tiny/more'], 3);
	writeFileSync(join(folder, 'foreign.json'), renderRaw(shardRawOf(foreign, 2, { runId: `${RUN}` })));
	const input = (name: string) => `\${{ inputs.${name} }}`;
	const env = {
		...{ NAME: input('name'), PATTERN: input('pattern'), INTO: input('path') },
		FOREIGN: join(folder, 'foreign.json'),
	};
	const step = { shell: 'bash', run: `node "${join(folder, 'download.mjs')}"`, env };
	const inputs = Object.fromEntries(['name', 'pattern', 'path'].map((name) => [name, { default: '' }]));
	const action = { name: 'download', inputs, runs: { using: 'composite', steps: [step] } };
	writeFileSync(join(folder, 'action.yml'), JSON.stringify(action));
	const uses = listUses('benchmark.yml').filter((name) => name.startsWith('actions/download-artifact@'));
	return Object.fromEntries(uses.map((name) => [name, folder]));
}

test('of three shards one is killed, and two upload their files twice: one row is open, one red, in one comment', async (t) => {
	const actions = { ...world.actions, ...downloading(join(world.tiny.folder, '../download')) };
	const scenario = (name: string) =>
		CONFIG.replace(/^[\s\S]*?scenarios:\n/, '')
			.split('threshold')[0]
			?.replace('hello', name);
	const more = `${scenario('again')}${scenario('more')?.replace('/hello', '/more')}`;
	const text = CONFIG.replace('threshold: 30%', `${more}threshold: 30%`);
	const tiny = { ...world.tiny, ...withConfig(text) };
	const state = { fork: true, contents: { 'benchgate.yml': text } };
	const double = await startGithub(t, { tiny, actions }, 'slower', { ...state, permissions: READ_ONLY });
	const workflow = shownWorkflow('measure', { shards: '3' });
	const options = pullRequestRun({ tiny, actions }, 'slower', { double, workflow, fork: true });
	const running = await startAct(t, options);
	process.kill(await findShard(running, '2'), 'SIGKILL');
	const run = await running.ended;
	assert.equal(run.exitCode, 1, run.text);
	const names = Object.keys(run.artifacts).sort();
	assert.deepEqual(
		names.filter((name) => !name.includes('-002-')),
		[
			'benchgate',
			'benchgate-plan-attempt-1',
			'benchgate-shard-001-of-003-attempt-1',
			'benchgate-shard-003-of-003-attempt-1',
		],
		run.text,
	);
	const files = await unzip(run.artifacts.benchgate as Buffer);
	const raw = parseRaw(files['raw.json'] ?? '');
	assert.deepEqual(
		raw.shards?.map(({ state: end }) => end),
		['complete', 'missing', 'complete'],
	);
	assert.ok(raw.rounds.length > 0, 'the third was measured');
	assert.match(run.summary, /Shard 2 of 3 left no measurement/);
	assert.match(run.summary, /raw\.json does not count: it is of another plan/);
	assert.doesNotMatch(run.summary, /measured more than once/);

	// The other half: decides again from the shards' files, and is the only one that writes.
	const artifacts = Object.entries(run.artifacts).map(([name, zip], index) => ({
		id: index + 1,
		name,
		runId: RUN,
		zip,
	}));
	const reporting = await startGithub(t, { tiny, actions }, 'slower', { ...state, artifacts });
	const report = await runAct(t, {
		event: 'workflow_run',
		payload: workflowRunEvent(RUN, tiny.heads.slower, 'stranger/tiny-framework', 'failure'),
		workflow: shownWorkflow('report'),
		repository: { folder: tiny.folder, sha: tiny.tip },
		double: reporting,
		actions,
		ref: 'refs/heads/main',
		runId: RUN + 1,
	});
	assert.equal(report.exitCode, 0, report.text);
	const [body = '', ...others] = reporting.state.comments.map((comment) => comment.body);
	assert.equal(others.length, 0, 'one comment');
	assert.match(body, /❌ Fail/);
	assert.match(body, /`tiny\/?`?.*`?more`.*invalid/);
	assert.match(body, /Shard 2 of 3 left no measurement/);
	assert.deepEqual(
		reporting.state.checkRuns.map(({ conclusion }) => conclusion),
		['failure'],
	);
});

/** Commits the config on main, with a second route, and a head that is slower and answers that route wrongly. */
function withConfig(text: string): Pick<typeof world.tiny, 'base' | 'tip' | 'heads' | 'merges'> {
	const { folder, heads, merges } = world.tiny;
	const git = (...args: string[]) => runGit(folder, ...args);
	const server = join(folder, 'bench/server.mjs');
	const commit = (answer: boolean) => {
		const routes = `{ '/hello': { ok: true }, '/more': { ok: ${answer} } }`;
		writeFileSync(server, readFileSync(server, 'utf8').replace(/\{ '\/hello'.*\}(?=\))/, routes));
		git('commit', '--quiet', '--all', '--message', 'Ask more');
		return git('rev-parse', 'HEAD');
	};
	git('checkout', '--quiet', '--detach', world.tiny.tip);
	writeFileSync(join(folder, 'benchgate.yml'), text);
	const tip = commit(true);
	git('checkout', '--quiet', '--detach', heads.slower);
	git('merge', '--quiet', '--no-ff', '--message', 'Take it', tip);
	const head = commit(false);
	git('update-ref', 'refs/heads/main', tip);
	git('update-ref', 'refs/heads/sharded', head);
	return { base: tip, tip, heads: { ...heads, slower: head }, merges: { ...merges, slower: head } };
}

/** Waits for the process of the action that measures this shard, and returns its id; fails if the run ends first. */
async function findShard({ processes, ended }: RunningAct, shard: string): Promise<number> {
	let over = false;
	const end = ended.finally(() => {
		over = true;
	});
	while (!over) {
		const match = processes().find(({ pid }) => isShard(pid, shard));
		if (match) return match.pid;
		await delay(50);
	}
	return assert.fail((await end).text);
}

function isShard(pid: number, shard: string): boolean {
	try {
		const [environment, command] = ['environ', 'cmdline'].map((name) => readFileSync(`/proc/${pid}/${name}`, 'latin1'));
		return `${environment}\0`.includes(`INPUT_SHARD=${shard}\0`) && /dist\/action\.js/.test(command ?? '');
	} catch {
		return false;
	}
}
