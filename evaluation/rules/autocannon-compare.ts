import { mean, variance } from 'simple-statistics';
import { onePairRule } from './one-pair.ts';
import { dropOf } from './rule.ts';
import { type Sample, type WelchTest, welch } from './welch.ts';

const ALPHA = 0.1;
const DROP = 0.05;

/**
 * autocannon-compare(head, base), red when it declares base the winner: Welch's t-test over the throughput of each
 * second of one run of each side, p < 0.10, and head's mean more than 5 % lower. Bytes per second are answers per
 * second times a constant here, because both sides send the same bodies; the constant cancels in the ratio and in t.
 * Each window stands for a second, so there are as many as windows in the run.
 */
export const autocannonCompare = onePairRule(
	{
		rule: 'autocannon-compare',
		title: 'autocannon-compare: Welch’s t over the seconds of one run each, p < 0.10 and more than 5 % slower',
		reference: 'https://github.com/mcollina/autocannon-compare',
	},
	(base, head) => {
		const { p, drop } = compareSeconds(base.rates, head.rates);
		return p < ALPHA && drop > DROP;
	},
);

/**
 * Returns Welch's test of the rates with autocannon-compare's arithmetic, and the drop of head's mean against base's
 * (0.05 for 5 % less). The tool reads the deviation that autocannon prints, that of its histogram, which divides by the
 * number of seconds and not by one less: with few seconds its p is too small.
 */
export function compareSeconds(
	base: readonly number[],
	head: readonly number[],
): WelchTest & { readonly drop: number } {
	const [baseSample, headSample] = [printedBy(base), printedBy(head)];
	return { ...welch(baseSample, headSample), drop: dropOf(baseSample.mean, headSample.mean) };
}

function printedBy(rates: readonly number[]): Sample {
	return { size: rates.length, mean: mean(rates as number[]), variance: variance(rates as number[]) };
}
