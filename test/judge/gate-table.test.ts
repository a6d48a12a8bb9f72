import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { consequenceOf, type GateRules } from '../../src/judge/consequence.ts';
import { exitCode, type GateRow, gateOf, redRows } from '../../src/judge/gate.ts';
import { GATE_MODES } from '../../src/types/action-run.ts';
import { INCONCLUSIVE_POLICIES } from '../../src/types/config.ts';
import type { Result } from '../../src/types/result.ts';
import type { Side, Warning } from '../../src/types/units.ts';
import type { Gate, RedKind, Verdict } from '../../src/types/verdict.ts';
import { cellOf } from '../support/results.ts';

/** The minimum effect of a row on the check: nothing or a colour. The worst colour of all rows wins. */
type Colour = 'green' | 'neutral' | 'red';
const WORSE: readonly (Colour | 'none')[] = ['none', 'green', 'neutral', 'red'];

interface Rule {
	readonly row: Partial<GateRow> & { readonly verdict: Verdict };
	/** Beside rows that were measured, under the policies pass, neutral and fail. */
	readonly beside: readonly [Colour | 'none', Colour | 'none', Colour | 'none'];
	/** In a run without measured rows; absent for a row that has numbers. */
	readonly alone?: Colour;
	readonly red?: RedKind;
}

const CHANGE = { change: -0.1, interval: { low: -0.12, high: -0.08, confidence: 0.9 } };
const ADDS = { verdict: 'adds', policy: 'enforce', history: [-0.12] } as const;
const { drift: DRIFT } = cellOf({ scenario: 'a', change: -0.1, drift: ADDS });
const fault = (side: Side, code = 'crashed'): Warning => ({ code, side, message: `${side}: ${code}` });
const invalid = (...warnings: Warning[]) => ({ verdict: 'invalid', warnings }) as const;

/** The rules, restated independently of the code: docs/report.md has the same table for readers. */
const RULES = {
	regressed: { row: { verdict: 'regressed', estimate: CHANGE }, beside: ['red', 'red', 'red'], red: 'regressed' },
	unchanged: { row: { verdict: 'unchanged', estimate: CHANGE }, beside: ['green', 'green', 'green'] },
	improved: { row: { verdict: 'improved', estimate: CHANGE }, beside: ['green', 'green', 'green'] },
	undecided: { row: { verdict: 'inconclusive', estimate: CHANGE }, beside: ['green', 'neutral', 'red'] },
	unmeasured: { row: { verdict: 'inconclusive' }, beside: ['green', 'neutral', 'red'], alone: 'red' },
	lost: {
		row: { verdict: 'inconclusive', warnings: [{ code: 'shard-missing', message: 'Shard 2 left nothing' }] },
		beside: ['neutral', 'neutral', 'red'],
		alone: 'red',
	},
	head: { row: invalid(fault('head')), beside: ['red', 'red', 'red'], alone: 'red', red: 'broken' },
	base: { row: invalid(fault('base')), beside: ['neutral', 'neutral', 'neutral'], alone: 'neutral' },
	both: { row: invalid(fault('base'), fault('head')), beside: ['neutral', 'neutral', 'neutral'], alone: 'neutral' },
	'both, newer than base': {
		row: { ...invalid(fault('head'), fault('base')), newerThanBase: true },
		beside: ['none', 'none', 'none'],
		alone: 'neutral',
	},
	'both in two ways, newer than base': {
		row: { ...invalid(fault('head'), fault('base', 'wrong-status')), newerThanBase: true },
		beside: ['neutral', 'neutral', 'neutral'],
		alone: 'neutral',
	},
	'head, newer than base': {
		row: { ...invalid(fault('head')), newerThanBase: true },
		beside: ['red', 'red', 'red'],
		alone: 'red',
		red: 'broken',
	},
	nobody: { row: invalid({ code: 'no-answer', message: 'Hm' }), beside: ['neutral', 'neutral', 'red'], alone: 'red' },
	answers: {
		row: invalid({ code: 'bodies-differ', message: '1 is 2' }),
		beside: ['red', 'red', 'red'],
		alone: 'red',
		red: 'answer-changed',
	},
	drifting: {
		row: { verdict: 'unchanged', estimate: CHANGE, ...(DRIFT && { drift: DRIFT }) },
		beside: ['red', 'red', 'red'],
		red: 'adds-to-drift',
	},
	removed: { row: { verdict: 'removed' }, beside: ['red', 'red', 'red'], alone: 'red', red: 'removed' },
	new: { row: { verdict: 'new' }, beside: ['none', 'none', 'none'], alone: 'neutral' },
	same: { row: { verdict: 'same-code' }, beside: ['none', 'none', 'none'], alone: 'neutral' },
} as const satisfies Readonly<Record<string, Rule>>;

type Kind = keyof typeof RULES;
const KINDS = Object.keys(RULES) as readonly Kind[];
const ruleOf = (kind: Kind): Rule => RULES[kind];
/** Kinds that leave the gate undecided. */
const OPEN = new Set(KINDS.filter((kind) => new Set([...ruleOf(kind).beside, 'green', 'none']).size > 2));

function rowsOf(kinds: readonly Kind[]): readonly GateRow[] {
	return kinds.map((kind, index) => ({
		...{ cell: `app/${index}`, metric: 'throughput', judgedBy: 'throughput', estimate: null, warnings: [] },
		...ruleOf(kind).row,
	}));
}

interface Expected {
	readonly outcome: string;
	readonly check: string;
	readonly exit: number;
}

function expect(kinds: readonly Kind[], { gate, onInconclusive }: GateRules, cutOff: boolean): Expected {
	const policy = ['pass', 'neutral', 'fail'].indexOf(onInconclusive);
	const nothing = kinds.every((kind) => ruleOf(kind).alone !== undefined);
	const needs = kinds.map((kind) => (nothing ? ruleOf(kind).alone : ruleOf(kind).beside[policy]) ?? 'none');
	const worst = WORSE[Math.max(...needs.map((need) => WORSE.indexOf(need)))] ?? 'red';
	const red = kinds.some((kind) => ruleOf(kind).red !== undefined);
	const open = kinds.some((kind) => OPEN.has(kind));
	const outcome = nothing ? 'error' : red ? 'fail' : open ? 'inconclusive' : 'pass';
	const cancelled = cutOff && outcome !== 'fail';
	const colour = worst === 'red' && gate === 'advisory' ? 'neutral' : worst;
	return {
		outcome,
		check: cancelled ? 'cancelled' : { none: 'success', green: 'success', neutral: 'neutral', red: 'failure' }[colour],
		exit: nothing ? 3 : worst === 'red' ? 1 : 0,
	};
}

type Found = Expected & { readonly failStep: boolean };

function find(gate: Gate, rules: GateRules, cutOff: boolean): Found {
	const result = { gate, ended: cutOff ? 'interrupted' : 'decided' } as Result;
	const { outcome, checkConclusion, failStep } = consequenceOf({ kind: 'compared', result }, rules);
	return { outcome, check: checkConclusion, exit: exitCode(gate, rules.onInconclusive), failStep };
}

function assertRules(kinds: readonly Kind[]): void {
	const wholeGate = gateOf(rowsOf(kinds));
	for (const gate of GATE_MODES) {
		for (const onInconclusive of INCONCLUSIVE_POLICIES) {
			for (const cutOff of [false, true]) {
				const expected = expect(kinds, { gate, onInconclusive }, cutOff);
				const seen = find(wholeGate, { gate, onInconclusive }, cutOff);
				const wanted = { ...expected, failStep: expected.check === 'failure' };
				// 400,000 of these: a deep comparison and a message only on a difference.
				const differs = (Object.keys(wanted) as (keyof Found)[]).some((key) => seen[key] !== wanted[key]);
				if (differs) assert.deepEqual(seen, wanted, `${kinds} ${gate} ${onInconclusive} ${cutOff}`);
			}
		}
	}
}

test('every set of kinds of rows gives the outcome, check and exit code of the rules', () => {
	// The gate treats improved like unchanged, skipped like new, and lost like broken by an unknown side: the random sets
	// include them, singly.
	const kinds = KINDS.filter((kind) => kind !== 'improved' && kind !== 'same' && kind !== 'lost');
	for (let set = 0; set < 2 ** kinds.length; set++) assertRules(kinds.filter((_, index) => set & (1 << index)));
});

test('neither order nor number of rows changes the gate', () => {
	fc.assert(
		fc.property(fc.array(fc.constantFrom(...KINDS), { maxLength: 12 }), (kinds) => {
			assertRules(kinds);
			const red = redRows(rowsOf(kinds)).map(({ cell, kind }) => [cell, kind]);
			const wanted = kinds.flatMap((kind, index) => {
				const { red: blame } = ruleOf(kind);
				return blame === undefined ? [] : [[`app/${index}`, blame]];
			});
			assert.deepEqual(red, wanted);
		}),
		{ numRuns: 300 },
	);
});

test('a run without measurements is never green', () => {
	const unmeasured = KINDS.filter((kind) => ruleOf(kind).alone !== undefined);
	fc.assert(
		fc.property(
			fc.array(fc.constantFrom(...unmeasured), { maxLength: 8 }),
			fc.constantFrom(...GATE_MODES),
			fc.constantFrom(...INCONCLUSIVE_POLICIES),
			(kinds, gate, onInconclusive) => {
				const { check, exit } = find(gateOf(rowsOf(kinds)), { gate, onInconclusive }, false);
				assert.notEqual(check, 'success');
				assert.equal(exit, 3);
			},
		),
	);
});

/** Rows of the page's table, by their first two cells, as kinds of rows here. */
const DOCUMENTED: Readonly<Record<string, readonly Kind[]>> = {
	'a drop beyond the threshold | some or all': ['unchanged', 'regressed'],
	'head breaks, base is fine | some': ['unchanged', 'head'],
	'head breaks, base is fine | all': ['head', 'head'],
	'base breaks, head is fine | some': ['unchanged', 'base'],
	'base breaks, head is fine | all': ['base', 'base'],
	'both break | some': ['unchanged', 'both'],
	'both break | all': ['both', 'both'],
	'both break in the same way, and the row is newer than base | some': ['unchanged', 'both, newer than base'],
	'both break in the same way, and the row is newer than base | all': ['both, newer than base'],
	'no side is to blame, or nobody knows which | some': ['unchanged', 'nobody'],
	'no side is to blame, or nobody knows which | all': ['nobody'],
	'both answer as expected, but differently | some': ['unchanged', 'answers'],
	'both answer as expected, but differently | all': ['answers'],
	'head has no such row | some': ['unchanged', 'removed'],
	'head has no such row | all': ['removed', 'removed'],
	'base has no such row | some': ['unchanged', 'new'],
	'base has no such row | all': ['new'],
	'its server runs the same code on both sides | some': ['unchanged', 'same'],
	'head adds to a drift that is enforced | some or all': ['unchanged', 'drifting'],
	'too noisy, or too few rounds | some or all': ['unchanged', 'undecided'],
	'its shard was lost, or could not measure | some': ['unchanged', 'lost'],
	'its shard was lost, or could not measure | all': ['lost'],
	'not even one round | all': ['unmeasured'],
};

describe('the table on reading reports matches the code', () => {
	const page = readFileSync(new URL('../../docs/report.md', import.meta.url), 'utf8');
	const [, section = ''] = /## Whose fault it is\n(.*?)\n## /s.exec(page) ?? [];
	const [, , ...lines] = section.split('\n').filter((line) => line.startsWith('|'));
	const cells = lines.map((line) =>
		line
			.split('|')
			.slice(1, -1)
			.map((cell) => cell.trim()),
	);

	test('the table has these rows and no others', () => {
		assert.deepEqual(
			cells.map(([label, rows]) => `${label} | ${rows}`),
			Object.keys(DOCUMENTED),
		);
	});

	for (const [label = '', rows = '', verdict = '', outcome = '', check = '', exit = '', todo = ''] of cells) {
		test(`${label}, ${rows}`, () => {
			const kinds = DOCUMENTED[`${label} | ${rows}`] ?? [];
			const outcomes = INCONCLUSIVE_POLICIES.map((onInconclusive) =>
				find(gateOf(rowsOf(kinds)), { gate: 'enforce', onInconclusive }, false),
			);
			const colours = { success: 'green', neutral: 'neutral', failure: 'red', cancelled: 'grey' };
			const documented = outcomes.map((one) => colours[one.check as keyof typeof colours]);
			// Policies in the order pass, fail, neutral.
			const [pass, fail, neutral] = documented;
			const words =
				pass === fail ? pass : pass === neutral ? `${pass}; ${fail} with \`fail\`` : 'as `on-inconclusive` says';
			assert.equal(check, words);
			assert.equal(exit, [...new Set(outcomes.map((one) => one.exit))].join(', or '));
			assert.equal(outcome, [...new Set(outcomes.map((one) => one.outcome))].join());
			assert.equal(verdict, `\`${rowsOf(kinds).at(-1)?.verdict}\``);
			assert.notEqual(todo, '');
		});
	}
});
