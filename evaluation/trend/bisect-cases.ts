/** Simulated bisects of 64 commits, for each kind of range. */
import { createRandom } from '../../src/stats/random.ts';
import { findDoubts } from '../../src/trend/bisect/find-doubts.ts';
import { rangeWith, simulateBisect, type TrueRange } from './simulate-bisect.ts';

export interface BisectCase {
	readonly name: string;
	readonly runs: number;
	/** The bisect named the first bad commit, or no commit if nothing changed. */
	readonly right: number;
	/** It named another commit, and the proof confirmed it. */
	readonly wrongAndProven: number;
	/** A fresh duet confirmed the named commit. */
	readonly proven: number;
	/** Means of a run. */
	readonly rounds: number;
	readonly proofRounds: number;
	/** Number of runs with each doubt. */
	readonly doubts: Readonly<Record<string, number>>;
}

const DROP = Math.log(0.96);
const USUAL = { count: 64, sd: 0.025, buildSd: 0.003 };
const BROKEN = [10, 11, 12, 31, 32, 33, 34, 47, 48];

/** Each case makes a range from the drawn first bad commit. */
export const CASES: Readonly<Record<string, (first: number) => TrueRange>> = {
	'one change of −4 %, noise 2.5 %': (first) => rangeWith([{ commit: first, size: DROP }], USUAL),
	'with what a change point says': (first) =>
		rangeWith([{ commit: first, size: DROP }], {
			...USUAL,
			expected: { theta: DROP, se: 0.006 },
			prior: Array.from({ length: 64 }, (_, index) => Math.exp(-Math.abs(index + 1 - first) / 2) + 1e-3),
		}),
	'noise 1 %, stated as 2.5 %': (first) => rangeWith([{ commit: first, size: DROP }], { ...USUAL, sd: 0.01 }),
	'noise 5 %, stated as 2.5 %': (first) => rangeWith([{ commit: first, size: DROP }], { ...USUAL, sd: 0.05 }),
	'one round in 20 five times as noisy': (first) =>
		rangeWith([{ commit: first, size: DROP }], { ...USUAL, outliers: 0.05 }),
	'rounds of two kinds, 6 % apart': (first) =>
		rangeWith([{ commit: first, size: DROP }], { ...USUAL, sd: 0.008, split: 0.03 }),
	'9 of 64 commits do not build': (first) => rangeWith([{ commit: first, size: DROP }], { ...USUAL, broken: BROKEN }),
	'two changes of −4 %': (first) => rangeWith(pair(first, DROP, DROP), USUAL),
	'−8 %, half of it made up for later': (first) => rangeWith(pair(first, 2 * DROP, -DROP), USUAL),
	'an improvement of 4 %': (first) => rangeWith([{ commit: first, size: -DROP }], USUAL),
	'nothing changed': () => rangeWith([], USUAL),
};

function pair(first: number, size: number, later: number) {
	return [
		{ commit: 1 + (first >> 2), size },
		{ commit: 30 + (first >> 1), size: later },
	];
}

/** Returns `runs` simulated bisects of the first case, and a tenth as many of each other case. */
export function simulateBisects(runs: number): readonly BisectCase[] {
	return Object.entries(CASES).map(([name, make], index) =>
		simulateCase(name, make, 0, index === 0 ? runs : runs / 10),
	);
}

/** Returns the runs with the seeds `from` to before `to`. */
export function simulateCase(name: string, make: (first: number) => TrueRange, from: number, to: number): BisectCase {
	const runs = to - from;
	const doubts: Record<string, number> = {};
	let [right, proven, wrongAndProven, rounds, proofRounds] = [0, 0, 0, 0, 0];
	for (let seed = from; seed < to; seed++) {
		const range = make(1 + Math.floor(createRandom(seed, 5).next() * 64));
		const done = simulateBisect(range, seed);
		const { step } = done;
		const first = range.levels.findIndex((level) => level !== 0) + 1;
		const isNamed = step.kind === 'found' && step.span.before < first && first <= step.span.after;
		const isRight = first === 0 ? step.kind !== 'found' : isNamed;
		const isProven = step.kind === 'found' && step.proven;
		if (isRight) right++;
		if (isProven) proven++;
		if (isProven && !isRight) wrongAndProven++;
		rounds += done.rounds;
		proofRounds += done.proofRounds;
		for (const { code } of findDoubts(done.state, done.posterior, String)) doubts[code] = (doubts[code] ?? 0) + 1;
	}
	return { name, runs, right, wrongAndProven, proven, rounds: rounds / runs, proofRounds: proofRounds / runs, doubts };
}
