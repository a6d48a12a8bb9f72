import type { Level, Posterior, TwoChanges } from './bisect-state.ts';

interface Fit {
	readonly mean: number;
	readonly variance: number;
}

/** Averages models by log weights, which are relative to the largest so far. */
export class ModelAverage {
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
