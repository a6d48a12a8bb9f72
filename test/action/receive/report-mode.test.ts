import assert from 'node:assert/strict';
import { test } from 'node:test';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { runReportMode } from '../../../src/action/modes/report-mode.ts';
import { formatMarker } from '../../../src/github/comment-marker.ts';
import type { Publication } from '../../../src/types/action-run.ts';
import { isUserError } from '../../../src/types/errors.ts';
import type { Raw } from '../../../src/types/result.ts';
import type { Fault } from '../../../src/types/round.ts';
import type { Warning } from '../../../src/types/units.ts';
import { HEAD, publicationCase, publicationOf } from '../../formats/publication-cases.ts';
import { runOf } from '../../github/support.ts';
import type { Double, StoredComment } from '../../support/github/types.ts';
import { forgeZip } from './artifact-archives.ts';
import { rawOf } from './raw-cases.ts';
import {
	artifactOf,
	CONTENTS,
	FORK_PULL,
	MEASURED,
	measuredRun,
	report,
	TIP,
	WORKFLOW,
	workflowText,
} from './reporting.ts';

const RED = publicationCase('one-regressed');
const GREEN = publicationCase('unchanged');
const BOT = { login: 'github-actions[bot]', type: 'Bot' } as const;

function bodies({ state }: Double): string[] {
	return state.comments.map(({ body }) => body);
}

function checks({ state }: Double): string[] {
	return state.checkRuns.map(({ name, headSha, conclusion }) => `${name} ${headSha} ${conclusion}`);
}

function writes({ calls }: Double): string[] {
	return calls.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`);
}

/** A comment of ours on the pull request. */
function ownComment(run: number, state: 'measuring' | 'final', key = 'default'): StoredComment {
	const marker = formatMarker({ key, run: runOf(run), headSha: HEAD, state });
	return { id: 1, issue: 1, body: `${marker}\nwords of run ${run}`, user: BOT };
}

test("a fork's regression becomes comment and check of its pull request, and the report run is green", async (t) => {
	const { reported, double } = await report(t, { artifacts: [await artifactOf(RED)] });
	assert.equal(double.state.comments.length, 1);
	const [body = ''] = bodies(double);
	assert.match(body, new RegExp(`^<!-- benchgate:default run=${MEASURED.id} attempt=1 sha=${HEAD} state=final -->\n`));
	assert.match(body, /### ❌ Fail/);
	assert.match(body, /actions\/runs\/70\b/);
	assert.deepEqual(checks(double), [`benchgate ${HEAD} failure`]);
	assert.equal(double.state.checkRuns[0]?.externalId, 'benchgate:default:70:1');
	assert.deepEqual(reported.fail, []);
	assert.equal(reported.outputs.outcome, 'fail');
	assert.equal(reported.outputs.regressed, '1');
	assert.match(reported.outputs['comment-url'] ?? '', /issues\/1|pull\/1/);
	assert.match(reported.summary ?? '', /### ❌ Fail/);
	assert.match(reported.notices.join(' '), /Wrote the comment default on #1.*Concluded the check default/s);
});

test('of the artifact only words and numbers count', async (t) => {
	const lies = { gate: 'advisory' } as const;
	const warnings = [
		{ code: 'missing-permission', message: 'Could not write the comment.' },
		{ code: 'busy-machine', message: 'Other processes were at work.' },
	];
	const { double } = await report(t, {
		artifacts: [await artifactOf({ ...RED, ...lies, warnings })],
		inputs: { gate: 'enforce', 'on-inconclusive': 'fail' },
	});
	assert.deepEqual(checks(double), [`benchgate ${HEAD} failure`]);
	const [body = ''] = bodies(double);
	assert.doesNotMatch(body, /missing-permission/);
	assert.match(body, /busy-machine/);
});

test("the gate mode is the reporter's, else that of the base branch's workflow, never the artifact's", async (t) => {
	const artifacts = [await artifactOf({ ...RED, gate: 'advisory', onInconclusive: 'pass' })];
	const { double } = await report(t, { artifacts });
	assert.deepEqual(checks(double), [`benchgate ${HEAD} failure`]);
	const contents = { ...CONTENTS, [WORKFLOW]: workflowText({ gate: 'advisory' }) };
	const advised = await report(t, { artifacts, state: { contents } });
	assert.deepEqual(checks(advised.double), [`benchgate ${HEAD} neutral`]);
	const enforced = await report(t, { artifacts, state: { contents }, inputs: { gate: 'enforce' } });
	assert.deepEqual(checks(enforced.double), [`benchgate ${HEAD} failure`]);
});

test('a publication about another commit is refused, with a comment', async (t) => {
	const { reported, double } = await report(t, {
		artifacts: [await artifactOf({ ...GREEN, headSha: 'b'.repeat(40) })],
	});
	assert.match(reported.fail.join(), /another commit/);
	assert.match(bodies(double).join(), /refused: it is about another commit/);
	assert.deepEqual(checks(double), [`benchgate ${HEAD} failure`]);
});

const HOSTILE = {
	'no raw data': async () => artifactOf(GREEN, {}, null),
	'raw data of no run': async () =>
		artifactOf(GREEN, {}, '{"schemaVersion":1,"kind":"benchgate-raw","@maintainers":1}'),
	'a path that climbs': async () => artifactOf(GREEN, { zip: forgeZip([{ name: '../publication.json' }]) }),
	'no archive': async () => artifactOf(GREEN, { zip: Buffer.from('<script>alert(1)</script>') }),
	'no JSON': async () => artifactOf('@maintainers <script>'),
} as const;

for (const [name, make] of Object.entries(HOSTILE)) {
	test(`an artifact with ${name} is red for the maintainers and a failure on the pull request`, async (t) => {
		const { reported, double } = await report(t, { artifacts: [await make()] });
		assert.equal(reported.fail.length, 1);
		assert.match(reported.fail[0] ?? '', /the artifact of the measuring run was refused/);
		assert.deepEqual(checks(double), [`benchgate ${HEAD} failure`]);
		assert.doesNotMatch(bodies(double).join(), /script|@maintainers/);
	});
}

test('artifacts of other versions and expired ones name the remedy', async (t) => {
	const later = await report(t, { artifacts: [await artifactOf(JSON.stringify({ ...GREEN, schemaVersion: 2 }))] });
	assert.match(later.reported.fail.join(), /schema version 2.*use one version of benchgate/);
	const expired = await report(t, { artifacts: [await artifactOf(GREEN, { expired: true })] });
	assert.match(expired.reported.fail.join(), /expired/);
});

test('several matrices each have comment and check of their own', async (t) => {
	const { reported, double } = await report(t, {
		artifacts: [
			await artifactOf({ ...RED, commentKey: 'linux' }, { id: 5, name: 'benchgate-linux' }),
			await artifactOf({ ...GREEN, commentKey: 'arm' }, { id: 6, name: 'benchgate-arm' }),
			await artifactOf(GREEN, { id: 7, name: 'benchgated' }),
			await artifactOf(GREEN, { id: 8, name: 'coverage' }),
		],
		inputs: { 'comment-keys': 'linux, arm' },
	});
	assert.deepEqual(checks(double), [`benchgate (arm) ${HEAD} success`, `benchgate (linux) ${HEAD} failure`]);
	assert.deepEqual(
		bodies(double).map((body) => body.slice(0, 22)),
		['<!-- benchgate:arm run', '<!-- benchgate:linux r'],
	);
	assert.match(reported.summary ?? '', /^## arm\n\n### ✅[\s\S]+\n## linux\n\n### ❌/);
	assert.equal(reported.outputs.outcome, 'pass');
});

test('two artifacts cannot claim one comment; the first is published', async (t) => {
	const { reported, double } = await report(t, {
		artifacts: [await artifactOf(RED, { id: 5 }), await artifactOf(GREEN, { id: 6, name: 'benchgate-b' })],
	});
	assert.deepEqual(checks(double), [`benchgate ${HEAD} failure`]);
	assert.match(reported.fail.join(), /claim the same comment.*its own comment-key/);
});

test('a flood of artifacts is not even downloaded', async (t) => {
	const zip = (await artifactOf(GREEN)).zip;
	const artifacts = Array.from({ length: 11 }, (_, id) => ({ id: id + 1, name: `benchgate-${id}`, runId: 70, zip }));
	const { reported, double } = await report(t, { artifacts });
	assert.match(reported.fail.join(), /more than 10 artifacts/);
	assert.ok(!double.calls.some(({ path }) => path.endsWith('/zip')));
});

test('artifacts that are too large, alone or together, are not downloaded', async (t) => {
	const sized = (sizeBytes: number, key: string, id: number) =>
		artifactOf({ ...GREEN, commentKey: key }, { id, name: `benchgate-${key}`, sizeBytes });
	const downloads = ({ calls }: Double) => calls.filter(({ path }) => path.endsWith('/zip')).length;
	const one = await report(t, { artifacts: [await artifactOf(GREEN, { sizeBytes: 70_000_000 })] });
	assert.match(one.reported.fail.join(), /more than 67108864 bytes/);
	assert.equal(downloads(one.double), 0);
	const artifacts = await Promise.all(['a', 'b', 'c'].map((key, index) => sized(60_000_000, key, 5 + index)));
	const all = await report(t, { artifacts, inputs: { 'comment-keys': 'a,b,c' } });
	assert.match(all.reported.fail.join(), /more than 134217728 bytes/);
	assert.equal(downloads(all.double), 2);
});

for (const [name, pull, words] of [
	['has moved on', { ...FORK_PULL, headSha: 'c'.repeat(40) }, /moved on/],
	['is closed', { ...FORK_PULL, state: 'closed' as const }, /closed/],
	['is of another fork', { ...FORK_PULL, headRepository: 'other/r' }, /no open pull request/],
] as const) {
	test(`nothing is published when the pull request ${name}`, async (t) => {
		const { reported, double } = await report(t, { artifacts: [await artifactOf(RED)], state: { pulls: [pull] } });
		assert.deepEqual(writes(double), []);
		assert.match(reported.notices.join(), words);
		assert.match(reported.summary ?? '', /^### Nothing was published\n\n {4}\S/);
		assert.deepEqual(reported.fail, []);
	});
}

test('a commit pushed while the changed files are read does not replace the measured one', async (t) => {
	const { reported, double } = await report(t, {
		artifacts: [await artifactOf(GREEN)],
		state: { pulls: [{ ...FORK_PULL, files: [WORKFLOW] }] },
		prepare: ({ calls, state }) => {
			const push = calls.push.bind(calls);
			calls.push = (...more) => {
				const isRead = more.some(({ operationId }) => operationId === 'pulls/get');
				if (isRead) state.pulls = [{ ...FORK_PULL, files: ['index.js'], headSha: 'c'.repeat(40) }];
				return push(...more);
			};
		},
	});
	assert.deepEqual([checks(double), bodies(double)], [[], []]);
	assert.match(reported.notices.join(' '), /Nothing was published: .*moved on to ccccccc/);
});

test('runs without a known measured commit publish nothing', async (t) => {
	for (const event of ['issue_comment', 'pull_request_target', 'workflow_run']) {
		const { reported, double } = await report(t, { artifacts: [await artifactOf(RED)], measured: { event } });
		assert.deepEqual(double.calls, []);
		assert.match(reported.notices.join(), /does not name the commit/);
	}
});

test('a push has a check and no comment', async (t) => {
	const push = { event: 'push', headRepository: 'o/r', headBranch: 'main' };
	const { reported, double } = await report(t, {
		artifacts: [await artifactOf({ ...RED, gate: 'advisory' })],
		measured: push,
	});
	assert.deepEqual(bodies(double), []);
	assert.deepEqual(checks(double), [`benchgate ${HEAD} neutral`]);
	assert.match(reported.summary ?? '', /push on main/);
});

test('a regression accepted by a user with write access is green, whatever the artifact claims', async (t) => {
	const pulls = [{ ...FORK_PULL, labels: ['benchgate: accepted'] }];
	const labelsEvents = [{ issue: 1, label: 'benchgate: accepted', actor: 'ann' }];
	const runs = [{ id: 70, headSha: HEAD, headBranch: 'topic', headRepository: 'fork/r', event: 'pull_request' }];
	const yes = await report(t, {
		artifacts: [await artifactOf(RED)],
		state: { pulls, labelsEvents, runs, collaborators: { ann: 'write' } },
	});
	assert.deepEqual(checks(yes.double), [`benchgate ${HEAD} success`]);
	assert.match(bodies(yes.double).join(), /Accepted:[\s\S]*ann/);
	const no = await report(t, {
		artifacts: [await artifactOf(RED)],
		state: { pulls, labelsEvents, runs, collaborators: { ann: 'read' } },
	});
	assert.deepEqual(checks(no.double), [`benchgate ${HEAD} failure`]);
	assert.match(bodies(no.double).join(), /acceptance-ignored/);
});

test('an acceptance in a pull request holds in a merge group that adds it alone', async (t) => {
	const onto = TIP;
	const body = 'benchgate: accepted all -90% the parser is worth it';
	const queued = { event: 'merge_group', headRepository: 'o/r', headBranch: `gh-readonly-queue/main/pr-1-${onto}` };
	const conclusion = async (parents: string[]) => {
		const pulls = [{ ...FORK_PULL, headSha: 'd'.repeat(40), author: 'ann', body }];
		const commits = { [HEAD]: parents, [onto]: [], ['d'.repeat(40)]: [] };
		const state = { pulls, commits, collaborators: { ann: 'write' } as const };
		const { double } = await report(t, { artifacts: [await artifactOf(RED)], measured: queued, state });
		return checks(double);
	};
	assert.deepEqual(await conclusion([onto, 'd'.repeat(40)]), [`benchgate ${HEAD} success`]);
	assert.deepEqual(await conclusion(['e'.repeat(40), 'd'.repeat(40)]), [`benchgate ${HEAD} failure`]);
});

test('an older run overwrites neither comment nor check of a newer one', async (t) => {
	const { reported, double } = await report(t, {
		artifacts: [await artifactOf(RED)],
		state: { comments: [ownComment(80, 'final')] },
	});
	assert.deepEqual(writes(double), []);
	assert.match(reported.notices.join(), /a newer run has written them/);
	assert.deepEqual(reported.fail, []);
});

test('on-change writes a new comment only for a change, and always updates an existing one', async (t) => {
	const inputs = { comment: 'on-change' };
	const quiet = await report(t, { artifacts: [await artifactOf(GREEN)], inputs });
	assert.deepEqual(bodies(quiet.double), []);
	assert.deepEqual(checks(quiet.double), [`benchgate ${HEAD} success`]);
	const loud = await report(t, { artifacts: [await artifactOf(RED)], inputs });
	assert.equal(bodies(loud.double).length, 1);
	const comments = [ownComment(60, 'final')];
	const updated = await report(t, { artifacts: [await artifactOf(GREEN)], inputs, state: { comments } });
	assert.match(bodies(updated.double)[0] ?? '', /run=70 .*\n### ✅/);
	const never = await report(t, {
		artifacts: [await artifactOf(RED)],
		inputs: { comment: 'never', 'check-run': 'false' },
	});
	assert.deepEqual(writes(never.double), []);
	assert.match(never.reported.summary ?? '', /### ❌ Fail/);
});

test('a run that failed without an artifact is reported as failed', async (t) => {
	const { reported, double } = await report(t, { measured: { conclusion: 'failure' } });
	assert.match(bodies(double).join(), /the measuring run failed before it left a result/);
	assert.deepEqual(checks(double), [`benchgate ${HEAD} failure`]);
	assert.deepEqual(reported.fail, []);
	const late = await report(t, { measured: { conclusion: 'timed_out' }, inputs: { gate: 'advisory' } });
	assert.match(bodies(late.double).join(), /ran out of time/);
	assert.deepEqual(checks(late.double), [`benchgate ${HEAD} neutral`]);
});

test('a run that succeeded without an artifact is not ours', async (t) => {
	const { reported, double } = await report(t, { inputs: { 'artifact-name': 'bench-2' } });
	assert.deepEqual(writes(double), []);
	assert.match(reported.notices.join(), /left no artifact "bench-2".*artifact-name/);
});

test('a cancelled run concludes the comment that waits for it, and no other', async (t) => {
	const measured = { conclusion: 'cancelled' };
	const waiting = await report(t, { measured, state: { comments: [ownComment(70, 'measuring')] } });
	assert.match(bodies(waiting.double)[0] ?? '', /state=final -->\n### ⏹️ Cancelled/);
	assert.deepEqual(checks(waiting.double), [`benchgate ${HEAD} cancelled`]);
	for (const comment of [ownComment(60, 'final'), ownComment(69, 'measuring')]) {
		const other = await report(t, { measured, state: { comments: [comment] } });
		assert.deepEqual(bodies(other.double), [comment.body]);
	}
	const none = await report(t, { measured });
	assert.deepEqual(bodies(none.double), []);
	const published = await report(t, { measured, artifacts: [await artifactOf(publicationOf({ kind: 'cancelled' }))] });
	assert.deepEqual(bodies(published.double), []);
});

test('missing permissions make the report run red and name the YAML', async (t) => {
	const { reported } = await report(t, {
		artifacts: [await artifactOf(RED)],
		state: { permissions: { 'pull-requests': 'read', issues: 'read', checks: 'read' } },
	});
	assert.match(reported.fail.join('\n'), /pull-requests: write[\s\S]*checks: write/);
	assert.match(reported.summary ?? '', /### ❌ Fail/);
});

test('without a token, or without artifacts to read, the report run names the remedy', async (t) => {
	const session = { inputs: null, runner: null, github: null, janitor: null, signal: null } as never;
	await assert.rejects(runReportMode(session, { kind: 'report', measured: measuredRun() }), isUserError);
	await assert.rejects(report(t, { state: { permissions: { actions: 'none' } } }), (error) => {
		return isUserError(error) && error.code === 'missing-permission' && /actions: read/.test(`${error.remedy}`);
	});
});

/** Raw data with an attack in every text, and a row that was refused for each. */
function hostileRaw({ conclusion }: Publication): Raw {
	assert.ok(conclusion.kind === 'compared');
	const { tool, createdAt, base, head, environment, warnings, reproduce } = conclusion.result;
	const raw = rawOf({ turns: { home: -0.2 } });
	const context = { ...raw.context, tool, createdAt, base, head, environment, warnings, reproduce };
	const refused = warnings.slice(0, 1).map(({ message }) => ({
		cell: 'app/search',
		fault: { code: message, side: 'base' as const, message },
	}));
	const rounds = raw.rounds.map((round) => ({
		...round,
		cells: round.cells
			.filter(({ cell }) => cell !== 'app/search')
			.map((turn) => ({ ...turn, faults: turn.cell === 'app/checkout' ? faultsOf(warnings) : [] })),
	}));
	return { ...raw, context, refused, rounds };
}

function faultsOf(warnings: readonly Warning[]): Fault[] {
	return warnings.map(({ message }) => ({ code: message, side: 'head', message }));
}

test('the hostile report is published without harm', async (t) => {
	const hostile = publicationCase('hostile');
	const { reported, double } = await report(t, { artifacts: [await artifactOf(hostile, {}, hostileRaw(hostile))] });
	const [body = ''] = bodies(double);
	for (const text of [body, reported.summary ?? '']) {
		const html = micromark(text, { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] });
		assert.match(html, /<table>/);
		assert.doesNotMatch(
			html,
			/<(?:script|img|iframe)|href="(?!https:\/\/github\.(?:example|com\/benchgate\/benchgate\/blob)\/)/i,
		);
	}
	assert.deepEqual(reported.fail, []);
});

test("annotations point into the measured commit's config: to the scenario, else to its top", async (t) => {
	const slower = rawOf({ turns: { search: -0.3 } });
	const { double } = await report(t, { artifacts: [await artifactOf(RED, {}, slower)] });
	const [annotation, ...others] = double.state.checkRuns[0]?.annotations ?? [];
	assert.deepEqual(others, []);
	assert.ok(annotation);
	const { path, start_line: line, annotation_level: level, message } = annotation;
	assert.deepEqual([path, line, level], ['benchgate.yml', 5, 'failure']);
	assert.match(String(message), /^app\/search −/);
	const read = double.calls.filter(({ path: url }) => url.includes('/contents/benchgate.yml'));
	assert.ok(
		read.some(({ query }) => JSON.stringify(query).includes(HEAD)),
		'it was not read at the measured commit',
	);
});

test('a red report names the workflow to rerun', async (t) => {
	const { double } = await report(t, {
		artifacts: [await artifactOf(RED)],
		runner: { workflow: 'benchgate-report.yml' },
	});
	assert.match(bodies(double)[0] ?? '', /run `benchgate-report\.yml` again\./);
	const cancelled = await report(t, {
		measured: { conclusion: 'cancelled' },
		runner: { workflow: 'benchgate-report.yml' },
		state: { comments: [ownComment(70, 'measuring')] },
	});
	assert.match(bodies(cancelled.double)[0] ?? '', /\*\*Next:\*\* Run `bench\.yml` again/);
});
