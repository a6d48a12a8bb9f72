/** Until the base branch has a valid config, a run only informs: never green by its own config, never red. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { consequenceOf } from '../../src/judge/consequence.ts';
import { renderComment } from '../../src/report/github/comment.ts';
import { GATE_MODES } from '../../src/types/action-run.ts';
import { INCONCLUSIVE_POLICIES } from '../../src/types/config.ts';
import { CONTEXT, PUBLICATIONS, publicationOf } from '../formats/publication-cases.ts';

const BROKEN = publicationOf({
	kind: 'failed',
	failure: { code: 'bad-config', side: null, message: 'x', where: null, remedy: null, details: null, usage: true },
});

for (const [name, { conclusion }] of [...PUBLICATIONS, ['bad config', BROKEN] as const]) {
	test(`${name}: neutral whatever the policy, except for a cut-off run or an error to repair`, () => {
		const cutOff = conclusion.kind === 'compared' && conclusion.result.ended === 'interrupted';
		const usual =
			conclusion.kind === 'cancelled' || cutOff ? 'cancelled' : name === 'bad config' ? 'failure' : 'neutral';
		for (const onInconclusive of INCONCLUSIVE_POLICIES) {
			const rules = { gate: 'advisory', onInconclusive, adopting: true } as const;
			const { checkConclusion, failStep, outcome } = consequenceOf(conclusion, rules);
			assert.deepEqual([checkConclusion, failStep], [usual, usual === 'failure']);
			assert.equal(outcome, consequenceOf(conclusion, { gate: 'enforce', onInconclusive }).outcome);
			const line = renderComment(conclusion, { ...CONTEXT, ...rules }).match(/\*\*Check:\*\* (.*)/)?.[1] ?? '';
			// A measurement is never skipped while adopting.
			if (usual === 'neutral' && conclusion.kind !== 'unchanged') {
				assert.equal(line, 'neutral (does not block merging), because no config of the base branch applies yet.');
			}
		}
	});

	test(`${name}: an explicit enforcement keeps red red and turns nothing green`, () => {
		for (const gate of GATE_MODES) {
			const without = consequenceOf(conclusion, { gate, onInconclusive: 'pass' }).checkConclusion;
			const adopting = consequenceOf(conclusion, { gate, onInconclusive: 'pass', adopting: true }).checkConclusion;
			assert.equal(adopting, without === 'success' ? 'neutral' : without);
		}
	});
}
