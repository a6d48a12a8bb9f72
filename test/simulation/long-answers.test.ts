/** Long answers: 10 % longer is found, an unchanged head is never red, and no interval is narrower than the clock's resolution. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { budgetFor, CONNECTIONS, JITTERS, LATENCIES, type LongAnswers, tallyLong } from './long-answers.ts';

const RUNS = 6;
const SEED = 61;

const SETTINGS = LATENCIES.flatMap((milliseconds) =>
	CONNECTIONS.flatMap((connections) => JITTERS.map((jitter) => ({ milliseconds, connections, jitter }))),
);

/** Sums the outcomes of all settings, and checks that no interval beats the clock's resolution. */
function tallyAll(slower: number): Readonly<Record<string, number>> {
	const sums: Record<string, number> = {};
	for (const setting of SETTINGS) {
		const { verdicts, narrowest, smallest, longest } = tallyLong({ ...setting, slower }, RUNS, SEED);
		const label = JSON.stringify(setting);
		assert.ok(narrowest >= 0.002, `${label}: an interval of ${narrowest}`);
		assert.ok(smallest >= 0.002, `${label}: a smallest slowdown of ${smallest}`);
		assert.ok(longest <= budgetFor(setting.milliseconds), `${label}: ${longest} s`);
		for (const [verdict, count] of Object.entries(verdicts)) sums[verdict] = (sums[verdict] ?? 0) + count;
	}
	return sums;
}

test('answers of 20 ms to 3 s that take 10 % longer are found in the budget, and never pass', () => {
	const { regressed = 0, inconclusive = 0, ...others } = tallyAll(0.1);
	assert.ok(regressed >= 0.95 * SETTINGS.length * RUNS, `${regressed} red, ${inconclusive} open`);
	assert.deepEqual(others, {});
});

test('the same server is never red, and nearly always passes', () => {
	const { unchanged = 0, inconclusive = 0, ...others } = tallyAll(0);
	assert.ok(unchanged >= 0.95 * SETTINGS.length * RUNS, `${unchanged} passed, ${inconclusive} open`);
	assert.deepEqual(others, {});
});

const SLOWER: LongAnswers = { milliseconds: 1000, connections: 20, jitter: 0.05, slower: 0.1 };

test('a head that is fast at first, or slow when windows are over, gains nothing', () => {
	for (const trick of ['fast at first', 'slow at the end'] as const)
		for (const connections of CONNECTIONS)
			for (const milliseconds of [100, 1000, 3000]) {
				const { verdicts } = tallyLong({ ...SLOWER, milliseconds, connections, trick }, RUNS, SEED);
				assert.deepEqual(verdicts, { regressed: RUNS }, `${trick}, ${connections} × ${milliseconds} ms`);
			}
});

test('whole answers, as earlier versions counted them: bursts neither pass nor fail a row, a drop that no burst explains does', () => {
	const whole = { ...SLOWER, whole: true, jitter: 0 } as const;
	const runs = 2;
	for (const slower of [0, 0.1])
		for (const milliseconds of [500, 1000, 3000]) {
			const { verdicts } = tallyLong({ ...whole, milliseconds, slower }, runs, SEED);
			assert.deepEqual(verdicts, { inconclusive: runs }, `${slower} at ${milliseconds} ms`);
		}
	const { verdicts } = tallyLong({ ...whole, milliseconds: 100, slower: 1 }, RUNS, SEED);
	assert.deepEqual(verdicts, { regressed: RUNS });
});
