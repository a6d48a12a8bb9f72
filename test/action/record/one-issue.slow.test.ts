/** A slowdown of main from the first suspicion to its repair, on a real git server and a double of GitHub that refuses what a token may not do. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type RecordRequest, runRecord } from '../../../src/action/record/record-mode.ts';
import { renderBaseline } from '../../../src/formats/baseline/baseline-file.ts';
import { branchStore } from '../../../src/store/branch-store.ts';
import { chooseProofs } from '../../../src/trend/changes/choose-proofs.ts';
import { trendOf } from '../../../src/trend/trend-of.ts';
import type { BaselineRecord } from '../../../src/types/baseline.ts';
import type { Warning } from '../../../src/types/units.ts';
import { connect, REPOSITORY } from '../../github/support.ts';
import { startGitServer } from '../../store/git-server.ts';
import { proofRecord } from '../../support/proofs.ts';
import { syntheticRecords } from '../../support/records.ts';

const [SLOWER, REPAIRED, COMMITS] = [20, 32, 44];
const LEVELS = syntheticRecords({
	...{ seed: 15, cells: ['koa/ping', 'koa/query'], commits: COMMITS },
	steps: [
		{ commit: SLOWER, size: -0.04, cell: 'koa/ping' },
		{ commit: REPAIRED, size: 0.04, cell: 'koa/ping' },
	],
});

/** Commits that are measured between two runs of the job that writes. */
const STRIDE = 3;

/** What the measuring jobs leave: the levels of some commits, and a proof where their trend asks for one. */
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
	const asked = group.changes.map(({ row }) => row.scenario);
	return [...levels, { ...proof, cells: proof.cells.filter(({ scenario }) => asked.includes(scenario)) }];
}

function leave(t: TestContext, records: readonly BaselineRecord[], run: RecordRequest['runner']['run']): string {
	const folder = mkdtempSync(join(tmpdir(), 'benchgate-one-issue-'));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	mkdirSync(folder, { recursive: true });
	for (const [index, record] of records.entries()) {
		const own = { ...record, run: { ...run, id: String(run.id) } };
		writeFileSync(join(folder, `baseline-${index}.json`), renderBaseline(own));
	}
	return folder;
}

test('suspected, proven, told once, repaired, closed', async (t) => {
	const server = await startGitServer(t);
	const { github, double } = await connect(t, { pulls: [] });
	const store = branchStore(server.remote, {
		...{ branch: 'benchgate', folder: 'baselines' },
		author: { name: 'Ann', email: 'ann@example.org' },
	});
	await store.append(LEVELS.slice(0, SLOWER - STRIDE));
	const warnings: Warning[] = [];
	const states: string[] = [];
	for (let commit = SLOWER - STRIDE; commit < COMMITS; commit += STRIDE) {
		const run = { id: 1000 + commit, attempt: 1, url: `https://github.com/o/r/actions/runs/${1000 + commit}` };
		const folder = leave(t, await measure(store, commit), run);
		await runRecord({
			...{ folder, github, token: 'token-of-the-test', defaultBranch: 'main', url: server.remote.url },
			place: { kind: 'branch', branch: 'benchgate' },
			site: { kind: 'branch', branch: 'benchgate-site' },
			runner: { repository: REPOSITORY, run, serverUrl: 'https://github.com', workspace: folder },
			cacheFolder: server.remote.cacheFolder,
			janitor: server.remote.janitor,
			signal: new AbortController().signal,
			warn: (warning) => warnings.push(warning),
		});
		// What the dashboard shows of the loss.
		const { changes } = JSON.parse(server.git('show', 'benchgate-site:data/index.json'));
		const loss = changes.find(({ step }: { step: number }) => step < 0);
		const [issue] = double.state.threads;
		states.push(loss === undefined ? 'none' : `${loss.state} ${loss.issue ?? '-'} ${issue?.state ?? 'open'}`);
	}
	assert.deepEqual(
		[...new Set(states)],
		['none', 'confirmed 1 open', 'repaired 1 closed'],
		'it is proven by the run that finds it, and the dashboard has the issue at once',
	);
	assert.equal(double.state.threads.length, 1);
	const [issue] = double.state.threads;
	const culprit = LEVELS[SLOWER]?.commit.sha ?? '';
	assert.ok(issue);
	assert.ok(issue.body.includes(`/commit/${culprit}`), 'the commit is among those named');
	assert.deepEqual([issue.state, issue.reason], ['closed', 'completed']);
	assert.match(double.state.comments[0]?.body ?? '', /^Repaired: /);
	assert.deepEqual(warnings, []);
	const { records, notes, unread } = await store.read();
	assert.deepEqual(unread, []);
	assert.equal(records.filter(({ purpose }) => purpose === 'proof').length, 1, 'proven once');
	assert.deepEqual(
		notes.map(({ state, issue: number, by }) => [state, number, by]),
		[
			['confirmed', 1, 'proof'],
			['repaired', 1, 'proof'],
		],
	);
	assert.equal(server.git('rev-list', '--count', 'benchgate-site'), '1');
});
