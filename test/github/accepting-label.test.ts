import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { findAcceptances } from '../../src/github/acceptances.ts';
import { examplePull } from '../support/github/state.ts';
import type { DoubleState, LabelEvent, StoredCheckRun, StoredRun } from '../support/github/types.ts';
import { connect, HEAD, REPOSITORY } from './support.ts';

const LABEL = 'benchgate: accepted';
const OLDER = 'e'.repeat(40);
/** Minutes of one morning. */
const at = (minute: number): string => `2026-03-01T10:${String(minute).padStart(2, '0')}:00Z`;

function run(headSha: string, minute: number, given: Partial<StoredRun> = {}): StoredRun {
	const id = minute + 1;
	const branch = { headBranch: 'topic', headRepository: 'fork/r' };
	return { id, headSha, ...branch, event: 'pull_request', createdAt: at(minute), ...given };
}

function labelled(minute: number, actor: string | null = 'ann', label = LABEL): LabelEvent {
	return { issue: 1, label, actor, createdAt: at(minute) };
}

/** A pull request of a fork, opened at minute 0 with an older commit, whose head was measured first at minute 20. */
function stateOf(given: Partial<DoubleState>, pull: Parameters<typeof examplePull>[0] = {}): Partial<DoubleState> {
	return {
		pulls: [examplePull({ headRepository: 'fork/r', labels: [LABEL], createdAt: at(0), ...pull })],
		collaborators: { ann: 'write', eve: 'read' },
		runs: [run(OLDER, 1), run(HEAD, 20), run(HEAD, 30)],
		...given,
	};
}

async function find(t: TestContext, state: Partial<DoubleState>, decidedElsewhere = false) {
	const { github, double } = await connect(t, state);
	const place = { repository: REPOSITORY, number: 1, headSha: HEAD, label: LABEL, decidedElsewhere };
	const result = await findAcceptances(github, place);
	const messages = result.warnings.map(({ message }) => message).join('\n');
	return { by: result.acceptances.map(({ by }) => by), result, messages, double };
}

test('a label newer than the first run on this head counts for this head', async (t) => {
	const { result } = await find(t, stateOf({ labelsEvents: [labelled(21)] }));
	assert.deepEqual(result, { acceptances: [{ by: 'ann', via: 'label', reason: null, headSha: HEAD }], warnings: [] });
});

test('a label from before the first run on this head was for an earlier commit', async (t) => {
	for (const minute of [5, 20]) {
		const { by, messages } = await find(t, stateOf({ labelsEvents: [labelled(minute)] }));
		assert.deepEqual(by, []);
		assert.match(
			messages,
			/put on by ann, does not count: .*older than the first run on commit aaaaaaaaaa.*off and on again/,
		);
	}
});

test('a label added again counts again', async (t) => {
	const off: LabelEvent = { ...labelled(24), event: 'unlabeled' };
	const { by } = await find(t, stateOf({ labelsEvents: [labelled(5), off, labelled(25)] }));
	assert.deepEqual(by, ['ann']);
});

for (const event of ['head_ref_force_pushed', 'head_ref_restored', 'reopened', 'base_ref_changed']) {
	test(`after ${event} a label no longer counts: head may be an old commit again`, async (t) => {
		const labelsEvents = [labelled(25)];
		const other = (minute: number) => [{ issue: 1, event, createdAt: at(minute) }];
		const after = await find(t, stateOf({ labelsEvents, otherEvents: other(26) }));
		assert.deepEqual(after.by, []);
		assert.match(after.messages, /force-pushed.*off and on again/);
		const before = await find(t, stateOf({ labelsEvents, otherEvents: other(24) }));
		assert.deepEqual(before.by, ['ann']);
	});
}

for (const [what, other] of Object.entries({
	'from before the pull request was opened': run(HEAD, 2, { createdAt: '2026-02-01T10:00:00Z' }),
	'on another branch': run(HEAD, 2, { headBranch: 'decoy' }),
	'of another fork': run(HEAD, 2, { headRepository: 'mal/r' }),
	'of another event': run(HEAD, 2, { event: 'workflow_dispatch' }),
})) {
	test(`a run on the same commit ${what} does not make a label newer than the head`, async (t) => {
		const { by } = await find(t, stateOf({ runs: [other, run(HEAD, 20)], labelsEvents: [labelled(5)] }));
		assert.deepEqual(by, []);
		const none = await find(t, stateOf({ runs: [other], labelsEvents: [labelled(25)] }));
		assert.deepEqual(none.by, []);
		assert.match(none.messages, /no run on a pull request shows/);
	});
}

test('without access to runs a fork’s label does not count, and the permission is named', async (t) => {
	const { by, messages } = await find(t, stateOf({ labelsEvents: [labelled(25)], permissions: { actions: 'none' } }));
	assert.deepEqual(by, []);
	assert.match(messages, /which commit the label was put on for.*actions: read/);
});

test('without access to runs our own checks date a branch of this repository', async (t) => {
	const check = (headSha: string, minute: number, externalId: string): StoredCheckRun => ({
		...{ id: minute, name: 'benchgate', headSha, status: 'completed', conclusion: 'failure', externalId },
		...{ detailsUrl: null, startedAt: at(minute), completedAt: at(minute), annotations: [] },
		output: { title: null, summary: null, text: null },
	});
	const checkRuns = [
		check(OLDER, 1, 'benchgate:default:1:1'),
		check(HEAD, 2, ''),
		check(HEAD, 20, 'benchgate:default:3:1'),
	];
	const state = (minute: number) =>
		stateOf(
			{ labelsEvents: [labelled(minute)], permissions: { actions: 'none' }, checkRuns },
			{ headRepository: 'o/r' },
		);
	assert.deepEqual((await find(t, state(25))).by, ['ann']);
	assert.deepEqual((await find(t, state(10))).by, []);
});

test('without access to runs and checks a label does not count, and the permission for runs is named', async (t) => {
	const permissions = { actions: 'none', checks: 'none' } as const;
	const state = stateOf({ labelsEvents: [labelled(25)], permissions }, { headRepository: 'o/r' });
	const { by, messages } = await find(t, state);
	assert.deepEqual(by, []);
	assert.match(messages, /which commit the label was put on for.*actions: read/);
	assert.doesNotMatch(messages, /find acceptances/);
});

for (const role of ['triage', 'read', 'none'] as const) {
	test(`a label does not count with the role ${role}`, async (t) => {
		const { by, messages } = await find(t, stateOf({ labelsEvents: [labelled(25)], collaborators: { ann: role } }));
		assert.deepEqual(by, []);
		assert.match(messages, /label, put on by ann, .*no write access/);
	});
}

test('label names ignore case; other and removed labels do not count', async (t) => {
	const label = 'Benchgate: Accepted';
	const same = await find(t, stateOf({ labelsEvents: [labelled(25, 'ann', label)] }, { labels: [label] }));
	assert.deepEqual(same.by, ['ann']);
	const other = `${LABEL}?`;
	const another = await find(t, stateOf({ labelsEvents: [labelled(25, 'ann', other)] }, { labels: [other] }));
	assert.deepEqual(another.result, { acceptances: [], warnings: [] });
	const off = await find(t, stateOf({ labelsEvents: [labelled(25)] }, { labels: [] }));
	assert.deepEqual(off.result, { acceptances: [], warnings: [] });
});

test('the last person to add the label decides, over all pages of events', async (t) => {
	const others = Array.from({ length: 250 }, () => labelled(22, 'ann', 'bug'));
	const off: LabelEvent = { ...labelled(23, 'eve'), event: 'unlabeled' };
	const byEve = await find(t, stateOf({ labelsEvents: [labelled(21), ...others, off, labelled(25, 'eve')] }));
	assert.deepEqual(byEve.by, []);
	assert.match(byEve.messages, /eve/);
	const byAnn = await find(t, stateOf({ labelsEvents: [labelled(21, 'eve'), ...others, off, labelled(25)] }));
	assert.deepEqual(byAnn.by, ['ann']);
});

test('a label of an app does not count, nor one that an app added for a person', async (t) => {
	for (const event of [labelled(25, 'helper[bot]'), { ...labelled(25), app: 'helper' }]) {
		const { by, messages, double } = await find(t, stateOf({ labelsEvents: [event] }));
		assert.deepEqual(by, []);
		assert.match(messages, /an app cannot accept/);
		assert.ok(double.calls.every(({ path }) => !path.includes('collaborators')));
	}
});

for (const [name, labelsEvents] of [
	['an account that is gone', [labelled(25, null)]],
	['an unknown person', []],
] as const) {
	test(`a label added by ${name} does not count`, async (t) => {
		const { by, messages } = await find(t, stateOf({ labelsEvents: [...labelsEvents] }));
		assert.deepEqual(by, []);
		assert.match(messages, /does not count/);
	});
}

test('a maintainer’s label counts beside a line that does not', async (t) => {
	const body = 'benchgate: accepted express/ping -6% please';
	const { by, messages } = await find(t, stateOf({ labelsEvents: [labelled(25)] }, { author: 'eve', body }));
	assert.deepEqual(by, ['ann']);
	assert.match(messages, /line in the description, by eve, .*no write access/);
});

test('a job without access to runs names the workflow that reads the label, if there is one', async (t) => {
	const permissions = { 'pull-requests': 'read', actions: 'none', checks: 'none' } as const;
	const state = stateOf({ labelsEvents: [labelled(21)], permissions });
	const alone = await find(t, state);
	assert.match(alone.messages, /actions: read/);
	const paired = await find(t, state, true);
	assert.deepEqual(paired.by, []);
	assert.match(paired.messages, /The reporting workflow reads it, and its check counts\./);
	assert.doesNotMatch(paired.messages, /permissions|actions: read/);
});
