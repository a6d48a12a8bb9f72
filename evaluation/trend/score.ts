import { clopperPearson } from '../../src/stats/distributions.ts';
import type { History } from './recorded-histories.ts';

/** First changed points that a rule finds after each point, as indexes. */
export type FoundAfterEach = readonly (readonly number[])[];

/** Score of a rule on histories with one step, or without one. */
export interface Score {
	readonly histories: number;
	/** Histories with a false alarm at any time, and the exact 95 % interval of their share. */
	readonly falseAlarms: number;
	readonly falseShare: readonly [number, number];
	/** Histories whose step was found by the end. */
	readonly found: number;
	/** Points after the step until it was found, including the first: median and 90 %; null if too few were found. */
	readonly delay: number | null;
	readonly delay90: number | null;
	/** Of those found, at the end: at most one commit off. */
	readonly within1: number;
}

/** A change within this distance is the step. */
const NEAR = 3;

/** Returns the score of `found`, one list for each history. */
export function scoreOf(histories: readonly History[], found: readonly FoundAfterEach[]): Score {
	const each = histories.map(({ step }, index) => scoreOne(step, found[index] as FoundAfterEach));
	const falseAlarms = each.filter(({ isFalse }) => isFalse).length;
	const delays = each.map(({ delay }) => delay ?? Number.POSITIVE_INFINITY).sort((a, b) => a - b);
	const quantile = (share: number) => {
		const value = delays[Math.ceil(share * delays.length) - 1] ?? Number.POSITIVE_INFINITY;
		return Number.isFinite(value) ? value : null;
	};
	const { low, high } = clopperPearson(falseAlarms, histories.length);
	return {
		histories: histories.length,
		falseAlarms,
		falseShare: [low, high],
		found: each.filter(({ delay }) => delay !== null).length,
		delay: quantile(0.5),
		delay90: quantile(0.9),
		within1: each.filter(({ within1 }) => within1).length,
	};
}

function scoreOne(step: number | null, found: FoundAfterEach) {
	const isStep = (at: number) => step !== null && Math.abs(at - step) <= NEAR;
	const isFalse = found.some((ats) => ats.some((at) => !isStep(at)));
	const first = found.findIndex((ats) => ats.some(isStep));
	const last = found.at(-1) ?? [];
	return {
		isFalse,
		delay: step === null || first < 0 ? null : first - step + 1,
		within1: step !== null && last.some((at) => Math.abs(at - step) <= 1),
	};
}
