import { median } from 'simple-statistics';
import { rankSumTest } from './rank-sum.ts';
import { type PeerRule, rateOf, runAt, secondsOf } from './rule.ts';

const ALPHA = 0.05;
const RUNS = 10;

/**
 * Returns the rule of benchstat: 10 runs of each side, Mann–Whitney U, red when p ≤ 0.05 (it prints `~` above) and
 * head's median is lower. In `blocks`, as in the example of its documentation, all runs of base come first and those of
 * head after them: base of the first 10 pairs, head of the next 10. `interleaved`, as its tips recommend: both sides of
 * the first 10 pairs. With fewer pairs each side has as many runs as possible. At this size benchstat's p is exact,
 * with and without ties.
 */
export function benchstat(order: 'blocks' | 'interleaved'): PeerRule {
	const blocks = order === 'blocks';
	return {
		rule: blocks ? 'benchstat' : 'benchstat-interleaved',
		title: blocks
			? 'benchstat: 10 runs of base, then 10 of head, Mann–Whitney U, p ≤ 0.05'
			: 'benchstat: 10 runs each, interleaved, Mann–Whitney U, p ≤ 0.05',
		reference: 'https://pkg.go.dev/golang.org/x/perf/cmd/benchstat',
		pairs: blocks ? 2 * RUNS : RUNS,
		decide(pairs) {
			const available = Math.min(pairs.base.length, pairs.head.length);
			const runs = Math.max(1, Math.min(RUNS, blocks ? Math.floor(available / 2) : available));
			const first = blocks ? runs : 0;
			const indexes = Array.from({ length: runs }, (_, index) => index);
			const base = indexes.map((index) => runAt(pairs, 'base', index));
			const head = indexes.map((index) => runAt(pairs, 'head', first + index));
			const [baseRates, headRates] = [base.map(rateOf), head.map(rateOf)];
			const lower = median(headRates) < median(baseRates);
			const red = lower && rankSumTest(baseRates, headRates) <= ALPHA;
			return { red, undecided: false, seconds: secondsOf([...base, ...head]), used: first + runs };
		},
	};
}
