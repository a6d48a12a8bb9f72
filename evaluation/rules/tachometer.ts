import { studentQuantile } from '../../src/stats/distributions.ts';
import type { Seconds } from '../../src/types/units.ts';
import { firstPairs, type PeerRule, type ProcessRun, type RunPairs, rateOf, secondsOf } from './rule.ts';
import { type Sample, sampleOf } from './welch.ts';

/** `--sample-size`: samples of each side before the first look. */
const SAMPLES = 50;
/** Samples of each side between two looks. */
const BATCH = 10;
/** `--timeout`: time for further samples after the first look. */
const TIMEOUT: Seconds = 180;
/** More than fit into that time. */
const MOST = 100;
/** Half of the probability outside a 95 % interval. */
const TAIL = 0.025;

export interface Interval {
	readonly low: number;
	readonly high: number;
}

/**
 * The rule of tachometer with its defaults: 50 samples of each side in turn, then 10 more of each at a time until the
 * 95 % interval of the relative difference excludes 0 (`--auto-sample-conditions=0%`) or 3 minutes have passed. Red
 * when the whole interval means that head takes longer, undecided while it contains 0 (`unsure`). A sample is the time
 * per answer of one run, because tachometer measures times. It stops where the pairs end, and with fewer than 50 it
 * looks once, at all of them; the discarded first sample is neither made nor counted in its time.
 */
export const tachometer: PeerRule = {
	rule: 'tachometer',
	title: 'tachometer: 50 samples each, then up to 3 minutes more until the 95 % interval leaves 0',
	reference: 'https://github.com/google/tachometer#sampling',
	pairs: MOST,
	decide(pairs) {
		const taken = firstPairs(pairs, MOST);
		const available = taken.base.length;
		let used = Math.min(SAMPLES, available);
		while (used < available && !isResolved(taken, used) && timeGone(taken, used) < TIMEOUT) {
			used = Math.min(used + BATCH, available);
		}
		const { low, high } = relativeDifference(timesOf(taken.base, used), timesOf(taken.head, used));
		const seconds = secondsOf([...taken.base.slice(0, used), ...taken.head.slice(0, used)]);
		return { red: low > 0, undecided: !(low > 0 || high < 0), seconds, used };
	},
};

/**
 * Returns tachometer's 95 % interval of (head − base) / base of two mean times: positive is slower, 0.05 is 5 % more
 * time. Source: its stats.ts, variance (a·h² + b·m²) / m⁴ with m, h the means of base and head and a, b their squared
 * standard errors (delta method), Student's t with the smaller size − 1 degrees of freedom.
 */
export function relativeDifference(base: Sample, head: Sample): Interval {
	const [baseSquare, headSquare] = [base.variance / base.size, head.variance / head.size];
	const centre = (head.mean - base.mean) / base.mean;
	const variance = (baseSquare * head.mean ** 2 + headSquare * base.mean ** 2) / base.mean ** 4;
	const margin = -studentQuantile(TAIL, Math.min(base.size, head.size) - 1) * Math.sqrt(variance);
	return { low: centre - margin, high: centre + margin };
}

/**
 * Whether the intervals of both directions, head against base and base against head, exclude 0: tachometer requires
 * both.
 */
function isResolved(pairs: RunPairs, used: number): boolean {
	const [base, head] = [timesOf(pairs.base, used), timesOf(pairs.head, used)];
	return [relativeDifference(base, head), relativeDifference(head, base)].every(({ low, high }) => low > 0 || high < 0);
}

/** Time since the first look, by tachometer's clock: until the last sample of the batch begins. */
function timeGone({ base, head }: RunPairs, used: number): Seconds {
	if (used <= SAMPLES) return 0;
	return secondsOf([...base.slice(SAMPLES, used), ...head.slice(SAMPLES, used - 1)]);
}

function timesOf(runs: readonly ProcessRun[], used: number): Sample {
	return sampleOf(runs.slice(0, used).map((run) => 1 / rateOf(run)));
}
