import { judgePair } from './one-pair.ts';
import { dropsClearly } from './one-run.ts';
import { firstPairs, type PeerRule } from './rule.ts';

/** The first attempt and two more. */
const ATTEMPTS = 3;

/**
 * `oneRun` with reruns of a red job, on the same commit, until it is green: red when all attempts are. Every attempt
 * measures both sides anew, and its time counts. A report of this habit:
 * https://github.com/fork-tongue/observ/pull/187. With fewer than three pairs it has fewer attempts.
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
