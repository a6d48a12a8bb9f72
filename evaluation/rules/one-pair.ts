import { type PeerRule, type PeerVerdict, type ProcessRun, type RunPairs, runAt, secondsOf } from './rule.ts';

/** Whether head is slower, by one run of each side; both have windows. */
export type IsSlower = (base: ProcessRun, head: ProcessRun) => boolean;

/**
 * Returns a rule that always decides, by the first run of each side, and is red when `isSlower`. Its time includes both
 * runs.
 */
export function onePairRule(names: Pick<PeerRule, 'rule' | 'title' | 'reference'>, isSlower: IsSlower): PeerRule {
	return { ...names, pairs: 1, decide: (pairs) => judgePair(pairs, 0, isSlower) };
}

/**
 * Returns the verdict on pair `index`, counted from 0. Throws a RangeError if the pair is missing or a run has no
 * windows.
 */
export function judgePair(pairs: RunPairs, index: number, isSlower: IsSlower): PeerVerdict {
	const base = runAt(pairs, 'base', index);
	const head = runAt(pairs, 'head', index);
	return { red: isSlower(base, head), undecided: false, seconds: secondsOf([base, head]), used: 1 };
}
