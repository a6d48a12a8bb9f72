import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { openBudget } from '../../../src/action/receive/artifact-budget.ts';
import { concludeReceived } from '../../../src/action/receive/conclude-received.ts';
import { receiveArtifact } from '../../../src/action/receive/receive-artifact.ts';
import type { Rules } from '../../../src/action/rules/base-rules.ts';
import { renderPublication } from '../../../src/formats/publication/publication-file.ts';
import { parseRaw, renderRaw } from '../../../src/formats/raw/raw-file.ts';
import { RAW_LIMITS } from '../../../src/formats/raw/raw-limits.ts';
import { consequenceOf } from '../../../src/judge/consequence.ts';
import { buildCheck } from '../../../src/report/github/check.ts';
import { renderComment } from '../../../src/report/github/comment.ts';
import type { Conclusion } from '../../../src/types/action-run.ts';
import { isUserError } from '../../../src/types/errors.ts';
import type { Raw } from '../../../src/types/result.ts';
import { CANARY, hostileJson } from '../../formats/hostile-json.ts';
import { CONTEXT, HEAD, publicationCase } from '../../formats/publication-cases.ts';
import { runOf } from '../../github/support.ts';
import { configOf, configText, rawOf } from './raw-cases.ts';

const CASES = 300;
const SEED = 20261122;
/** Of accepted data, only every fifth is rendered: that takes longer than judging. */
const RENDER_EVERY = 5;

const CONFIG = configText(['home', 'search']);
const RULES: Rules = {
	gate: 'enforce',
	onInconclusive: 'pass',
	config: configOf(CONFIG),
	source: 'benchgate.yml on main',
	notes: [],
	doubts: [],
};
const MEASURED = { run: runOf(70), headSha: HEAD };
const PUBLICATION = renderPublication(publicationCase('unchanged'));
const DOWN = rawOf({ config: CONFIG, turns: { home: -0.2, search: -0.2 }, rounds: 6 });
const TEXTS = [
	renderRaw(DOWN),
	renderRaw(rawOf({ config: CONFIG, turns: { home: { d: 0, faults: [] } }, rounds: 4, given: { ended: 'budget' } })),
];

/** The reporting job's conclusion from raw data; null if it refuses them with a message of ours. */
function conclude(raw: string): Conclusion | null {
	try {
		const received = receiveArtifact({ publication: PUBLICATION, raw }, MEASURED, ['default'], openBudget());
		assert.ok('publication' in received);
		return concludeReceived(received, RULES, { conclusion: 'success' }, null, []).conclusion;
	} catch (error) {
		if (!isUserError(error)) throw error;
		assert.ok(['bad-artifact', 'artifact-version', 'artifact-too-large'].includes(error.code), error.code);
		const text = `${error.message} ${error.where} ${error.remedy}`;
		assert.doesNotMatch(text, new RegExp(CANARY));
		assert.match(text, /^[\x20-\x7e]+$/);
		return null;
	}
}

test('mutated raw data are judged, and can be rendered, or are refused with a message of ours', {
	timeout: 600_000,
}, () => {
	let accepted = 0;
	const property = fc.property(hostileJson(TEXTS), (text) => {
		const conclusion = conclude(text);
		if (conclusion === null) return;
		accepted++;
		if (accepted % RENDER_EVERY !== 0) return;
		assert.ok(renderComment(conclusion, CONTEXT).length <= 65_000);
		assert.ok(buildCheck(conclusion, { ...CONTEXT, lineOf: () => null }).summary.length <= 65_535);
	});
	fc.assert(property, { numRuns: CASES, seed: SEED });
	assert.ok(accepted > CASES / 50, `only ${accepted} were accepted`);
	assert.ok(accepted < CASES, `${accepted} were accepted`);
});

test('no plan that raw data can claim makes a slower head pass', () => {
	const dropped = DOWN.plan.cells.slice(0, 1);
	const looks = [{ rounds: 6, weightRegressed: 0, weightUnchanged: 1 }];
	for (const plan of [
		{ cells: DOWN.plan.cells.map((cell) => ({ ...cell, threshold: 0.9, tolerance: 0.5 })) },
		{ cells: dropped, rounds: [] },
		{ metrics: ['memory-peak'] as const },
		{ looks },
		{ seed: 7 },
	]) {
		const kept = 'rounds' in plan ? only(DOWN, dropped[0]?.id ?? '') : DOWN;
		const { rounds: _, ...changes } = { rounds: null, ...plan };
		const conclusion = conclude(renderRaw({ ...kept, plan: { ...kept.plan, ...changes } }));
		assert.ok(conclusion?.kind === 'compared', JSON.stringify(plan));
		assert.equal(conclusion.result.gate.outcome, 'fail', JSON.stringify(plan));
		assert.equal(consequenceOf(conclusion, RULES).checkConclusion, 'failure');
	}
});

/** Raw data with the turns of one cell alone. */
function only(raw: Raw, id: string): Raw {
	const rounds = raw.rounds.map((round) => ({ ...round, cells: round.cells.filter(({ cell }) => cell === id) }));
	return { ...raw, rounds };
}

const [round] = DOWN.rounds;
const [turn] = round?.cells ?? [];
assert.ok(round && turn);

/** More items of one kind than a run of benchgate can have. */
const FLOODS: Readonly<Record<string, Partial<Raw>>> = {
	'500 cells': {
		plan: {
			...DOWN.plan,
			cells: Array.from({ length: RAW_LIMITS.cells + 1 }, (_, index) => ({
				...(DOWN.plan.cells[0] as Raw['plan']['cells'][number]),
				id: `app/${index}`,
				scenario: `${index}`,
			})),
		},
	},
	'5000000 decisions': {
		plan: {
			...DOWN.plan,
			cells: Array.from({ length: 400 }, (_, index) => ({
				...(DOWN.plan.cells[0] as Raw['plan']['cells'][number]),
				id: `app/${index}`,
				scenario: `${index}`,
			})),
		},
		rounds: Array.from({ length: 400 }, (_, index) => ({ ...round, round: index + 1, cells: [] })),
	},
	'20000 rounds': { rounds: Array.from({ length: RAW_LIMITS.rounds + 1 }, () => ({ ...round, cells: [] })) },
	'64 windows': {
		rounds: [{ ...round, cells: [{ ...turn, windows: Array.from({ length: 65 }, () => turn.windows[0] as never) }] }],
	},
	'500 warnings': {
		context: { ...DOWN.context, warnings: Array.from({ length: 501 }, () => ({ code: 'x', message: 'x' })) },
	},
};

for (const [what, flood] of Object.entries(FLOODS)) {
	test(`raw data with more than ${what} are refused by count, by the judge and by the reporter`, () => {
		const text = renderRaw({ ...DOWN, ...flood });
		assert.equal(conclude(text), null);
		assert.throws(
			() => parseRaw(text),
			(error) => isUserError(error) && error.code === 'raw-shape' && error.message.includes(`more than ${what}`),
		);
	});
}

test('all artifacts of a run share one budget', () => {
	const budget = openBudget();
	const texts = { publication: PUBLICATION, raw: renderRaw(DOWN) };
	const share = RAW_LIMITS.decisions - 100;
	budget.take('decisions', share);
	assert.ok('publication' in receiveArtifact(texts, MEASURED, ['default'], budget));
	assert.throws(
		() => receiveArtifact(texts, MEASURED, ['default'], budget),
		(error) => isUserError(error) && error.code === 'artifact-too-large',
	);
});
