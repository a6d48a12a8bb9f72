/** Chooses the commit to measure next. */
import type { Seconds } from '../../types/units.ts';
import { type BisectRule, type BisectState, type Level, type Posterior, pooledProbes } from './bisect-state.ts';

/** Grid for the expected entropy, in standard deviations. */
const GRID = Array.from({ length: 33 }, (_, index) => (index - 16) / 4);
const DENSITY = GRID.map((z) => Math.exp(-0.5 * z * z));
const DENSITY_SUM = DENSITY.reduce((sum, value) => sum + value, 0);

/** More rounds of a commit add little, because the difference between builds remains. */
const MOST_ROUNDS = 30;
/** Least gain of a probe, in nats. */
const LEAST_GAIN = 0.005;

/**
 * Returns the commit whose next probe promises the most information about the first bad commit per second, including
 * the build; null if no probe is worth it. Source: Lindley 1956; docs/statistics.md,
 * "The next probe".
 */
export function chooseProbe(state: BisectState, posterior: Posterior, rule: BisectRule): number | null {
	const costs = costOf(state, rule);
	const noise = posterior.roundSd ** 2 / rule.rounds + rule.buildSd ** 2;
	const pooled = pooledProbes(state);
	let best: { readonly commit: number; readonly rate: number } | null = null;
	let changed = 0;
	for (let commit = 1; commit <= state.count; commit++) {
		changed += posterior.first[commit - 1] as number;
		if (state.broken.includes(commit) || state.same.includes(commit)) continue;
		if ((pooled.get(commit)?.length ?? 0) >= MOST_ROUNDS) continue;
		const gain = informationOf(changed, posterior.after[commit - 1] as Level, noise);
		const rate = gain / costs(commit);
		if (gain > LEAST_GAIN && (best === null || rate > best.rate)) best = { commit, rate };
	}
	return best?.commit ?? null;
}

export function costOf(state: BisectState, rule: BisectRule): (commit: number) => Seconds {
	const built = new Set(state.probes.map(({ commit }) => commit));
	const rounds = state.probes.reduce((sum, { d }) => sum + d.length, 0);
	const seconds = state.probes.reduce((sum, probe) => sum + probe.seconds, 0);
	const builds = state.probes.filter(({ buildSeconds }) => buildSeconds > 0);
	const building = builds.reduce((sum, { buildSeconds }) => sum + buildSeconds, 0);
	const perRound = rounds === 0 ? rule.roundSeconds : seconds / rounds;
	const perBuild = builds.length === 0 ? rule.buildSeconds : building / builds.length;
	return (commit) => rule.rounds * perRound + (built.has(commit) ? 0 : perBuild);
}

/**
 * Returns the mutual information (nats) of a value and an event of probability `chance`. The value is N(0, noise)
 * without the event and N(mean, sd² + noise) with it.
 */
export function informationOf(chance: number, signal: Level, noise: number): number {
	if (chance <= 0 || chance >= 1) return 0;
	const spread = noise + signal.sd ** 2;
	let remainingEntropy = 0;
	GRID.forEach((z, index) => {
		const share = (DENSITY[index] as number) / DENSITY_SUM;
		const without = z * Math.sqrt(noise);
		const withIt = signal.mean + z * Math.sqrt(spread);
		remainingEntropy += share * (1 - chance) * binaryEntropy(chanceAfter(without));
		remainingEntropy += share * chance * binaryEntropy(chanceAfter(withIt));
	});
	return Math.max(0, binaryEntropy(chance) - remainingEntropy);

	function chanceAfter(value: number): number {
		const logOdds =
			Math.log(chance / (1 - chance)) +
			0.5 * Math.log(noise / spread) -
			(value - signal.mean) ** 2 / (2 * spread) +
			value ** 2 / (2 * noise);
		return 1 / (1 + Math.exp(-logOdds));
	}
}

function binaryEntropy(chance: number): number {
	if (chance <= 0 || chance >= 1) return 0;
	return -chance * Math.log(chance) - (1 - chance) * Math.log1p(-chance);
}
