import { firstPairs, type PeerRule, rateOf, secondsOf } from './rule.ts';
import { sampleOf, welch } from './welch.ts';

/** p below which compare.R prints its first star. */
const ALPHA = 0.05;
const RUNS = 30;

/**
 * The rule of Node's own benchmarks, compare.js and compare.R: 30 runs of each side in turn, Welch's t-test over the
 * runs' rates (without the pairing), red at one star and a lower mean of head. With fewer pairs, from 2 on, it uses
 * all; with one it prints no p and is green.
 */
export const nodeCompare: PeerRule = {
	rule: 'node-compare',
	title: 'Node compare.js and compare.R: 30 runs each, interleaved, Welch’s t, p < 0.05',
	reference: 'https://github.com/nodejs/node/blob/main/doc/contributing/writing-and-running-benchmarks.md',
	pairs: RUNS,
	decide(pairs) {
		const { base, head } = firstPairs(pairs, RUNS);
		const { t, p } = welch(sampleOf(base.map(rateOf)), sampleOf(head.map(rateOf)));
		return { red: p < ALPHA && t < 0, undecided: false, seconds: secondsOf([...base, ...head]), used: base.length };
	},
};
