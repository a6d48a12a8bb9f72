import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rangeWith, simulateBisect, type TrueRange } from '../../../evaluation/trend/simulate-bisect.ts';
import { createRandom } from '../../../src/stats/random.ts';
import { findDoubts } from '../../../src/trend/bisect/find-doubts.ts';

/** docs/evaluation/trend.json has the full counts. */
const RUNS = 30;
const DROP = Math.log(0.96);
const USUAL = { count: 64, sd: 0.025, buildSd: 0.003 };

function simulate(make: (first: number) => TrueRange, runs = RUNS) {
	return Array.from({ length: runs }, (_, seed) => {
		const range = make(1 + Math.floor(createRandom(seed, 5).next() * 64));
		const done = simulateBisect(range, seed);
		const { step } = done;
		const first = range.levels.findIndex((level) => level !== 0) + 1;
		const isRight = step.kind === 'found' && step.span.before < first && first <= step.span.after;
		const codes = findDoubts(done.state, done.posterior, String).map(({ code }) => code);
		return { ...done, isRight, codes };
	});
}

const count = <T>(values: readonly T[], holds: (value: T) => boolean) => values.filter(holds).length;
const rights = (done: ReturnType<typeof simulate>) => count(done, ({ isRight }) => isRight);

test('64 commits, a drop of 4 %, noise of 2.5 % a round: the first bad commit is named', () => {
	const done = simulate((first) => rangeWith([{ commit: first, size: DROP }], USUAL));
	assert.ok(rights(done) >= 29, `${rights(done)}`);
	assert.ok(count(done, ({ step }) => step.kind === 'found' && step.proven) >= 27);
	const rounds = done.reduce((sum, one) => sum + one.rounds, 0) / RUNS;
	assert.ok(rounds < 64, `${rounds} rounds`);
	assert.equal(
		count(done, ({ codes }) => codes.length > 0),
		0,
	);
});

test('the hint of a change point saves rounds', () => {
	const plain = simulate((first) => rangeWith([{ commit: first, size: DROP }], USUAL), 15);
	const told = simulate((first) => {
		const prior = Array.from({ length: 64 }, (_, index) => (Math.abs(index + 1 - first) <= 4 ? 1 : 0.01));
		return rangeWith([{ commit: first, size: DROP }], { ...USUAL, prior, expected: { theta: DROP, se: 0.006 } });
	}, 15);
	const rounds = (done: typeof plain) => done.reduce((sum, one) => sum + one.rounds, 0);
	assert.ok(rounds(told) < 0.8 * rounds(plain), `${rounds(told)} ${rounds(plain)}`);
	assert.ok(rights(told) >= 14);
});

test('an improvement is found like a loss', () => {
	assert.ok(rights(simulate((first) => rangeWith([{ commit: first, size: -DROP }], USUAL), 12)) >= 11);
});

test('a range without a change has no culprit', () => {
	const done = simulate(() => rangeWith([], USUAL));
	assert.equal(
		count(done, ({ step }) => step.kind === 'found'),
		0,
	);
	assert.ok(count(done, ({ step }) => step.kind === 'no-change') >= 29);
});

test('commits that do not build are skipped, and both ends of the gap are named', () => {
	const broken = [10, 11, 12, 31, 32, 33, 34, 47, 48];
	const done = simulate((first) => rangeWith([{ commit: first, size: DROP }], { ...USUAL, broken }));
	assert.ok(rights(done) >= 28);
	const inGap = simulate(() => rangeWith([{ commit: 33, size: DROP }], { ...USUAL, broken }), 8);
	assert.ok(count(inGap, ({ isRight }) => isRight) >= 7);
	for (const { step } of inGap) {
		if (step.kind === 'found') assert.deepEqual([step.span.before, step.span.after], [30, 35]);
	}
});

test('a stated noise that is wrong by a factor of two or more does not mislead', () => {
	const quiet = simulate((first) => rangeWith([{ commit: first, size: DROP }], { ...USUAL, sd: 0.01 }), 12);
	assert.ok(rights(quiet) >= 11);
	const loud = simulate((first) => rangeWith([{ commit: first, size: DROP }], { ...USUAL, sd: 0.05 }), 12);
	assert.equal(
		count(loud, ({ step, isRight }) => step.kind === 'found' && step.proven && !isRight),
		0,
	);
});

test('rounds of two kinds are reported as such, and hardly mislead', () => {
	const done = simulate(
		(first) => rangeWith([{ commit: first, size: DROP }], { ...USUAL, sd: 0.008, split: 0.03 }),
		20,
	);
	assert.ok(rights(done) >= 18, `${rights(done)}`);
	assert.ok(count(done, ({ codes }) => codes.includes('split-rounds')) >= 19);
});

test('of two changes the first is named, with a note on the other', () => {
	const done = simulate((first) => {
		const earlier = 1 + (first >> 2);
		return rangeWith(
			[
				{ commit: earlier, size: DROP },
				{ commit: 30 + (first >> 1), size: DROP },
			],
			USUAL,
		);
	});
	assert.ok(rights(done) >= 28, `${rights(done)}`);
	assert.ok(count(done, ({ codes }) => codes.includes('two-changes')) >= RUNS / 2);
});

test('a partial recovery is named as such', () => {
	const done = simulate((first) => {
		const earlier = 1 + (first >> 2);
		return rangeWith(
			[
				{ commit: earlier, size: 2 * DROP },
				{ commit: 30 + (first >> 1), size: -DROP },
			],
			USUAL,
		);
	});
	assert.ok(rights(done) >= 28, `${rights(done)}`);
	assert.ok(count(done, ({ codes }) => codes.includes('partial-recovery')) >= 0.4 * RUNS);
});
