import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ratioTables } from '../../../evaluation/page/ratios.ts';
import { shareOf } from '../../../evaluation/replay/share.ts';
import type { MatrixResult, RuleResult } from '../../../evaluation/results.ts';

/** By drop: seconds, number of red replays in 100, and number of undecided ones. */
type At = Readonly<Record<string, readonly [number, number, number]>>;

function ruleOf(rule: string, at: At): RuleResult {
	return {
		...{ rule, title: rule, reference: '', design: rule === 'benchgate' ? 'duet' : 'sequential' },
		at: Object.entries(at).map(([drop, [median, red, undecided]]) => ({
			drop: Number(drop),
			red: shareOf(red, 100),
			undecided: shareOf(undecided, 100),
			seconds: { median, p90: median },
		})),
	};
}

const OURS = ruleOf('benchgate', { 0: [30, 0, 0], 0.02: [40, 0, 0], 0.05: [60, 60, 0], 0.1: [30, 100, 0] });
const PATIENT = ruleOf('patient', { 0: [600, 0, 100], 0.02: [600, 9, 80], 0.05: [240, 100, 0], 0.1: [300, 97, 0] });
const WEAK = ruleOf('weak', { 0: [90, 0, 0], 0.02: [90, 0, 0], 0.05: [90, 20, 0], 0.1: [90, 96, 0] });
const HASTY = ruleOf('hasty', { 0: [5, 1, 0], 0.02: [5, 10, 0], 0.05: [5, 99, 0], 0.1: [5, 100, 0] });
const BLIND = ruleOf('blind', { 0: [5, 0, 0], 0.02: [5, 0, 0], 0.05: [5, 10, 0], 0.1: [5, 50, 0] });

const MATRIX: MatrixResult = {
	...{ origin: 'replayed', threshold: 0.05, cells: 6, runs: 100, cutOff: 0, verdicts: {}, secondsPerCell: 17 },
	...{ redGates: shareOf(0, 100), covered: shareOf(600, 600), seconds: { median: 100, p90: 100 } },
	power: [
		{ drop: 0.05, red: shareOf(58, 100), seconds: { median: 160, p90: 160 } },
		{ drop: 0.1, red: shareOf(100, 100), seconds: { median: 100, p90: 100 } },
	],
};

test('rules are compared with ours if they find a drop about as often; those with more false alarms, or that find nothing, are left out', () => {
	const [single, ...more] = ratioTables([OURS, PATIENT, WEAK, HASTY, BLIND], []);
	assert.deepEqual(
		single?.columns.map(({ label }) => label),
		['rule', 'no drop', '5 %', '10 %'],
	);
	assert.deepEqual(single?.rows, [
		['patient', '≥ 20.0', '4.0 (more power)', '10.0'],
		['weak', '3.0', 'less power', '3.0'],
	]);
	assert.deepEqual(more, []);
});

test('one cell of a matrix has the drop, and others measure the rest of it too', () => {
	const fine: MatrixResult = { ...MATRIX, threshold: 0.02 };
	const [, matrix, ...more] = ratioTables([OURS, PATIENT, WEAK], [fine, { ...MATRIX, power: [] }, MATRIX]);
	assert.deepEqual(matrix?.rows, [
		['patient', '≥ 36.0', '≥ 20.3 (more power)', '≥ 33.0'],
		['weak', '5.4', 'less power', '5.4'],
	]);
	assert.deepEqual(more, []);
});

test('without an equally good rule there is no table', () => {
	assert.deepEqual(ratioTables([OURS, HASTY, BLIND], [MATRIX]), []);
	assert.deepEqual(ratioTables([], [MATRIX]), []);
});
