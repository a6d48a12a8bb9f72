import {
	type BisectRule,
	type BisectState,
	type Level,
	type Posterior,
	pooledProbes,
	type TwoChanges,
} from './bisect-state.ts';

/** A range where neighbouring commits that data cannot distinguish are grouped. */
interface Condensed {
	readonly state: BisectState;
	readonly ends: readonly number[];
}

/** Grid of ln σ, in SDs of the prior of ln σ. */
const SIGMA_GRID = [-3, -2.5, -2, -1.5, -1, -0.5, 0, 0.5, 1, 1.5, 2, 2.5, 3];
/** SD between commits that pack to the same files. */
const SAME_SD = 0.001;

/**
 * Returns the posterior over the first bad commit: for no change, one, or two, of which the first counts. It is
 * averaged over σ, because three rounds hardly determine it. Logarithms are summed to avoid underflow. Source:
 * docs/statistics.md, "The posterior of a bisect".
 */
export function posteriorOf(state: BisectState, rule: BisectRule): Posterior {
	const condensed = condense(state);
	return expand(posteriorOfGroups(condensed.state, rule), condensed, state.prior);
}

function posteriorOfGroups(state: BisectState, rule: BisectRule): Posterior {
	const data = readData(state);
	const collected = new ModelAverage(state.count);
	const step = Math.log(rule.roundSdFactor);
	for (const z of SIGMA_GRID) {
		const sigma = rule.roundSd * Math.exp(z * step);
		const common = -0.5 * z * z + withinLikelihood(data, sigma);
		addModels(collected, state, rule, sumsOf(data, sigma, rule.buildSd, state.count), common, sigma);
	}
	return collected.posterior();
}

interface CommitData {
	readonly commit: number;
	readonly rounds: number;
	readonly mean: number;
	readonly squares: number;
}

function readData(state: BisectState): CommitData[] {
	const probed = [...pooledProbes(state)].map(([commit, d]) => {
		const mean = d.reduce((sum, value) => sum + value, 0) / d.length;
		return { commit, rounds: d.length, mean, squares: d.reduce((sum, value) => sum + (value - mean) ** 2, 0) };
	});
	const same = state.same.map((commit) => ({ commit, rounds: 0, mean: 0, squares: 0 }));
	return [...probed.filter(({ rounds }) => rounds > 0), ...same].sort((a, b) => a.commit - b.commit);
}

function withinLikelihood(data: readonly CommitData[], sigma: number): number {
	let sum = 0;
	for (const { rounds, squares } of data) {
		if (rounds > 0) sum -= (rounds - 1) * Math.log(sigma) + squares / (2 * sigma * sigma);
	}
	return sum;
}

/** Cumulative sums of ½ ln 1/v, 1/v, ȳ/v and ȳ²/v. */
interface Sums {
	readonly log: Float64Array;
	readonly weight: Float64Array;
	readonly value: Float64Array;
	readonly square: Float64Array;
}

function sumsOf(data: readonly CommitData[], sigma: number, buildSd: number, count: number): Sums {
	const make = () => new Float64Array(count + 1);
	const sums = { log: make(), weight: make(), value: make(), square: make() };
	for (const { commit, rounds, mean } of data) {
		const variance = rounds === 0 ? SAME_SD ** 2 : (sigma * sigma) / rounds + buildSd * buildSd;
		sums.log[commit] = (sums.log[commit] as number) - 0.5 * Math.log(variance);
		sums.weight[commit] = (sums.weight[commit] as number) + 1 / variance;
		sums.value[commit] = (sums.value[commit] as number) + mean / variance;
		sums.square[commit] = (sums.square[commit] as number) + mean ** 2 / variance;
	}
	for (const one of Object.values(sums) as Float64Array[]) {
		for (let at = 1; at <= count; at++) one[at] = (one[at] as number) + (one[at - 1] as number);
	}
	return sums;
}

interface LevelFit {
	readonly log: number;
	readonly mean: number;
	readonly variance: number;
}

function fitLevel(sums: Sums, from: number, to: number, prior: Level): LevelFit {
	const log = (sums.log[to] as number) - (sums.log[from] as number);
	const square = (sums.square[to] as number) - (sums.square[from] as number);
	const priorWeight = 1 / (prior.sd * prior.sd);
	const weight = priorWeight + (sums.weight[to] as number) - (sums.weight[from] as number);
	const value = prior.mean * priorWeight + (sums.value[to] as number) - (sums.value[from] as number);
	const misfit = square + prior.mean * prior.mean * priorWeight - (value * value) / weight;
	return { log: log - 0.5 * misfit - 0.5 * Math.log(weight / priorWeight), mean: value / weight, variance: 1 / weight };
}

function addModels(
	collected: ModelAverage,
	{ count, prior, expected, proofs, probes }: BisectState,
	rule: BisectRule,
	sums: Sums,
	common: number,
	sigma: number,
): void {
	/** All duets use one build of good, so all unchanged commits share its error. */
	const unchanged = { mean: 0, sd: rule.buildSd };
	const usual = { mean: 0, sd: usualChange(probes, rule) };
	const expectedLevel = expected === null ? usual : { mean: expected.theta, sd: Math.hypot(expected.se, rule.buildSd) };
	const total = prior.reduce((sum, weight) => sum + weight, 0);
	const weightOf = (commit: number) => (prior[commit - 1] as number) / total;
	const shown = (changes: readonly ShownChange[]) => proofLikelihood(proofs, changes, sigma, rule.buildSd);
	const whole = fitLevel(sums, 0, count, unchanged);
	collected.addNone(common + Math.log(rule.none) + whole.log + shown([]), sigma);
	const one = 1 - rule.none - rule.two;
	for (let first = 1; first <= count; first++) {
		const weight = weightOf(first);
		if (weight === 0) continue;
		const before = common + Math.log(weight) + fitLevel(sums, 0, first - 1, unchanged).log;
		const after = fitLevel(sums, first - 1, count, expectedLevel);
		collected.addChange(first, before + Math.log(one) + after.log + shown([{ commit: first, ...after }]), sigma, after);
		for (let second = first + 1; second <= count; second++) {
			const share = weightOf(second) / (1 - weight);
			if (!(share > 0)) continue;
			const middle = fitLevel(sums, first - 1, second - 1, usual);
			const end = fitLevel(sums, second - 1, count, expected === null ? usual : expectedLevel);
			const steps = [
				{ commit: first, ...middle },
				{ commit: second, mean: end.mean - middle.mean, variance: end.variance + middle.variance },
			];
			const log = before + Math.log(rule.two * share) + middle.log + end.log + shown(steps);
			collected.addChange(first, log, sigma, middle, { first, second, middle: middle.mean, end: end.mean });
		}
	}
}

/**
 * Widens the prior to the largest mean, because a fixed width would make far larger changes improbable at every commit.
 */
function usualChange(probes: BisectState['probes'], rule: BisectRule): number {
	const means = probes.map(({ d }) => Math.abs(d.reduce((sum, value) => sum + value, 0) / Math.max(1, d.length)));
	return Math.max(rule.usualChange, ...means);
}

interface ShownChange {
	readonly commit: number;
	readonly mean: number;
	readonly variance: number;
}

/** A proof measures the sum of the steps between its ends. */
function proofLikelihood(
	proofs: BisectState['proofs'],
	changes: readonly ShownChange[],
	sigma: number,
	buildSd: number,
): number {
	let log = 0;
	for (const { before, after, d } of proofs) {
		if (d.length === 0) continue;
		let [mean, variance] = [0, (sigma * sigma) / d.length + 2 * buildSd ** 2];
		for (const change of changes) {
			if (change.commit <= before || change.commit > after) continue;
			mean += change.mean;
			variance += change.variance;
		}
		const average = d.reduce((sum, value) => sum + value, 0) / d.length;
		log -= 0.5 * Math.log(variance) + (average - mean) ** 2 / (2 * variance);
	}
	return log;
}

/** Groups commits so that each group ends with a commit that has data. */
function condense(state: BisectState): Condensed {
	const knownCommits = [
		...state.probes.map(({ commit }) => commit),
		...state.same,
		...state.proofs.flatMap(({ before, after }) => [before, after]),
		state.count,
	];
	const ends = [...new Set(knownCommits)].filter((commit) => commit > 0).sort((a, b) => a - b);
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

function expand(posterior: Posterior, { ends }: Condensed, prior: readonly number[]): Posterior {
	const first: number[] = [];
	const after: Level[] = [];
	ends.forEach((end, group) => {
		const groupWeights = prior.slice(ends[group - 1] ?? 0, end);
		const total = groupWeights.reduce((sum, weight) => sum + weight, 0);
		const probability = posterior.first[group] as number;
		for (const weight of groupWeights) {
			first.push(total === 0 ? probability / groupWeights.length : (probability * weight) / total);
			after.push(posterior.after[group] as Level);
		}
	});
	const { pair } = posterior.two;
	const endOf = (group: number) => ends[group - 1] as number;
	const named = pair && { ...pair, first: endOf(pair.first), second: endOf(pair.second) };
	return { ...posterior, first, after, two: { ...posterior.two, pair: named } };
}

interface Fit {
	readonly mean: number;
	readonly variance: number;
}

/** Averages models by log weights, which are relative to the largest so far. */
class ModelAverage {
	#top = Number.NEGATIVE_INFINITY;
	/** By first changed commit: weight, weight times level, and weight times its square. */
	readonly #first: Float64Array;
	readonly #theta: Float64Array;
	readonly #square: Float64Array;
	#sums = { none: 0, two: 0, sigma: 0, all: 0 };
	#pair: TwoChanges | null = null;
	#pairLog = Number.NEGATIVE_INFINITY;

	constructor(count: number) {
		this.#first = new Float64Array(count);
		this.#theta = new Float64Array(count);
		this.#square = new Float64Array(count);
	}

	addNone(log: number, sigma: number): void {
		const weight = this.#weigh(log, sigma);
		this.#sums.none += weight;
	}

	/** Adds a model whose first change leads to this level. `pair` is given if there is a second change. */
	addChange(first: number, log: number, sigma: number, { mean, variance }: Fit, pair?: TwoChanges): void {
		const weight = this.#weigh(log, sigma);
		const at = first - 1;
		this.#first[at] = (this.#first[at] as number) + weight;
		this.#theta[at] = (this.#theta[at] as number) + weight * mean;
		this.#square[at] = (this.#square[at] as number) + weight * (mean ** 2 + variance);
		if (pair === undefined) return;
		this.#sums.two += weight;
		if (log > this.#pairLog) [this.#pair, this.#pairLog] = [pair, log];
	}

	posterior(): Posterior {
		const { all, none, two, sigma } = this.#sums;
		const after: Level[] = [];
		let [weight, theta, square] = [0, 0, 0];
		this.#first.forEach((firstWeight, at) => {
			weight += firstWeight;
			theta += this.#theta[at] as number;
			square += this.#square[at] as number;
			const mean = weight === 0 ? 0 : theta / weight;
			after.push({ mean, sd: weight === 0 ? 0 : Math.sqrt(Math.max(0, square / weight - mean ** 2)) });
		});
		return {
			first: [...this.#first].map((firstWeight) => firstWeight / all),
			none: none / all,
			two: { probability: two / all, pair: this.#pair },
			after,
			theta: after.at(-1)?.mean ?? 0,
			thetaSd: after.at(-1)?.sd ?? 0,
			roundSd: sigma / all,
		};
	}

	#weigh(log: number, sigma: number): number {
		if (log > this.#top) {
			const factor = Math.exp(this.#top - log);
			for (const sums of [this.#first, this.#theta, this.#square]) {
				for (let at = 0; at < sums.length; at++) sums[at] = (sums[at] as number) * factor;
			}
			const { none, two, sigma: ofSigma, all } = this.#sums;
			this.#sums = { none: none * factor, two: two * factor, sigma: ofSigma * factor, all: all * factor };
			this.#top = log;
		}
		const weight = Math.exp(log - this.#top);
		this.#sums.all += weight;
		this.#sums.sigma += weight * sigma;
		return weight;
	}
}
