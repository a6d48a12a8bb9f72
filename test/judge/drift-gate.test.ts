/** The effect of drift on the gate: from the rounds of a run to its exit code. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseRaw, renderRaw } from '../../src/formats/raw/raw-file.ts';
import { acceptRedRows, weighResult } from '../../src/judge/acceptance.ts';
import { exitCode, redRows } from '../../src/judge/gate.ts';
import { gateRowOf } from '../../src/judge/gate-row.ts';
import { withBaselines } from '../../src/judge/row-drift.ts';
import { summarise } from '../../src/judge/summarise.ts';
import { EXIT } from '../../src/types/errors.ts';
import type { MainRow } from '../../src/types/main-baselines.ts';
import type { Acceptance } from '../../src/types/verdict.ts';
import { rawOf } from '../action/receive/raw-cases.ts';

const mainAt = (scenario: string, theta: number): MainRow => ({
	...{ server: 'app', scenario, metric: 'throughput', anchor: 'v1.0.0', measured: 'main@1a2b3c4' },
	...{ theta, low: theta - 0.005, high: theta + 0.005, history: [0, theta] },
});
/** Main has lost a tenth in every row. */
const DRIFTED = ['home', 'search', 'checkout'].map((scenario) => mainAt(scenario, -0.12));
/** One row surely slower, by less than its threshold. */
const SLIGHTLY = rawOf({ turns: { checkout: -0.02 } });
const SLOWER = rawOf({ turns: { checkout: -0.1 } });
const ENFORCE = { drift: 'enforce' } as const;

const resultOf = (raw: typeof SLIGHTLY, rows = DRIFTED, gate: Parameters<typeof withBaselines>[2] = ENFORCE) =>
	summarise(withBaselines(raw, rows, gate));
const verdicts = ({ cells }: ReturnType<typeof resultOf>) => cells.map(({ drift }) => drift?.verdict);

test('enforced drift fails for the row that head adds to, and for no other', () => {
	const result = resultOf(SLIGHTLY);
	assert.deepEqual(verdicts(result), ['drifted', 'drifted', 'adds']);
	assert.equal(result.gate.outcome, 'fail');
	assert.equal(exitCode(result.gate, 'pass'), EXIT.gateFailed);
	assert.deepEqual(
		redRows(result.cells.map(gateRowOf)).map(({ cell, kind }) => `${cell} ${kind}`),
		['app/checkout adds-to-drift'],
	);
	assert.match(
		result.gate.reasons.join(),
		/Merging head would leave app\/checkout 13\.\d % slower than v1\.0\.0; the drift limit is 10 %\./,
	);
	assert.ok(result.cells.every(({ verdict }) => verdict === 'unchanged'));
});

test('drift that is only reported changes neither gate nor exit code', () => {
	const [reported, plain] = [resultOf(SLIGHTLY, DRIFTED, null), summarise(SLIGHTLY)];
	assert.deepEqual(verdicts(reported), ['drifted', 'drifted', 'adds']);
	assert.deepEqual(reported.gate, plain.gate);
	assert.deepEqual(
		reported.cells.map(({ drift: _, ...cell }) => cell),
		plain.cells,
	);
});

test('a pull request that slows nothing down passes, however far main has drifted', () => {
	const far = ['home', 'search', 'checkout'].map((scenario) => mainAt(scenario, -0.7));
	assert.equal(resultOf(rawOf(), far).gate.outcome, 'pass');
	assert.equal(resultOf(rawOf({ turns: { checkout: 0.03 } }), far).gate.outcome, 'pass');
});

test('a drift limit of its own replaces twice the threshold', () => {
	assert.equal(resultOf(SLIGHTLY, DRIFTED, { ...ENFORCE, driftThreshold: 0.2 }).gate.outcome, 'pass');
	const little = [mainAt('checkout', -0.02)];
	assert.equal(resultOf(SLIGHTLY, little).gate.outcome, 'pass');
	assert.equal(resultOf(SLIGHTLY, little, { ...ENFORCE, driftThreshold: 0.03 }).gate.outcome, 'fail');
});

test('an addition to drift can be accepted, and accepting a regression accepts its addition', () => {
	const by = { by: 'ann', via: 'flag', reason: null } as const;
	const accepting = (rows: Acceptance['rows']): readonly Acceptance[] => [{ ...by, ...(rows && { rows }) }];
	const drift = [{ cell: 'app/checkout', kind: 'adds-to-drift', upTo: null }] as const;
	const passed = acceptRedRows(resultOf(SLIGHTLY), accepting(drift));
	assert.deepEqual([passed.gate.outcome, weighResult(passed).open], ['pass', []]);
	const sized = [{ cell: 'app/checkout', kind: 'regressed', upTo: 0.2 }] as const;
	assert.equal(acceptRedRows(resultOf(SLOWER), accepting(sized)).gate.outcome, 'pass');
	assert.equal(acceptRedRows(resultOf(SLIGHTLY), accepting(sized)).gate.outcome, 'fail');
	assert.equal(acceptRedRows(resultOf(SLOWER), accepting(drift)).gate.outcome, 'fail');
});

test('raw data carry the drift of main, so judging them again gives the same result', () => {
	const raw = withBaselines(SLIGHTLY, DRIFTED, ENFORCE);
	assert.deepEqual(summarise(parseRaw(renderRaw(raw))), summarise(raw));
	assert.deepEqual(withBaselines(raw, [], ENFORCE), SLIGHTLY, 'without baselines nothing is left of them');
	const other = withBaselines(raw, [mainAt('home', 0)], null);
	assert.deepEqual(verdicts(summarise(other)), ['level', undefined, undefined]);
});
