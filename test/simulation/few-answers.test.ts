/** Few answers come in bursts: how often one burst more or less makes a red where nothing changed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FewAnswers, verdictsOf } from './few-answers.ts';

const RUNS = 120;
const SLOW: FewAnswers = {
	connections: 20,
	bursts: 15,
	jitter: 0,
	spread: 0.01,
	inStep: true,
	drop: 0,
	confirms: false,
	told: true,
};

function shareOf(verdict: string, setting: FewAnswers): number {
	return (verdictsOf(setting, RUNS, 51)[verdict] ?? 0) / RUNS;
}

test('bursts in step: reds of a drop that is harmless are rare, and were not before counting was allowed for', () => {
	const harmless = { ...SLOW, drop: 0.025 };
	assert.ok(shareOf('regressed', { ...harmless, told: false }) > 0.1);
	assert.equal(shareOf('regressed', harmless), 0);
	assert.ok(shareOf('regressed', { ...harmless, confirms: true }) <= 0.05);
});

test('a drop that no burst explains is red at once, a smaller one once it is confirmed', () => {
	assert.ok(shareOf('regressed', { ...SLOW, drop: 0.4 }) > 0.9);
	const small = { ...SLOW, drop: 0.15, inStep: false };
	assert.ok(shareOf('inconclusive', small) > 0.9);
	assert.ok(shareOf('regressed', { ...small, confirms: true }) > 0.9);
});
