import { addLook, limitsOf, type SequentialP, UNTESTED } from '../../src/judge/looks/sequential.ts';
import { confirmationOf } from '../../src/judge/rule.ts';
import { planLooks } from '../../src/plan/looks.ts';
import { type Location, locationOf } from '../../src/stats/location.ts';
import { momentsOf } from '../../src/stats/moments.ts';
import type { Random } from '../../src/stats/random.ts';
import type { Noise } from './noises.ts';

/** Looks and limits of every simulated row: 20 rounds, threshold 5 %, tolerance 2.5 %. */
export const LOOKS = planLooks(20);
export const LIMITS = limitsOf({ threshold: 0.05, tolerance: 0.025 });

export type Locate = (d: readonly number[]) => Location | null;

/** The rule of benchgate. */
export const tAndRanks: Locate = (d) => locationOf(d);

/** The rule without ranks: every level is t's, and the estimate is the mean. */
export const tAlone: Locate = (d) => {
	const moments = momentsOf(d);
	return moments && { ...moments, centre: moments.mean, share: 1, averages: null, bound: 0 };
};

/** Returns d of 20 rounds around a true effect (log ratio). */
export function drawRounds(random: Random, noise: Noise, effect: number, sd: number): number[] {
	return Array.from({ length: 20 }, () => effect + sd * noise(random));
}

/** Returns the sequential p-values of `d` after each look it reaches. */
export function lookThrough(d: readonly number[], locate: Locate = tAndRanks, limits = LIMITS): SequentialP[] {
	const tests: SequentialP[] = [];
	for (const look of LOOKS) {
		const location = locate(d.slice(0, look.rounds));
		if (location && d.length >= look.rounds) tests.push(addLook(tests.at(-1) ?? UNTESTED, location, limits, look));
	}
	return tests;
}

/** Returns the verdict about one row without a family, and the rounds it took. */
export function decideRow(
	d: readonly number[],
	locate: Locate,
): { readonly verdict: 'regressed' | 'unchanged' | 'inconclusive'; readonly rounds: number } {
	for (const [index, test] of lookThrough(d, locate).entries()) {
		const rounds = LOOKS[index]?.rounds ?? d.length;
		const location = locate(d.slice(0, rounds));
		const verdict = location && confirmationOf({ location, test, limits: LIMITS }, rounds === d.length);
		if (verdict) return { verdict, rounds };
	}
	return { verdict: 'inconclusive', rounds: d.length };
}

/** Returns the share of hits as the tables print it. */
export function percentOf(hits: readonly boolean[]): string {
	return `${((100 * hits.filter(Boolean).length) / hits.length).toFixed(1)} %`;
}
