import type { Fraction } from '../../src/types/units.ts';
import { dropOf, type PeerRule, type PeerVerdict, type RunPairs, rateOf, runAt, secondsOf } from './rule.ts';

/** What a comparison of two numbers calls slower where nobody has measured the noise. */
export const DROP: Fraction = 0.05;

/**
 * One run of each side, red when head answers more than 5 % fewer requests per second. The workflow referred to shows the two
 * numbers to a reviewer; the line at 5 % stands for the reviewer.
 */
export const oneRun: PeerRule = {
	rule: 'one-run',
	title: 'One run of each side, more than 5 % slower',
	reference: 'https://github.com/fastify/fastify/blob/main/.github/workflows/benchmark.yml',
	pairs: 1,
	decide: (pairs) => judgeOnePair(pairs, 0),
};

/** Returns what one run of each side says, those of pair `index`, counted from 0. Throws a RangeError when there is no such pair. */
export function judgeOnePair(pairs: RunPairs, index: number): PeerVerdict {
	const base = runAt(pairs, 'base', index);
	const head = runAt(pairs, 'head', index);
	const red = dropOf(rateOf(base), rateOf(head)) > DROP;
	return { red, undecided: false, seconds: secondsOf([base, head]) };
}
