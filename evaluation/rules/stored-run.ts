import type { Fraction } from '../../src/types/units.ts';
import { type PeerRule, rateOf, runAt, secondsOf } from './rule.ts';

/**
 * Returns the rule of github-action-benchmark: one run of head against the stored run of an earlier job, red when the
 * stored rate divided by head's, rates being bigger-is-better, is more than `alert` (2 is the tool's default of 200 %:
 * half the rate). Base is the run of the pair before head's, so that time has passed between them; another job would
 * also have another machine, which makes the rule look better here than it is. Its time includes only head's run, as in
 * the tool.
 */
export function storedRun(alert: Fraction): PeerRule {
	const percent = Math.round(alert * 100);
	return {
		rule: `github-action-benchmark-${percent}`,
		title: `github-action-benchmark, alert-threshold ${percent} %: one run against a stored one`,
		reference: 'https://github.com/benchmark-action/github-action-benchmark#alert-threshold-optional',
		pairs: 2,
		decide(pairs) {
			const stored = runAt(pairs, 'base', 0);
			const head = runAt(pairs, 'head', 1);
			const red = ratioOf(rateOf(stored), rateOf(head)) > alert;
			return { red, undecided: false, seconds: secondsOf([head]), used: 2 };
		},
	};
}

/** Returns the ratio of `previous` to `current`; 1 if both are 0. */
export function ratioOf(previous: number, current: number): number {
	return previous === 0 && current === 0 ? 1 : previous / current;
}
