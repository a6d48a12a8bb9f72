import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findAcceptance } from '../../src/github/acceptance.ts';
import { badGateway } from '../support/github/faults.ts';
import { examplePull } from '../support/github/state.ts';
import type { CollaboratorRole, DoubleState, LabelEvent, StoredPull } from '../support/github/types.ts';
import { connect, REPOSITORY } from './support.ts';

const LABEL = 'benchgate: accepted';
const LINE = 'benchgate: accepted the parser is worth it';
const NOTHING = { acceptance: null, warnings: [] };

function stateOf(pull: Partial<StoredPull>, collaborators: Record<string, CollaboratorRole>): Partial<DoubleState> {
	return { pulls: [examplePull(pull)], collaborators };
}

function labelled(actor: string | null, label = LABEL): LabelEvent {
	return { issue: 1, label, actor };
}

async function find(t: Parameters<typeof connect>[0], state: Partial<DoubleState>) {
	const { github, double } = await connect(t, state);
	return { found: await findAcceptance(github, REPOSITORY, 1, LABEL), double };
}

test('nothing said is nothing accepted, after one request', async (t) => {
	const { found, double } = await find(t, stateOf({ labels: ['bug'], body: 'Faster.' }, {}));
	assert.deepEqual(found, NOTHING);
	assert.equal(double.calls.length, 1);
});

for (const role of ['admin', 'maintain', 'write'] as const) {
	test(`a label put on with the role ${role} counts`, async (t) => {
		const state = { ...stateOf({ labels: [LABEL] }, { ann: role }), labelsEvents: [labelled('ann')] };
		const { found } = await find(t, state);
		assert.deepEqual(found, { acceptance: { by: 'ann', via: 'label', reason: null }, warnings: [] });
	});

	test(`the author’s line counts with the role ${role}`, async (t) => {
		const { found } = await find(t, stateOf({ author: 'ann', body: `Text\n\n${LINE}` }, { ann: role }));
		assert.deepEqual(found, { acceptance: { by: 'ann', via: 'body', reason: 'the parser is worth it' }, warnings: [] });
	});
}

for (const role of ['triage', 'read', 'none'] as const) {
	test(`neither label nor line counts with the role ${role}, and both are named`, async (t) => {
		const pull = { labels: [LABEL], author: 'eve', body: LINE };
		const { found } = await find(t, { ...stateOf(pull, { eve: role }), labelsEvents: [labelled('eve')] });
		assert.equal(found.acceptance, null);
		assert.deepEqual(
			found.warnings.map(({ code }) => code),
			['acceptance-ignored', 'acceptance-ignored'],
		);
		assert.match(found.warnings[0]?.message ?? '', /line in the description, by eve, .*no write access/);
		assert.match(found.warnings[1]?.message ?? '', /label, put on by eve, .*no write access/);
	});
}

test('a label that is no longer there does not count', async (t) => {
	const state = { ...stateOf({ labels: [] }, { ann: 'admin' }), labelsEvents: [labelled('ann')] };
	assert.deepEqual((await find(t, state)).found, NOTHING);
});

test('another label does not count', async (t) => {
	const label = 'benchgate: accepted?';
	const state = { ...stateOf({ labels: [label] }, { ann: 'admin' }), labelsEvents: [labelled('ann', label)] };
	assert.deepEqual((await find(t, state)).found, NOTHING);
});

test('labels are the same in any case', async (t) => {
	const label = 'Benchgate: Accepted';
	const state = { ...stateOf({ labels: [label] }, { ann: 'write' }), labelsEvents: [labelled('ann', label)] };
	assert.equal((await find(t, state)).found.acceptance?.by, 'ann');
});

test('who put the label on last decides, over all pages of events', async (t) => {
	const others = Array.from({ length: 250 }, () => labelled('ann', 'bug'));
	const again: LabelEvent = { ...labelled('ann'), event: 'unlabeled' };
	const state = { ...stateOf({ labels: [LABEL] }, { ann: 'write', eve: 'read' }) };
	const byEve = await find(t, { ...state, labelsEvents: [labelled('ann'), ...others, again, labelled('eve')] });
	assert.equal(byEve.found.acceptance, null);
	assert.match(byEve.found.warnings[0]?.message ?? '', /eve/);
	const byAnn = await find(t, { ...state, labelsEvents: [labelled('eve'), ...others, again, labelled('ann')] });
	assert.equal(byAnn.found.acceptance?.by, 'ann');
});

test('who took the label off is not who put it on', async (t) => {
	const state = stateOf({ labels: [LABEL] }, { ann: 'write', eve: 'read' });
	const takenOff: LabelEvent = { ...labelled('eve'), event: 'unlabeled' };
	const { found } = await find(t, { ...state, labelsEvents: [labelled('ann'), takenOff] });
	assert.equal(found.acceptance?.by, 'ann');
});

test('a label of an app does not count', async (t) => {
	const state = { ...stateOf({ labels: [LABEL] }, {}), labelsEvents: [labelled('helper[bot]')] };
	const { found, double } = await find(t, state);
	assert.equal(found.acceptance, null);
	assert.match(found.warnings[0]?.message ?? '', /helper\[bot\].*app cannot accept/);
	assert.ok(double.calls.every(({ path }) => !path.includes('collaborators')));
});

for (const [name, labelsEvents] of [
	['an account that is gone', [labelled(null)]],
	['nobody GitHub names', []],
] as const) {
	test(`a label put on by ${name} does not count`, async (t) => {
		const { found } = await find(t, { ...stateOf({ labels: [LABEL] }, {}), labelsEvents: [...labelsEvents] });
		assert.equal(found.acceptance, null);
		assert.match(found.warnings[0]?.message ?? '', /does not count/);
	});
}

test('a maintainer’s label counts beside a line that does not', async (t) => {
	const pull = { labels: [LABEL], author: 'eve', body: LINE };
	const { found } = await find(t, { ...stateOf(pull, { eve: 'read', ann: 'write' }), labelsEvents: [labelled('ann')] });
	assert.deepEqual(found.acceptance, { by: 'ann', via: 'label', reason: null });
	assert.equal(found.warnings.length, 1);
});

test('a line without a reason, or with an endless one, says what is wrong', async (t) => {
	const empty = await find(t, stateOf({ author: 'ann', body: 'benchgate: accepted' }, { ann: 'admin' }));
	assert.match(empty.found.warnings[0]?.message ?? '', /gives no reason/);
	const endless = await find(
		t,
		stateOf({ author: 'ann', body: `benchgate: accepted ${'x'.repeat(501)}` }, { ann: 'admin' }),
	);
	assert.match(endless.found.warnings[0]?.message ?? '', /longer than 500/);
	assert.equal(endless.found.acceptance, null);
});

test('access that cannot be looked up is not access', async (t) => {
	const refused = {
		match: /collaborators/,
		status: 403,
		body: { message: 'Must have push access to view collaborator permission.' },
		times: 1,
	};
	const { found } = await find(t, { ...stateOf({ author: 'ann', body: LINE }, { ann: 'admin' }), faults: [refused] });
	assert.equal(found.acceptance, null);
	assert.match(found.warnings[0]?.message ?? '', /by ann, .*does not tell whether they have write access/);
});

test('the pull request is read as it is now', async (t) => {
	const { github, double } = await connect(t, stateOf({ author: 'ann', body: LINE }, { ann: 'write' }));
	assert.equal((await findAcceptance(github, REPOSITORY, 1, LABEL)).acceptance?.by, 'ann');
	double.state.pulls = [examplePull({ author: 'ann', body: 'Changed my mind.' })];
	assert.deepEqual(await findAcceptance(github, REPOSITORY, 1, LABEL), NOTHING);
});

test('failed calls are warnings', async (t) => {
	const down = await find(t, { faults: [badGateway(/./, { times: 99 })] });
	assert.deepEqual(
		down.found.warnings.map(({ code }) => code),
		['github-unreachable'],
	);
	const hidden = await find(t, { permissions: { 'pull-requests': 'none' } });
	assert.deepEqual(
		hidden.found.warnings.map(({ code }) => code),
		['missing-permission'],
	);
	assert.match(hidden.found.warnings[0]?.message ?? '', /accepted the regression on #1.*pull-requests: read/);
});

test('a hostile login is one harmless line, and never part of a path', async (t) => {
	const login = '../../../user\n::error::x\u202e';
	const { found, double } = await find(t, stateOf({ author: login, body: LINE }, {}));
	assert.equal(found.acceptance, null);
	assert.doesNotMatch(found.warnings[0]?.message ?? '', /[\n\u202e]/);
	assert.equal(double.calls.length, 1);
});
