import { type PeerRule, type PeerVerdict, type ProcessRun, type RunPairs, runAt, secondsOf } from './rule.ts';

/** Whether head is slower, by one run of each side; both have windows. */
export type IsSlower = (base: ProcessRun, head: ProcessRun) => boolean;

/** Returns a rule that always answers, by the first run of each side, and is red when `isSlower`. Both runs are paid for. */
export function onePairRule(names: Pick<PeerRule, 'rule' | 'title' | 'reference'>, isSlower: IsSlower): PeerRule {
	return { ...names, pairs: 1, decide: (pairs) => judgePair(pairs, 0, isSlower) };
}

/** Returns what pair `index`, counted from 0, says. Throws a RangeError when there is no such pair or a run has no windows. */
export function judgePair(pairs: RunPairs, index: number, isSlower: IsSlower): PeerVerdict {
	const base = runAt(pairs, 'base', index);
	const head = runAt(pairs, 'head', index);
	return { red: isSlower(base, head), undecided: false, seconds: secondsOf([base, head]), used: 1 };
}
