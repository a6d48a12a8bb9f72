/**
 * Follows a slowdown on real commits through baselines, issue and bisect: `node benchmarks/chain.ts CLONE ANCHOR BRANCH
 * SERVER SCENARIO [BUDGET]`. Measures each first parent after ANCHOR up to BRANCH as `mode: baseline` does, and stores
 * it as `mode: record` does, on a real git server and a double of GitHub that enforces a token's permissions. Bisects
 * the commits of the issue that opens. Prints the events of each commit, and in the end the state of the issue. CLONE
 * should have a slowdown and later its repair.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { runRecord } from '../src/action/record/record-mode.ts';
import { findCacheFolder } from '../src/cli/measuring.ts';
import { readBaselineRequest, readBisect } from '../src/config/load-request.ts';
import { renderBaseline } from '../src/formats/baseline/baseline-file.ts';
import { BISECTED_FILE, renderBisected } from '../src/formats/baseline/trend-files.ts';
import { findNode } from '../src/measure/machine.ts';
import { startJanitor } from '../src/process/janitor.ts';
import { bisectDocument } from '../src/report/bisect-document.ts';
import { toTerminal } from '../src/report/document/terminal-writer.ts';
import { openLocalCommits } from '../src/runs/baseline/local-commits.ts';
import { runBaseline } from '../src/runs/baseline/run-baseline.ts';
import { runBisect } from '../src/runs/bisect/run-bisect.ts';
import { branchStore } from '../src/store/branch-store.ts';
import { bisectedOf } from '../src/trend/bisect/bisect-result.ts';
import { trendOf } from '../src/trend/trend-of.ts';
import { connect, REPOSITORY } from '../test/github/support.ts';
import { startGitServer } from '../test/store/git-server.ts';

const [cwd = '', anchor = '', branch = '', servers = '', scenarios = '', budget = '2m'] = process.argv.slice(2);
const BISECT_BUDGET = '12m';
const signal = new AbortController().signal;
const progress = { step() {}, status() {}, end() {} };
const ends: (() => unknown)[] = [];
// The test helpers use only `after` of a test.
const t = { after: (end: () => unknown) => void ends.push(end) } as unknown as TestContext;

const janitor = await startJanitor();
ends.push(() => janitor.close());
const node = findNode(undefined);
const tools = { cwd, node, janitor, progress, signal, cacheFolder: findCacheFolder() };
let runs = 0;
let bisected = false;

try {
	const git = await startGitServer(t);
	const { github, double } = await connect(t, { pulls: [] });
	const author = { name: 'Ada', email: 'ada@example.org' };
	const store = branchStore(git.remote, { branch: 'benchgate', folder: 'baselines', author });

	const record = async (files: Readonly<Record<string, string>>, id: number) => {
		const workspace = mkdtempSync(join(tmpdir(), 'benchgate-chain-'));
		ends.push(() => rmSync(workspace, { recursive: true, force: true }));
		for (const [name, text] of Object.entries(files)) writeFileSync(join(workspace, name), text);
		await runRecord({
			...{ folder: workspace, github, token: 'token', defaultBranch: 'main', url: git.remote.url, signal },
			place: { kind: 'branch', branch: 'benchgate' },
			site: { kind: 'branch', branch: 'benchgate-site' },
			runner: { repository: REPOSITORY, run: runOf(id), serverUrl: 'https://github.com', workspace },
			...{ cacheFolder: git.remote.cacheFolder, janitor: git.remote.janitor },
			warn: ({ message }) => say(`  ${message}`),
		});
	};

	const measure = async (sha: string) => {
		const request = await readBaselineRequest(cwd, {
			server: servers,
			scenario: scenarios,
			budget,
			head: `git:${sha}`,
		});
		const commits = openLocalCommits({ ...tools, subject: request.config.subject });
		const { records: earlier, notes: changeNotes } = await store.read();
		const id = ++runs;
		const { records } = await runBaseline({
			...{ ...tools, config: request.config, precision: request.precision, earlier, release: null },
			head: await commits.findHead(`git:${sha}`, branch),
			given: await commits.findGiven(`git:${anchor}`),
			run: { ...runOf(id), id: String(id) },
			...{ skipUnchanged: false, findAnchor: commits.findAnchor, keep: async () => {} },
			reproduce: ({ base, head }) => request.reproduce(base, head),
			proving: { changeNotes, reproduceDuet: request.reproduceDuet },
		});
		await record(Object.fromEntries(records.map((each, at) => [`${at}.json`, renderBaseline(each)])), id);
		return records.map(({ purpose, cells: [cell] }) => `${purpose} ${percent(cell?.theta)} ± ${percent(cell?.se)}`);
	};

	const bisect = async (good: string, bad: string) => {
		const options = { server: servers, scenario: scenarios, good, bad, budget: BISECT_BUDGET };
		const { config, reproduce } = await readBisect(cwd, options);
		const result = await runBisect({ ...tools, config, good, bad, reproduce });
		say(toTerminal(bisectDocument(result), { colour: false, width: 100 }));
		const id = ++runs;
		const bisected = bisectedOf(result, {
			...{ schemaVersion: 1, kind: 'benchgate-bisected', tool: { name: 'benchgate', version: '0.0.0' } },
			...{ createdAt: new Date().toISOString(), run: { ...runOf(id), id: String(id) } },
		});
		if (bisected !== null) await record({ [BISECTED_FILE]: renderBisected(bisected) }, id);
	};

	for (const sha of listCommits()) {
		const levels = await measure(sha);
		const { records, notes } = await store.read();
		const changes = trendOf(records, { notes }).rows.flatMap((row) => row.changes);
		const states = changes.map(({ step, state, at }) => `${percent(step)} at point ${at} ${state}`);
		const [issue] = double.state.threads;
		say(
			`${sha.slice(0, 7)}  ${levels.join(', ')}  [${states.join('; ')}]  ${issue ? `issue ${issue.state ?? 'open'}` : ''}`,
		);
		const [, good, bad] = /bisect --good (\w+) --bad (\w+)/.exec(issue?.body ?? '') ?? [];
		if (bisected || good === undefined || bad === undefined) continue;
		bisected = true;
		await bisect(good, bad);
	}
	for (const { title, state = 'open', body } of double.state.threads) say(`\n${state}: ${title}\n\n${body}`);
	for (const { body } of double.state.comments) say(`\n${body}`);
} finally {
	for (const end of ends.reverse()) await end();
}

function listCommits(): string[] {
	const args = ['rev-list', '--reverse', '--first-parent', `${anchor}..${branch}`];
	return execFileSync('git', args, { cwd, encoding: 'utf8' }).trim().split('\n');
}

function runOf(id: number) {
	return { id, attempt: 1, url: `https://github.com/o/r/actions/runs/${id}` };
}

function percent(ratio: number | null | undefined): string {
	return ratio == null ? '–' : `${(100 * Math.expm1(ratio)).toFixed(1)} %`;
}

function say(text: string): void {
	process.stdout.write(`${text}\n`);
}
