import type { BisectState, Level, Posterior } from './bisect-state.ts';

/** A range in which neighbouring commits that nothing tells apart are one. */
export interface Condensed {
	readonly state: BisectState;
	/** Last commit of each group. */
	readonly ends: readonly number[];
}

/** Returns the range with a group for each commit that something is known of, and the commits before it up to the one before. */
export function condense(state: BisectState): Condensed {
	const known = [
		...state.probes.map(({ commit }) => commit),
		...state.same,
		...state.proofs.flatMap(({ before, after }) => [before, after]),
		state.count,
	];
	const ends = [...new Set(known)].filter((commit) => commit > 0).sort((a, b) => a - b);
	const groupOf = (commit: number) => (commit === 0 ? 0 : ends.findIndex((end) => end >= commit) + 1);
	const prior = ends.map(() => 0);
	state.prior.forEach((weight, index) => {
		const at = groupOf(index + 1) - 1;
		prior[at] = (prior[at] as number) + weight;
	});
	return {
		ends,
		state: {
			...state,
			count: ends.length,
			prior,
			probes: state.probes.map((probe) => ({ ...probe, commit: groupOf(probe.commit) })),
			same: state.same.map(groupOf),
			proofs: state.proofs.map((proof) => ({ ...proof, before: groupOf(proof.before), after: groupOf(proof.after) })),
		},
	};
}

/** Returns the posterior of the groups as one of the commits: what a group has, its commits share by their prior weights. */
export function expand(posterior: Posterior, { ends }: Condensed, prior: readonly number[]): Posterior {
	const first: number[] = [];
	const after: Level[] = [];
	ends.forEach((end, group) => {
		const own = prior.slice(ends[group - 1] ?? 0, end);
		const total = own.reduce((sum, weight) => sum + weight, 0);
		const probability = posterior.first[group] as number;
		for (const weight of own) {
			first.push(total === 0 ? probability / own.length : (probability * weight) / total);
			after.push(posterior.after[group] as Level);
		}
	});
	const { pair } = posterior.two;
	const endOf = (group: number) => ends[group - 1] as number;
	const named = pair && { ...pair, first: endOf(pair.first), second: endOf(pair.second) };
	return { ...posterior, first, after, two: { ...posterior.two, pair: named } };
}
