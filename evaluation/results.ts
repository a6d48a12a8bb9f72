/**
 * Results of the evaluation: everything on its page and in docs/evaluation.md, independent of the time of computation.
 */
import type { Design } from '../src/types/config.ts';
import type { Fraction, Seconds } from '../src/types/units.ts';
import type { Skipped } from './series-files.ts';

export const RESULTS_VERSION = 1;

/** Planted drops in throughput, 0 among them: the same servers on both sides. */
export const PLANTED: readonly Fraction[] = [0, 0.02, 0.03, 0.05, 0.07, 0.1];

/** A share of trials, with its exact 95 % binomial interval (Clopper and Pearson). */
export interface Share {
	readonly count: number;
	readonly of: number;
	readonly low: Fraction;
	readonly high: Fraction;
}

/** An average with its 95 % interval (Student's t); null ends with fewer than two values. */
export interface Mean {
	readonly value: number;
	readonly low: number | null;
	readonly high: number | null;
	readonly of: number;
}

/** Wall times of several runs: their median and 90th percentile. */
export interface WallTime {
	readonly median: Seconds;
	readonly p90: Seconds;
}

/** Number of windows of a series that other processes disturbed. */
export interface Disturbed {
	readonly id: string;
	readonly windows: number;
	readonly of: number;
}

/** Results of one rule on one planted drop. */
export interface RuleAt {
	readonly drop: Fraction;
	/** Called slower (red): false alarms at drop 0, power elsewhere. */
	readonly red: Share;
	/** Not decided; 0 for rules that always decide. */
	readonly undecided: Share;
	/** For one cell. */
	readonly seconds: WallTime;
}

/** One line of the peer table. */
export interface RuleResult {
	/** `benchgate`, `github-action-benchmark-200`, … */
	readonly rule: string;
	/** Name for readers. */
	readonly title: string;
	/** Where the rule is documented. */
	readonly reference: string;
	/** Design of the rounds it was replayed on. */
	readonly design: Design;
	readonly at: readonly RuleAt[];
}

/** A whole matrix against itself, run live or resampled from rounds. */
export interface MatrixResult {
	/**
	 * `live`: a complete run under user conditions. `consecutive`: cut out of long series in time order, without reuse of
	 * rounds. `replayed`: rounds of all these in random order, with reuse.
	 */
	readonly origin: 'live' | 'consecutive' | 'replayed';
	readonly threshold: Fraction;
	readonly cells: number;
	/** Runs that ended: every other figure is of these. */
	readonly runs: number;
	/** Runs of `consecutive` that their series cut off, more often slow than quick ones; else 0. */
	readonly cutOff: number;
	readonly redGates: Share;
	/** Rows of all runs, by verdict. */
	readonly verdicts: Readonly<Record<string, number>>;
	/** Rows whose interval holds 0. */
	readonly covered: Share;
	readonly seconds: WallTime;
	/** Median over decided cells of wall time divided by cells. */
	readonly secondsPerCell: Seconds;
	/** One planted drop in one cell of the matrix; only for `replayed`. */
	readonly power: readonly MatrixPower[];
}

/** Share of runs in which the one slower row of a matrix regressed, and wall time of the whole run. */
export interface MatrixPower {
	readonly drop: Fraction;
	readonly red: Share;
	readonly seconds: WallTime;
}

/** Question 1. Cost of certainty of one way to spend a round, (SD of d in %)² × seconds. */
export interface TimingCost {
	readonly server: string;
	readonly warmupSeconds: Seconds;
	readonly countedSeconds: Seconds;
	readonly scenariosPerProcess: number;
	readonly rounds: number;
	/** Fractions, of log units. */
	readonly sd: number;
	/** 1.4826 × median absolute deviation. */
	readonly robustSd: number;
	/** Mean of d in percent: a warm-up that is too short may favour a side. */
	readonly bias: Mean;
	readonly secondsPerCell: Seconds;
	readonly cost: number;
}

/** Question 1, in processes that serve a whole matrix: turns at one place of their processes, or all of them. */
export interface PlaceCost extends TimingCost {
	/** 1 for the first turn of a process; null for all places together. */
	readonly place: number | null;
}

/**
 * Mean over rounds: d of a metric in log units, added microseconds per answer of a side loaded alone, or a share of
 * head's answers.
 */
export interface Achieved {
	readonly of: 'cpu-per-request' | 'memory-peak' | 'answer-time' | 'wrong-answers';
	readonly mean: Mean;
}

/** Question 2. One pair in two designs. All in log units, negative is slower. */
export interface ValidityPair {
	readonly id: string;
	readonly title: string;
	/** `revisions`, `servers`, or the kind of injection. */
	readonly effect: string;
	/** Intended d of throughput; null without one. */
	readonly intended: number | null;
	/** The effect of an injection on head; null for other effects. */
	readonly achieved: Achieved | null;
	readonly throughput: Readonly<Record<Design, Mean | null>>;
	readonly cpu: Readonly<Record<Design, Mean | null>>;
	/** Verdict of the rule on the duet rounds alone, and with the alternating rounds as confirmation. */
	readonly verdict: string;
	/** The rule requires confirmation by alternating windows. */
	readonly asksConfirmation: boolean;
	/** Codes of the guards and warnings in that decision. */
	readonly guards: readonly string[];
}

export interface Validity {
	readonly pairs: readonly ValidityPair[];
	/** Regression of one design's d on another's over the pairs: slope 1 and intercept 0 mean that they agree. */
	readonly lines: readonly {
		readonly of: string;
		readonly on: string;
		/** The pairs: `real`, injected `CPU work`, injected `waiting`, `all`. */
		readonly among: string;
		readonly slope: Mean;
		readonly intercept: Mean;
	}[];
}

/** Question 3. Mean d of rounds against themselves: of all, and by the side that came first. */
export interface Bias {
	readonly design: Design;
	readonly of: string;
	readonly throughput: Mean;
	readonly cpu: Mean;
}

/** Question 4, for one cell and design. */
export interface Independence {
	readonly design: Design;
	readonly server: string;
	readonly cell: string;
	readonly rounds: number;
	readonly sd: number;
	readonly robustSd: number;
	readonly lag1: number;
	readonly skew: number;
	/** Rounds farther than 4 robust SDs from the median. */
	readonly outliers: number;
}

/** Number of runs without a planted change in which each guard or warning fired. */
export interface GuardCount {
	readonly code: string;
	readonly runs: Share;
}

/** Question 5. The same runs with and without shared variance across cells. */
export interface SharedVariance {
	readonly shared: boolean;
	readonly drop: Fraction;
	readonly runs: number;
	readonly redGates: Share;
	readonly inconclusiveRows: Share;
	/** Rows that passed although the planted drop was the threshold or more. */
	readonly wrongPasses: Share;
	readonly roundsPerCell: number;
	readonly covered: Share;
}

/** Question 6. Two pairs measured at the same time on the same CPUs against one. */
export interface Together {
	readonly id: string;
	readonly pairsAtOnce: number;
	readonly rounds: number;
	readonly sd: number;
	readonly robustSd: number;
	readonly secondsPerCell: Seconds;
	readonly cost: number;
}

export interface Results {
	readonly version: typeof RESULTS_VERSION;
	/** Series and rounds behind all results. */
	readonly data: {
		readonly series: number;
		readonly rounds: number;
		readonly hours: number;
		readonly machine: string;
		readonly node: string;
		readonly skipped: readonly Skipped[];
		/** Windows in which other processes used more than 5 % of a CPU, series with more than 20 % of them by name. */
		readonly disturbed: { readonly windows: number; readonly of: number; readonly series: readonly Disturbed[] };
	};
	readonly rules: readonly RuleResult[];
	readonly matrices: readonly MatrixResult[];
	readonly timing: readonly TimingCost[];
	readonly places: readonly PlaceCost[];
	readonly validity: Validity;
	readonly bias: readonly Bias[];
	readonly independence: readonly Independence[];
	readonly guards: readonly GuardCount[];
	readonly sharedVariance: readonly SharedVariance[];
	readonly together: readonly Together[];
}
