import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { acceptRedRows } from '../../src/judge/acceptance.ts';
import { consequenceOf } from '../../src/judge/consequence.ts';
import { type Conclusion, type Failure, GATE_MODES } from '../../src/types/action-run.ts';
import { INCONCLUSIVE_POLICIES } from '../../src/types/config.ts';
import { resultCase } from '../support/result-cases.ts';

const FAILURE: Failure = {
	code: 'build-failed',
	side: null,
	message: 'npm ci failed with exit code 1',
	where: null,
	remedy: null,
	details: null,
	usage: false,
};
const compared = (name: string): Conclusion => ({ kind: 'compared', result: resultCase(name) });
const CUT_OFF = ['cancelled cancelled cancelled', 'cancelled cancelled cancelled'] as const;
const cutOff = (name: string): Conclusion => ({
	kind: 'compared',
	result: { ...resultCase(name), ended: 'interrupted' },
});
const failed = (changed: Partial<Failure>): Conclusion => ({ kind: 'failed', failure: { ...FAILURE, ...changed } });
const same: Conclusion = { kind: 'unchanged', base: { label: 'a' }, head: { label: 'b' } };
const accepted: Conclusion = {
	kind: 'compared',
	result: acceptRedRows(resultCase('one-regressed'), [{ by: 'octocat', via: 'label', reason: null }]),
};

/** The check in enforce and in advisory mode, each under the policies pass, fail, neutral. */
const RULES: readonly (readonly [string, Conclusion, string, string, string])[] = [
	['pass', compared('unchanged'), 'pass', 'green green green', 'green green green'],
	['improved', compared('improved'), 'pass', 'green green green', 'green green green'],
	['fail', compared('one-regressed'), 'fail', 'red red red', 'neutral neutral neutral'],
	['accepted', accepted, 'pass', 'green green green', 'green green green'],
	['inconclusive', compared('inconclusive'), 'inconclusive', 'green red neutral', 'green neutral neutral'],
	['head broke rows', compared('invalid'), 'fail', 'red red red', 'neutral neutral neutral'],
	['base broke rows', compared('base-broken'), 'inconclusive', 'neutral neutral neutral', 'neutral neutral neutral'],
	['both broke a row', compared('both-broken'), 'inconclusive', 'neutral neutral neutral', 'neutral neutral neutral'],
	['a row needs a rebase', compared('needs-rebase'), 'pass', 'green green green', 'green green green'],
	['answers differ', compared('answers-differ'), 'fail', 'red red red', 'neutral neutral neutral'],
	['rows are gone in head', compared('new-and-removed'), 'fail', 'red red red', 'neutral neutral neutral'],
	['head broke everything', compared('nothing-measured'), 'error', 'red red red', 'neutral neutral neutral'],
	[
		'base broke everything',
		compared('base-never-starts'),
		'error',
		'neutral neutral neutral',
		'neutral neutral neutral',
	],
	['cut off', cutOff('inconclusive'), 'inconclusive', ...CUT_OFF],
	['cut off while all was well', cutOff('unchanged'), 'pass', ...CUT_OFF],
	['cut off after a regression', cutOff('one-regressed'), 'fail', 'red red red', 'neutral neutral neutral'],
	['same code', same, 'pass', 'green green green', 'green green green'],
	['bad config', failed({ usage: true }), 'error', 'red red red', 'red red red'],
	['bad config of base', failed({ usage: true, side: 'base' }), 'error', 'red red red', 'red red red'],
	['head does not build', failed({ side: 'head' }), 'error', 'red red red', 'neutral neutral neutral'],
	[
		'base does not build',
		failed({ side: 'base' }),
		'inconclusive',
		'neutral neutral neutral',
		'neutral neutral neutral',
	],
	['network on base', failed({ side: 'base', code: 'network' }), 'error', 'red red red', 'neutral neutral neutral'],
	['bug of ours', failed({ code: 'internal' }), 'error', 'red red red', 'neutral neutral neutral'],
	['cancelled', { kind: 'cancelled' }, 'error', 'cancelled cancelled cancelled', 'cancelled cancelled cancelled'],
];

const COLOURS = { success: 'green', failure: 'red', neutral: 'neutral', cancelled: 'cancelled' } as const;

describe('each conclusion has its check, in enforce and advisory mode, under each policy', () => {
	for (const [name, conclusion, outcome, ...colours] of RULES) {
		test(name, () => {
			for (const [index, gate] of GATE_MODES.entries()) {
				const all = INCONCLUSIVE_POLICIES.map((onInconclusive) => consequenceOf(conclusion, { gate, onInconclusive }));
				assert.equal(all.map(({ checkConclusion }) => COLOURS[checkConclusion]).join(' '), colours[index], gate);
				assert.ok(all.every((each) => each.outcome === outcome));
				assert.ok(all.every(({ failStep, checkConclusion }) => failStep === (checkConclusion === 'failure')));
			}
		});
	}
});

test('the answer to a command fails nothing, even if its fields contradict each other', () => {
	const rules = { gate: 'advisory', onInconclusive: 'fail', answersCommand: true } as const;
	const { checkConclusion, failStep } = consequenceOf(failed({ usage: true, code: 'bad-command' }), rules);
	assert.deepEqual([checkConclusion, failStep], ['neutral', false]);
});
