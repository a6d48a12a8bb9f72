import type { MetricName } from './metric.ts';
import {
	define,
	described,
	enumOf,
	type Infer,
	listOf,
	NUMBER,
	NUMBER_OR_NULL,
	objectOf,
	optional,
	orNull,
	ref,
	TEXT,
} from './schema.ts';
import { type Fraction, sidesOf, type Warning } from './units.ts';

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
export const VERDICT = enumOf(VERDICTS);

/**
 * What can make a row red: slower, a head that breaks, a cell that head no longer serves, another answer than base's, more of a drift
 * that is enforced.
 */
export const RED_KINDS = ['regressed', 'broken', 'removed', 'answer-changed', 'adds-to-drift'] as const;
export type RedKind = (typeof RED_KINDS)[number];

/** Red rows that were accepted. */
export type AcceptedRows = Infer<typeof ACCEPTED_ROWS>;
const ACCEPTED_ROWS = objectOf({
	/** A cell, `server/scenario`; null for every cell. */
	cell: orNull(TEXT),
	/** Null for every kind. */
	kind: orNull(enumOf(RED_KINDS)),
	/** 0.06 lets −6 % pass, and what cannot be told from it; null for any. */
	upTo: described(NUMBER_OR_NULL, 'largest regression that passes: 0.06 is 6 %'),
});

/** Who let red rows pass, which, and why. On GitHub only people with write access can. */
export type Acceptance = Infer<typeof ACCEPTANCE>;
export const ACCEPTANCE = define(
	'acceptance',
	described(
		objectOf({
			by: TEXT,
			/** `body`: a line in the description. `comment`: one in a comment, and maybe more in the description. */
			via: enumOf(['label', 'body', 'comment', 'flag']),
			/** Null for a label alone. */
			reason: orNull(TEXT),
			/** The head commit it holds for; absent where there is none. */
			headSha: optional(TEXT),
			/** What passes; absent: everything that is red in this result. */
			rows: optional(listOf(ACCEPTED_ROWS)),
		}),
		'who let red rows pass, which (all without rows), and why',
	),
);

export type GateOutcome = Gate['outcome'];
export type Gate = Infer<typeof GATE>;
export const GATE = objectOf({
	outcome: enumOf(['pass', 'fail', 'inconclusive', 'error']),
	reasons: listOf(TEXT),
	/**
	 * Also present when a machine was lost. `always`: the check is neutral whatever `on-inconclusive` says. `at-best`: neutral too,
	 * but rows are undecided as well, so `on-inconclusive: fail` makes it red.
	 */
	neutral: optional(
		described(
			enumOf(['always', 'at-best']),
			'something broke that head cannot be blamed for, so the check is never green',
		),
	),
	/**
	 * Who let red rows pass: the reasons still name all of them. With the outcome `fail`, other rows are red that were not accepted;
	 * otherwise it is what the rows without the accepted ones give, `pass` or `inconclusive`.
	 */
	accepted: optional(ref(ACCEPTANCE)),
});

/** Interval of a change, as fractions; null ends are unbounded (fewer than two rounds). */
export type Interval = Infer<typeof INTERVAL>;
export const INTERVAL = define(
	'interval',
	objectOf({
		low: NUMBER_OR_NULL,
		high: NUMBER_OR_NULL,
		/** Confidence of both ends together over all looks. */
		confidence: NUMBER,
	}),
);

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

/** How a side was loaded at a fixed rate. */
export type HeldRate = Infer<typeof HELD_RATE>;
export const HELD_RATE = define(
	'heldRate',
	objectOf({
		due: described(NUMBER, 'requests a second that fell due'),
		/** About 1 where it held the rate. */
		held: described(NUMBER, 'share of them that was answered in time, the median over rounds'),
		/** Over all rounds. */
		late: described(NUMBER, 'share of them that was sent late'),
	}),
);

/** What the guards saw, over all rounds of the cell (docs/statistics.md, section 6). Null when the platform cannot tell. */
export type Guards = Infer<typeof GUARDS>;
export const GUARDS = define(
	'guards',
	objectOf({
		/** A fraction, like `nonExpected` and the two that follow. */
		generatorUtilisation: NUMBER_OR_NULL,
		/** CPU time of both sides as a share of what their CPU offered: used plus idle; what others took does not count. */
		serverUtilisation: NUMBER_OR_NULL,
		/** Head's share of the CPU time both sides used. */
		cpuShare: NUMBER_OR_NULL,
		/** Share of unexpected answers, the worse side. */
		nonExpected: NUMBER,
		errors: NUMBER,
		lag1: NUMBER_OR_NULL,
		fixedRate: optional(described(sidesOf(ref(HELD_RATE)), 'of a scenario that is loaded at a fixed rate')),
	}),
);

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
