import assert from 'node:assert/strict';
import { test } from 'node:test';
import { warn } from '../../../src/judge/warnings.ts';
import { buildReport } from '../../../src/report/compare/report-model.ts';
import { plainPhrase } from '../../../src/text/phrase.ts';
import type { Result } from '../../../src/types/result.ts';
import type { Warning } from '../../../src/types/units.ts';
import { resultCase } from '../../support/result-cases.ts';
import { type RowSketch, resultOf } from '../../support/results.ts';

const open = (scenario: string, smallest: number, more: Partial<RowSketch> = {}): RowSketch => ({
	...{ scenario, verdict: 'inconclusive', change: -0.03, smallestDecidableThreshold: smallest },
	...more,
});
const noted = (scenario: string, warning: Warning, rounds = 14): RowSketch =>
	open(scenario, 0.02, { warnings: [warning], rounds });
const short = (rounds: number, secondsPerRound: number | null) =>
	warn('budget-too-small', { rounds, needed: 4, secondsPerRound });
const crowded = warn('crowded-cpu', { owner: 'servers', share: 0.2 });
const TIMING = resultOf([]).timing;
const busy = { warnings: [warn('busy-machine', { limit: 0.05, windows: 0.4 })] };
const putOff = warn('put-off', { base: 0, head: 0.4 });

/** Cause, rows, facts of the run, actions. */
const SITUATIONS: readonly (readonly [string, readonly RowSketch[], Partial<Result>, readonly string[]])[] = [
	[
		'too few rounds for the budget: a budget that decides, by the noise seen, and no threshold',
		[noted('a', short(3, 22.1), 3), open('b', 0.004, { rounds: 3 }), open('c', 0.4, { rounds: 3 })],
		{ ...busy, budget: 80 },
		[
			'Use a budget of 21 min (now 1 min 20 s): about 8 of 10 such runs decide express/a, express/b and express/c, judging by 3 rounds.',
			'Stop the other programs that were busy on this machine, then run again.',
		],
	],
	[
		'one round says nothing about noise',
		[noted('a', short(1, 7.5), 1)],
		{ budget: 10 },
		[
			'Use a budget of 1 min 30 s (now 10 s): about 8 of 10 such runs decide express/a, if the noise is as usual, which 1 round cannot show.',
		],
	],
	[
		'not one round within the budget',
		[{ scenario: 'a', verdict: 'inconclusive', warnings: [short(0, null)] }],
		{ budget: 5 },
		[
			'Use a budget of 40 s (now 5 s): about 8 of 10 such runs decide express/a, if the noise is as usual, which no round can show.',
		],
	],
	[
		'three rounds were asked for: nothing is too close to call',
		[open('a', 0.004, { rounds: 3, warnings: [warn('too-few-rounds', { rounds: 3, needed: 4 })] })],
		{ ended: 'rounds', timing: { ...TIMING, measuringSeconds: 20 } },
		['Use --rounds 8 (now 3): about 8 of 10 such runs decide express/a, judging by 3 rounds.'],
	],
	[
		'interrupted',
		[noted('a', warn('too-few-rounds', { rounds: 2, needed: 4 })), open('b', 0.2)],
		{ ended: 'interrupted' },
		['Run it again without interrupting.'],
	],
	[
		'precise, but near the limit',
		[open('a', 0.04)],
		{},
		['Use a budget of 18 min (now 10 min): about 8 of 10 such runs decide express/a, judging by 14 rounds.'],
	],
	[
		'precise, and so near the limit that no budget decides it: the threshold that does',
		[open('a', 0.04, { change: -0.048, margin: 0.01 })],
		{},
		[
			'Use a threshold of 6.8 % to let express/a pass: its change is so close to the limit that no sensible budget decides it.',
		],
	],
	[
		'all planned rounds were run: a budget alone would not add one',
		[open('a', 0.0701, { rounds: 20 })],
		{ ended: 'decided', timing: { ...TIMING, measuringSeconds: 150 } },
		[
			'Use --rounds 68 (now 20): about 8 of 10 such runs decide express/a, judging by 20 rounds. Or use a threshold of 7.1 %.',
		],
	],
	[
		'all planned rounds were run, and more of them need a larger budget too',
		[open('a', 0.0701, { rounds: 20 })],
		{ ended: 'decided', timing: { ...TIMING, measuringSeconds: 580 } },
		[
			'Use --rounds 68 (now 20) and a budget of 35 min (now 10 min): about 8 of 10 such runs decide express/a, judging by 20 rounds. Or use a threshold of 7.1 %.',
		],
	],
	[
		'one budget for a noisy row and one at the limit, thresholds only for the noisy one',
		[open('a', 0.0701), open('b', 0.04)],
		{},
		[
			'Use a budget of 28 min (now 10 min): about 8 of 10 such runs decide express/a and express/b, judging by 14 rounds. Or use a threshold of 7.1 %.',
		],
	],
	[
		'too noisy for a budget',
		[open('a', 0.2, { rounds: 60 })],
		{},
		['Use a quieter machine, or a threshold of 20 %: express/a is too noisy for a larger budget.'],
	],
	[
		'too noisy for a budget and for a threshold up to 20 %',
		[open('a', 0.21, { rounds: 60 })],
		{},
		['Use a quieter machine: express/a is too noisy for any sensible budget or threshold.'],
	],
	[
		'seemingly too noisy after few rounds: a budget decides, because the spread is hardly known',
		[open('a', 0.2, { rounds: 5 })],
		{ budget: 60 },
		[
			'Use a budget of 10 min (now 1 min): about 8 of 10 such runs decide express/a, judging by 5 rounds. Or use a threshold of 20 %.',
		],
	],
	[
		'too few rounds to show whether any budget decides it',
		[open('a', 0.9, { rounds: 3, warnings: [warn('too-few-rounds', { rounds: 3, needed: 4 })] })],
		{ budget: 30 },
		['Use a budget of 1 min 50 s (now 30 s): 3 rounds do not show whether express/a can be decided.'],
	],
	[
		'no threshold beyond 20 % is named',
		[open('a', 0.24, { rounds: 5 })],
		{ budget: 60 },
		['Use a budget of 15 min (now 1 min): about 8 of 10 such runs decide express/a, judging by 5 rounds.'],
	],
	[
		'too noisy for anything',
		[open('a', 0.9)],
		busy,
		[
			'Stop the other programs that were busy on this machine, then run again.',
			'Use another machine: express/a is too noisy for any sensible budget or threshold.',
		],
	],
	[
		'other programs used the CPU: no budget is named',
		[noted('a', crowded)],
		{},
		['Stop the other programs that were busy on this machine, then run again, or use another machine.'],
	],
	[
		'no number of rounds decides one row, a budget the other',
		[noted('a', putOff), open('b', 0.04)],
		{},
		[
			'For a: stop what head does between requests (timers, queues), or do it while it answers; a larger budget does not decide it.',
			'Use a budget of 18 min (now 10 min): about 8 of 10 such runs decide express/b, judging by 14 rounds.',
		],
	],
	[
		'the machine lacks the metric',
		[noted('a', warn('metric-unavailable', { label: 'CPU per request' }))],
		{},
		['Remove throughput from gate.metrics: this machine cannot measure it.'],
	],
	['a lost shard', [{ ...noted('a', warn('shard-missing', { shard: 2, of: 3, state: 'missing' })) }], {}, []],
	[
		'four noisy rows',
		[open('a', 0.06), open('b', 0.07), open('c', 0.08), open('d', 0.075)],
		{},
		[
			'Use a budget of 28 min (now 10 min): about 8 of 10 such runs decide 4 scenarios, judging by 14 rounds. Or use thresholds from 6 % to 8 %.',
		],
	],
];

for (const [situation, rows, facts, actions] of SITUATIONS) {
	test(`advice on an undecided row: ${situation}`, () => {
		const { next } = buildReport(resultOf(rows, 'inconclusive', { ended: 'budget', ...facts })).headline;
		assert.deepEqual(next.map(plainPhrase), actions);
	});
}

test('no advice names two budgets, or a budget and its uselessness for the same row', () => {
	for (const [situation, rows, facts] of SITUATIONS) {
		const text = buildReport(resultOf(rows, 'inconclusive', { ended: 'budget', ...facts }))
			.headline.next.map(plainPhrase)
			.join('\n');
		assert.ok(text.split('budget of').length <= 2, `${situation}: ${text}`);
	}
});

test('in a workflow, which has no option for rounds, advice names a budget only if it plans enough rounds', () => {
	const next = (rounds: number) => {
		const result = resultOf([open('a', 0.0701, { rounds })], 'inconclusive');
		return buildReport(result, { gate: 'enforce' }).headline.next.map(plainPhrase);
	};
	assert.deepEqual(next(30), [
		'Use a budget of 13 min (now 10 min): about 7 of 10 such runs decide express/a, judging by 30 rounds. Or use a threshold of 7.1 %.',
	]);
	assert.deepEqual(next(60), [
		'Use a quieter machine, or a threshold of 7.1 %: express/a is too noisy for a larger budget.',
	]);
});

test('a threshold up to 20 % allows a regressed row; for a larger drop there is a better way', () => {
	const allow = (row: Partial<RowSketch>, gate?: 'enforce') => {
		const rows = [{ scenario: 'a', verdict: 'regressed', ...row } as const];
		return plainPhrase(
			buildReport(resultOf(rows, 'fail'), gate === undefined ? {} : { gate }).headline.next.at(-1) ?? [],
		);
	};
	const set = /set threshold: 14% for a in benchgate\.yml/;
	assert.match(allow({ change: -0.12, margin: 0.02 }), set);
	assert.match(allow({ change: -0.17, margin: 0.24 }), /with a larger budget before you set a threshold/);
	assert.match(allow({ change: -0.38, margin: 0.02 }), /running again with --accept regressed\.$/);
	assert.match(allow({ change: -0.38, margin: 0.02 }, 'enforce'), /set a larger threshold for a/);
});

test('the remedy for a fault of both sides is that of check', () => {
	const invalid = (code: string, message: string): RowSketch => ({
		...{ scenario: 'a', verdict: 'invalid' },
		warnings: (['base', 'head'] as const).map((side) => ({ code, message, side })),
	});
	const next = (row: RowSketch) =>
		buildReport(resultOf([row], 'error'))
			.headline.next.map(plainPhrase)
			.join('\n');
	const limited = invalid(
		'unexpected-answers',
		'90 % of the answers were unexpected; first: status 429 instead of 200',
	);
	assert.match(next(limited), /^For a: switch the limiter off, or raise its limit/);
	assert.match(next(invalid('exited-at-start', 'it exited')), /^For a: see that the server's command starts it/);
	assert.match(next(invalid('crashed', 'it crashed')), /^For a: start the server by hand/);
	const absent = 'the server exited at start: exit code 1; it cannot find the module x, which server.js requires';
	assert.match(
		next(invalid('exited-at-start', absent)),
		/^For a: each side is a fresh checkout: name missing packages/,
	);
	assert.match(next(invalid('wrong-status', 'status 401 instead of 200')), /^For a: send what the server requires/);
	assert.match(next(invalid('wrong-body', 'body is "x"')), /^Fix the server, or the scenario’s expect: /);
});

test('every action of every report is a sentence of its own', () => {
	for (const name of ['everything-wrong', 'both-broken', 'gone-in-head', 'few-rounds', 'inconclusive', 'hostile']) {
		for (const action of buildReport(resultCase(name)).headline.next.map(plainPhrase)) {
			assert.match(action, /^\p{Lu}.*[.…]$/su, name);
		}
	}
});
