import { studentSurvival } from '../../src/stats/distributions.ts';
import { momentsOf } from '../../src/stats/moments.ts';
import { firstPairs, type PeerRule, rateOf, runAt, secondsOf } from './rule.ts';

const ALPHA = 0.05;
const FIRST_LOOK = 3;
const LAST_LOOK = 20;

/**
 * Repeats until head is significantly slower: a paired t-test on the rounds' d after every round from 3 to 20, red at
 * the first two-sided p < 0.05 with head slower, green after the last. Each look is valid alone, but not all together,
 * as the reference computes. With fewer pairs it stops at the last.
 */
export const untilSignificant: PeerRule = {
	rule: 'until-significant',
	title: 'Paired t on rounds, looked at after every round from 3 to 20, until head is slower with p < 0.05',
	reference: 'Armitage, McPherson and Rowe 1969, Repeated Significance Tests on Accumulating Data',
	pairs: LAST_LOOK,
	decide(pairs) {
		const d: number[] = [];
		let seconds = 0;
		const taken = firstPairs(pairs, LAST_LOOK);
		for (const [round, base] of taken.base.entries()) {
			const head = runAt(taken, 'head', round);
			seconds += secondsOf([base, head]);
			d.push(Math.log(rateOf(head)) - Math.log(rateOf(base)));
			if (d.length < FIRST_LOOK) continue;
			const { t, p } = pairedTest(d);
			if (p < ALPHA && t < 0) return { red: true, undecided: false, seconds, used: d.length };
		}
		return { red: false, undecided: false, seconds, used: d.length };
	},
};

/** Returns Student's t and its two-sided p-value of "the mean of `d` is 0", d in log units and negative when head is slower. */
export function pairedTest(d: readonly number[]): { readonly t: number; readonly p: number } {
	const moments = momentsOf(d);
	if (!moments || moments.df === 0) return { t: 0, p: 1 };
	const t = moments.mean / moments.se;
	return { t, p: 2 * studentSurvival(Math.abs(t), moments.df) };
}
