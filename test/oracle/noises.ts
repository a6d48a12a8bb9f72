import type { Random } from '../../src/stats/random.ts';

/** One round's deviation from the true effect, in units of the spread of most rounds. */
export type Noise = (random: Random) => number;

export const normal: Noise = (random) => random.normal();

/** Student's t with 3 degrees of freedom, scaled to standard deviation 1: heavy tails. */
export const heavyTailed: Noise = (random) => {
	const square = [0, 0, 0].reduce((sum) => sum + random.normal() ** 2, 0);
	return random.normal() / Math.sqrt(square / 3) / Math.sqrt(3);
};

/** One round in ten is three times as noisy: bursts. */
export const bursts: Noise = (random) => random.normal() * (random.next() < 0.1 ? 3 : 1);

/** In 7 % of rounds one process is far slower all its life: ±30 % at a spread of 2 %, either side alike. */
export const split: Noise = (random) => {
	const far = random.next() < 0.07 ? 15 : 0;
	return random.normal() + (random.coin() ? far : -far);
};

/** Lognormal with σ = 0.5, long tail upwards, scaled to mean 0 and standard deviation 1: a violated assumption. */
export const skewed: Noise = (random) => {
	const variance = 0.5 ** 2;
	const spread = Math.sqrt(Math.expm1(variance) * Math.exp(variance));
	return (Math.exp(0.5 * random.normal()) - Math.exp(variance / 2)) / spread;
};
