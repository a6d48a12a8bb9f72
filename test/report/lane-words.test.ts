import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeLaneCheck } from '../../src/report/selftest-document.ts';
import type { LaneCheck } from '../../src/types/selftest.ts';

const figure = (value: number) => ({ value, low: value - 0.004, high: value + 0.004, rounds: 40 });
const CHECK: LaneCheck = {
	lanes: 2,
	pinning: '2 lanes',
	bias: figure(0.001),
	drop: 0.05,
	alone: figure(-0.051),
	together: figure(-0.049),
	gain: 1.62,
	servers: [],
	worth: true,
	reasons: [],
};

test('lanes: the verdict first, then the reasons against them, then the evidence', () => {
	const measured =
		'with all lanes at work a server against itself shows +0.1 % [−0.3 … +0.5], a drop of 5 % is measured as −4.9 % [−5.3 … −4.5] (−5.1 % [−5.5 … −4.7] in one lane)';
	assert.equal(
		describeLaneCheck(CHECK),
		`2 at once: worth it. Measured: ${measured}, and certainty costs 1.62 times less.`,
	);
	assert.match(
		describeLaneCheck({ ...CHECK, worth: false, gain: 1.1, reasons: ['Certainty costs 1.10 times less.'] }),
		/^2 at once: not worth it\. Certainty costs 1\.10 times less\. Measured: /,
	);
	const nothing = { ...CHECK, worth: null, bias: null, alone: null, together: null, gain: null };
	assert.match(
		describeLaneCheck({ ...nothing, reasons: ['Too few rounds for a conclusion.'] }),
		/^2 at once: perhaps\. Too few rounds for a conclusion\. Measured: .* shows –, .*in one lane\)\.$/,
	);
});
