import type { MetricName } from './metric.ts';
import type { Fraction, Sides, Warning } from './units.ts';

/** `same-code`: its server runs the same code on both sides, so nobody measured it. `unchanged` is measured. */
export const VERDICTS = [
	'regressed',
	'improved',
	'unchanged',
	'inconclusive',
	'invalid',
	'new',
	'removed',
	'same-code',
] as const;
export type Verdict = (typeof VERDICTS)[number];

export type GateOutcome = 'pass' | 'fail' | 'inconclusive' | 'error';

export interface Gate {
	readonly outcome: GateOutcome;
	readonly reasons: readonly string[];
	/**
	 * Present when something broke that head cannot be blamed for, or a machine was lost: the check is then never green. `always`: it
	 * is neutral whatever `on-inconclusive` says. `at-best`: neutral too, but rows are undecided as well, so `on-inconclusive: fail`
	 * makes it red.
	 */
	readonly neutral?: 'always' | 'at-best';
	/**
	 * Who let red rows pass: the reasons still name all of them. With the outcome `fail` other rows are red that nobody accepted;
	 * otherwise it is what the rows without the accepted ones give, `pass` or `inconclusive`.
	 */
	readonly accepted?: Acceptance;
}

/** Interval of a change, as fractions; null ends are unbounded (fewer than two rounds). */
export interface Interval {
	readonly low: Fraction | null;
	readonly high: Fraction | null;
	/** Confidence of both ends together over all looks. */
	readonly confidence: Fraction;
}

/** One metric of one cell estimated from its rounds at a look. Log differences are signed so that negative is worse. */
export interface Estimate {
	readonly metric: MetricName;
	/** Rounds that entered. */
	readonly rounds: number;
	/** Mean over rounds of d, the signed log ratio head against base; negative is worse. */
	readonly mean: number;
	/** The estimate the change is made from, in d: Hodges–Lehmann from 9 rounds on, the mean before. */
	readonly centre: number;
	/** Sample standard deviation of d over rounds. */
	readonly sd: number;
	/** Standard error of `mean`, after the correction for correlated rounds. */
	readonly se: number;
	/** The change (head − base) / base that `centre` means, in the metric's own direction (latency +0.1 is slower). */
	readonly change: Fraction;
	readonly interval: Interval;
	/** Lag-1 autocorrelation of d; null below 4 rounds. */
	readonly lag1: number | null;
	/** d of each round, in order. */
	readonly d: readonly number[];
}

/** What the guards saw, over all rounds of the cell (docs/statistics.md, section 6). Null when the platform cannot tell. */
export interface Guards {
	readonly generatorUtilisation: Fraction | null;
	/** CPU time of both sides as a share of what their CPU offered: used plus idle; what others took does not count. */
	readonly serverUtilisation: Fraction | null;
	/** Head's share of the CPU time both sides used. */
	readonly cpuShare: Fraction | null;
	/** Share of unexpected answers, the worse side. */
	readonly nonExpected: Fraction;
	readonly errors: number;
	readonly lag1: number | null;
	/** Of a cell at a fixed rate. */
	readonly fixedRate?: Sides<HeldRate>;
}

/** How a side was loaded at a fixed rate. */
export interface HeldRate {
	/** Requests a second that fell due. */
	readonly due: number;
	/** Those it answered, the median over rounds; about 1 where it held the rate. */
	readonly held: Fraction;
	/** Those that were sent late, over all rounds. */
	readonly late: Fraction;
}

/** Decision about one row: a cell in one gated metric. */
export interface RowDecision {
	readonly cell: string;
	/** The gated metric of the row. */
	readonly metric: MetricName;
	/** The metric that decided it: the row's, or `cpu-per-request` when a guard says throughput lies. */
	readonly judgedBy: MetricName;
	readonly verdict: Verdict;
	/** False while more rounds could still change it. */
	readonly final: boolean;
	/** Whether the row waits for confirmation with alternating windows. */
	readonly needsConfirmation: boolean;
	readonly estimate: Estimate | null;
	/** Every metric's estimate, for the report. */
	readonly estimates: Readonly<Partial<Record<MetricName, Estimate>>>;
	/** Sequential p-value of "the drop is no more than the tolerance". */
	readonly pRegressed: number | null;
	/** Sequential p-value of "the drop is the threshold or more". */
	readonly pUnchanged: number | null;
	/** Sequential p-value of "the rise is no more than the tolerance". */
	readonly pImproved: number | null;
	/** Smallest threshold this many rounds of this spread could have decided. */
	readonly smallestDecidableThreshold: Fraction | null;
	readonly guards: Guards | null;
	/** Of an invalid row: the first fault of each side that broke, or the one that is no side's. */
	readonly warnings: readonly Warning[];
	/** As its cell has it. */
	readonly newerThanBase?: true;
}

/** All decisions after some rounds. */
export interface Decision {
	readonly rows: readonly RowDecision[];
	readonly gate: Gate;
	/** Cells that should be measured in the next main round. */
	readonly undecided: readonly string[];
	/** Cells that should be measured in the next confirm round. */
	readonly confirm: readonly string[];
	/** Rounds thrown away for all cells because the machine, not a side, slowed down. */
	readonly discardedRounds: readonly number[];
	readonly warnings: readonly Warning[];
}

/**
 * What can make a row red: slower, a head that breaks, a cell that head no longer serves, another answer than base's, more of a drift
 * that is enforced.
 */
export const RED_KINDS = ['regressed', 'broken', 'removed', 'answer-changed', 'adds-to-drift'] as const;
export type RedKind = (typeof RED_KINDS)[number];

/** A row that fails the gate. */
export interface RedRow {
	readonly cell: string;
	readonly metric: MetricName;
	readonly kind: RedKind;
	/** The change of a regressed row, negative is worse in throughput; null for the other kinds. */
	readonly change: Fraction | null;
	/** The end of its interval that is nearer to no change; null for the other kinds, and where it is unbounded. */
	readonly least: Fraction | null;
}

/** Red rows that somebody lets pass. */
export interface AcceptedRows {
	/** A cell, `server/scenario`; null for every cell. */
	readonly cell: string | null;
	/** Null for every kind. */
	readonly kind: RedKind | null;
	/** Largest regression that passes, positive: 0.06 lets −6 % pass, and what cannot be told from it; null for any. */
	readonly upTo: Fraction | null;
}

/** Who let red rows pass, which, and why. On GitHub only people with write access can. */
export interface Acceptance {
	readonly by: string;
	/** `body`: a line in the description. `comment`: one in a comment, and maybe more in the description. */
	readonly via: 'label' | 'body' | 'comment' | 'flag';
	/** Reason that was given; null for a label alone. */
	readonly reason: string | null;
	/** The head commit it holds for; absent where there is none. */
	readonly headSha?: string;
	/** What passes; absent: everything that is red in this result. */
	readonly rows?: readonly AcceptedRows[];
}
