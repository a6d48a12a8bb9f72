/** The fault of a break does not depend on the design: the table in docs/report.md holds for rounds of every design. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decide } from '../../src/judge/decide.ts';
import { DESIGNS } from '../../src/types/config.ts';
import type { Fault } from '../../src/types/round.ts';
import type { Gate } from '../../src/types/verdict.ts';
import { scriptPlan, scriptRound, spread } from '../support/rounds.ts';

const fault = (side: Fault['side'], code = 'crashed'): Fault => ({ code, side, message: `${side}: ${code}` });
type Told = Pick<Gate, 'outcome' | 'neutral'>;

/** What breaks a row; the gate beside an unchanged row, and without one. */
const BREAKS: Readonly<Record<string, readonly [readonly Fault[], some: Told, all: Told]>> = {
	head: [[fault('head')], { outcome: 'fail' }, { outcome: 'error' }],
	base: [[fault('base')], { outcome: 'inconclusive', neutral: 'always' }, { outcome: 'error', neutral: 'always' }],
	both: [
		[fault('base'), fault('head')],
		{ outcome: 'inconclusive', neutral: 'always' },
		{ outcome: 'error', neutral: 'always' },
	],
	nobody: [[fault(null, 'no-answer')], { outcome: 'inconclusive', neutral: 'at-best' }, { outcome: 'error' }],
	answers: [[fault(null, 'bodies-differ')], { outcome: 'fail' }, { outcome: 'error' }],
};

for (const design of DESIGNS) {
	for (const [who, [faults, some, all]] of Object.entries(BREAKS)) {
		test(`${design}: ${who}`, () => {
			const bad = { d: 0, faults };
			const rounds = spread(20, 0, 0.003).map((d, index) =>
				scriptRound(index + 1, { good: { d }, ...(index === 0 && { bad }) }, { design }),
			);
			const beside = decide(scriptPlan(['good', 'bad'], { design }), rounds, 'rounds');
			assert.deepEqual(
				beside.rows.map(({ verdict }) => verdict),
				['unchanged', 'invalid'],
			);
			const alone = decide(scriptPlan(['bad'], { design }), [scriptRound(1, { bad }, { design })], 'rounds');
			for (const [{ gate }, expected] of [
				[beside, some],
				[alone, all],
			] as const) {
				const { outcome, neutral } = gate;
				assert.deepEqual({ outcome, ...(neutral && { neutral }) }, expected);
			}
		});
	}
}
