/** `gate: { enforce-after: DAY }`: red blocks nothing until the end of that day in UTC; the rest stays as it is. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gateOn } from '../../src/config/adoption-ramp.ts';
import { consequenceOf } from '../../src/judge/consequence.ts';
import { renderComment } from '../../src/report/github/comment.ts';
import { CONTEXT, PUBLICATIONS } from '../formats/publication-cases.ts';

const DAY = '2026-12-24';

test("the gate rests until the last moment of the day in UTC, whatever the machine's time zone", () => {
	const at = (time: string) => gateOn('enforce', DAY, new Date(time));
	const rests = { gate: 'advisory', advisoryUntil: DAY };
	for (const time of ['2026-11-22T10:00:00Z', '2026-12-24T23:59:59.999Z', '2026-12-25T08:59:59+09:00']) {
		assert.deepEqual(at(time), rests);
	}
	for (const time of ['2026-12-25T00:00:00Z', '2026-12-24T19:00:00-05:00', '2027-01-01T00:00:00Z']) {
		assert.deepEqual(at(time), { gate: 'enforce' });
	}
	assert.deepEqual(gateOn('enforce', undefined, new Date(0)), { gate: 'enforce' });
	assert.deepEqual(gateOn('advisory', DAY, new Date(0)), { gate: 'advisory' });
});

for (const [name, { conclusion }] of PUBLICATIONS) {
	test(`${name}: while the gate rests nothing that it blocks is red, and one line names the day`, () => {
		const rules = { ...gateOn('enforce', DAY, new Date(0)), onInconclusive: 'fail' } as const;
		const enforced = consequenceOf(conclusion, { ...rules, gate: 'enforce' });
		const resting = consequenceOf(conclusion, rules);
		const expected = enforced.checkConclusion === 'failure' ? 'neutral' : enforced.checkConclusion;
		assert.deepEqual([resting.checkConclusion, resting.failStep], [expected, false]);
		const comment = renderComment(conclusion, { ...CONTEXT, ...rules });
		const lines = comment.split('\n').filter((line) => line.startsWith('**Check:**') && line.includes(DAY));
		assert.equal(lines.length, enforced.checkConclusion === 'failure' ? 1 : 0, comment);
		assert.doesNotMatch(comment, /gate: advisory/);
	});
}
