import type { Random } from '../../src/stats/random.ts';
import { heavyTailed, type Noise, normal, skewed } from '../oracle/noises.ts';

/** Deviations of d from the true effect (log units) of `rounds` rounds one after the other, most of them spread by `sd`. */
export type Law = (random: Random, rounds: number, sd: number) => number[];

/** A 25 % slower process, in log units. */
const SLOW_PROCESS = Math.log(0.75);

/** Returns the law of rounds that are drawn independently from `noise`. */
function independent(noise: Noise): Law {
	return (random, rounds, sd) => Array.from({ length: rounds }, () => sd * noise(random));
}

/** In one round of ten a side stalls, either side alike, and loses on average three spreads. */
const stalls: Noise = (random) => random.normal() + stall(random) - stall(random);

function stall(random: Random): number {
	return random.next() < 0.1 ? -3 * Math.log(1 - random.next()) : 0;
}

/**
 * One process in 20 is 25 % slower for its whole life: a property of the process, whatever the spread of the others.
 */
const slowProcesses: Law = (random, rounds, sd) =>
	Array.from({ length: rounds }, () => sd * random.normal() + slowness(random) - slowness(random));

function slowness(random: Random): number {
	return random.next() < 0.05 ? SLOW_PROCESS : 0;
}

/** Each round remembers the share `phi` of the one before; the variance is that of normal noise. */
function autoregressive(phi: number): Law {
	return (random, rounds, sd) => {
		const deviations = [sd * random.normal()];
		while (deviations.length < rounds) {
			const previous = deviations.at(-1) as number;
			deviations.push(phi * previous + sd * Math.sqrt(1 - phi * phi) * random.normal());
		}
		return deviations;
	};
}

/** The assumptions of docs/statistics.md: independent rounds, symmetric around their centre. */
export const PROMISED = {
	normal: independent(normal),
	't with 3 degrees of freedom': independent(heavyTailed),
	stalls: independent(stalls),
	'slow processes': slowProcesses,
} satisfies Record<string, Law>;

/** Violations of these assumptions. The mean of skewed rounds is the truth. */
export const BROKEN = {
	'skewed upwards': independent(skewed),
	'skewed downwards': independent((random) => -skewed(random)),
	'correlated, 0.3': autoregressive(0.3),
	'correlated, 0.6': autoregressive(0.6),
} satisfies Record<string, Law>;

export const LAWS = { ...PROMISED, ...BROKEN };
export type LawName = keyof typeof LAWS;
export const PROMISED_NAMES = Object.keys(PROMISED) as (keyof typeof PROMISED)[];
export const BROKEN_NAMES = Object.keys(BROKEN) as (keyof typeof BROKEN)[];
