/**
 * A slowdown of main from the first suspicion to its repair, on a real git server and a double of GitHub that enforces
 * a token's permissions.
 */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type RecordRequest, runRecord } from '../../../src/action/record/record-mode.ts';
import { renderBaseline } from '../../../src/formats/baseline/baseline-file.ts';
import { BISECTED_FILE, renderBisected } from '../../../src/formats/baseline/trend-files.ts';
import { branchStore } from '../../../src/store/branch-store.ts';
import { bisectedOf } from '../../../src/trend/bisect/bisect-result.ts';
import { chooseProofs } from '../../../src/trend/group-changes.ts';
import { trendOf } from '../../../src/trend/trend-of.ts';
import type { BaselineRecord } from '../../../src/types/baseline.ts';
import type { Warning } from '../../../src/types/units.ts';
import { connect, REPOSITORY } from '../../github/support.ts';
import { startGitServer } from '../../store/git-server.ts';
import { bisectedWith } from '../../support/baselines/bisected.ts';
import { syntheticRecords } from '../../support/baselines/records.ts';
import { scriptedBisect } from '../../support/baselines/scripted-bisect.ts';
import { proofRecord } from '../../support/proofs.ts';

const [SLOWER, REPAIRED, COMMITS] = [20, 32, 44];
const LEVELS = syntheticRecords({
	...{ seed: 15, cells: ['koa/ping', 'koa/query'], commits: COMMITS },
	steps: [
		{ commit: SLOWER, size: -0.04, cell: 'koa/ping' },
		{ commit: REPAIRED, size: 0.04, cell: 'koa/ping' },
	],
});

/** Commits measured between two runs of the writing job. */
const STRIDE = 3;

/** Records of the measuring jobs: the levels of some commits, and a proof if their trend needs one. */
async function measure(store: ReturnType<typeof branchStore>, first: number): Promise<BaselineRecord[]> {
	const { records, notes } = await store.read();
	const commit = first + STRIDE - 1;
	const levels = LEVELS.slice(first, commit + 1);
	const trend = trendOf([...records, ...levels], { notes });
	const [group] = chooseProofs(trend, () => true);
	if (group === undefined) return levels;
	const { before, after } = group;
	const theta = commit < SLOWER ? 0 : -0.041;
	const verdict = theta === 0 ? 'unchanged' : 'regressed';
	const proof = proofRecord(LEVELS.slice(0, commit + 1), { before, after, theta, verdict, run: commit });
	const scenarios = group.changes.map(({ row }) => row.scenario);
	return [...levels, { ...proof, cells: proof.cells.filter(({ scenario }) => scenarios.includes(scenario)) }];
}

function leave(t: TestContext, records: readonly BaselineRecord[], run: RecordRequest['runner']['run']): string {
	const folder = mkdtempSync(join(tmpdir(), 'benchgate-one-issue-'));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	mkdirSync(folder, { recursive: true });
	for (const [index, record] of records.entries()) {
		const stamped = { ...record, run: { ...run, id: String(run.id) } };
		writeFileSync(join(folder, `baseline-${index}.json`), renderBaseline(stamped));
	}
	return folder;
}

/** Records of a workflow started by hand, on a wider range than the issue offers. */
async function bisect(t: TestContext, good: number, bad: number, run: RecordRequest['runner']['run']): Promise<string> {
	const commits = LEVELS.slice(good, bad + 1).map(({ commit }) => ({
		...commit,
		sha: commit.sha ?? '',
		author: 'Ada',
	}));
	const levelOf = (commit: number) => (good + commit >= SLOWER ? -0.04 : 0);
	const result = await scriptedBisect({ commits, levelOf, sd: 0.015, cell: 'koa/ping', seed: 5 });
	const { schemaVersion, kind, tool, createdAt } = bisectedWith({});
	const bisected = bisectedOf(result, { schemaVersion, kind, tool, createdAt, run: { ...run, id: String(run.id) } });
	assert.ok(bisected, JSON.stringify(result.ended));
	const folder = leave(t, [], run);
	writeFileSync(join(folder, BISECTED_FILE), renderBisected(bisected));
	return folder;
}

test('suspected, proven, reported once, bisected, repaired, closed', async (t) => {
	const server = await startGitServer(t);
	const { github, double } = await connect(t, { pulls: [] });
	const store = branchStore(server.remote, {
		...{ branch: 'benchgate', folder: 'baselines' },
		author: { name: 'Ann', email: 'ann@example.org' },
	});
	await store.append(LEVELS.slice(0, SLOWER - STRIDE));
	const warnings: Warning[] = [];
	const record = (folder: string, run: RecordRequest['runner']['run']) =>
		runRecord({
			...{ folder, github, token: 'token-of-the-test', defaultBranch: 'main', url: server.remote.url },
			place: { kind: 'branch', branch: 'benchgate' },
			site: { kind: 'branch', branch: 'benchgate-site' },
			runner: { repository: REPOSITORY, run, serverUrl: 'https://github.com', workspace: folder },
			cacheFolder: server.remote.cacheFolder,
			janitor: server.remote.janitor,
			signal: new AbortController().signal,
			warn: (warning) => warnings.push(warning),
		});
	/** The loss shown on the dashboard. */
	const shown = () => {
		const { changes } = JSON.parse(server.git('show', 'benchgate-site:data/index.json'));
		return changes.find(({ step }: { step: number }) => step < 0);
	};
	const culprit = LEVELS[SLOWER]?.commit.sha ?? '';
	const states: string[] = [];
	let bisected = false;
	for (let commit = SLOWER - STRIDE; commit < COMMITS; commit += STRIDE) {
		const run = { id: 1000 + commit, attempt: 1, url: `https://github.com/o/r/actions/runs/${1000 + commit}` };
		await record(leave(t, await measure(store, commit), run), run);
		const tell = () => {
			const loss = shown();
			const [issue] = double.state.threads;
			states.push(loss === undefined ? 'none' : `${loss.state} ${loss.issue ?? '-'} ${issue?.state ?? 'open'}`);
		};
		tell();
		const [issue] = double.state.threads;
		if (bisected || issue === undefined) continue;
		bisected = true;
		assert.ok(issue.body.includes(`/commit/${culprit}`), 'the commit is among those named');
		assert.match(issue.body, /npx benchgate bisect --good [0-9a-f]{12} --bad [0-9a-f]{12}/);
		const byHand = { ...run, id: run.id + 5000 };
		const { summary } = await record(await bisect(t, 4, commit + STRIDE - 1, byHand), byHand);
		assert.match(summary ?? '', /\[#1\]\(.*\) brought up to date/);
		tell();
		assert.match(issue.title, new RegExp(` since ${culprit.slice(0, 7)}$`));
		const sentence = `The commit is [\`${culprit.slice(0, 7)}\`](https://github.com/o/r/commit/${culprit})** (`;
		assert.ok(issue.body.includes(sentence), issue.body);
		assert.match(issue.body, /\*\* \(9\d\.\d % probable\)|\*\* \(100(?:\.0)? % probable\)/);
		assert.equal(shown().named.sha, culprit);
	}
	assert.deepEqual(
		[...new Set(states)],
		['none', 'confirmed 1 open', 'bisected 1 open', 'repaired 1 closed'],
		'it is proven by the run that finds it, and the dashboard has the issue at once',
	);
	assert.equal(double.state.threads.length, 1);
	const [issue] = double.state.threads;
	assert.deepEqual([issue?.state, issue?.reason], ['closed', 'completed']);
	assert.ok(issue?.body.includes(`The commit is [\`${culprit.slice(0, 7)}\`]`), 'what was found stays in it');
	assert.match(double.state.comments[0]?.body ?? '', /^Repaired: /);
	assert.deepEqual(warnings, []);
	const { records, notes, unread } = await store.read();
	assert.deepEqual(unread, []);
	assert.equal(records.filter(({ purpose }) => purpose === 'proof').length, 1, 'proven once');
	assert.deepEqual(
		notes.toSorted((a, b) => (a.at < b.at ? -1 : 1)).map(({ state, issue: number, by }) => [state, number, by]),
		[
			['confirmed', 1, 'proof'],
			['bisected', 1, 'bisect'],
			['repaired', 1, 'proof'],
		],
	);
	assert.equal(server.git('rev-list', '--count', 'benchgate-site'), '1');
});
