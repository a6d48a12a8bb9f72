import { judgePair } from './one-pair.ts';
import { dropsClearly } from './one-run.ts';
import { firstPairs, type PeerRule } from './rule.ts';

/** The first attempt and two more. */
const ATTEMPTS = 3;

/**
 * What becomes of `oneRun` where a red job is run again, on the same commit, until it is green: red when the first attempt and both
 * further ones are. Every attempt measures both sides anew and is paid for. That people work so is told of in
 * https://github.com/fork-tongue/observ/pull/187, among others. With fewer than three pairs it has fewer attempts.
 */
export const untilGreen: PeerRule = {
	rule: 'until-green',
	title: 'One run of each side, more than 5 % slower, a red job is run again up to 2 times',
	reference: 'https://docs.github.com/en/actions/managing-workflow-runs/re-running-workflows-and-jobs',
	pairs: ATTEMPTS,
	decide(pairs) {
		const taken = firstPairs(pairs, ATTEMPTS);
		let seconds = 0;
		for (const attempt of taken.base.keys()) {
			const verdict = judgePair(taken, attempt, dropsClearly);
			seconds += verdict.seconds;
			if (!verdict.red) return { red: false, undecided: false, seconds, used: attempt + 1 };
		}
		return { red: true, undecided: false, seconds, used: taken.base.length };
	},
};
